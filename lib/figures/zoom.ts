import type { Spec } from "./theme.ts";

/** Layers into whose axes a reader can zoom, in all of them at once. */
export interface Zoom {
  readonly views: readonly string[];
  readonly axes: readonly ("x" | "y")[];
}

/**
 * Lets a reader zoom into a chart: the wheel with Ctrl or Alt zooms, dragging moves, a double click shows all. Lines end at the edges
 * then; points on an edge stay whole, and those beyond are left out.
 */
export function withZoom(spec: Spec, { views, axes }: Zoom): Spec {
  const { params = [] } = spec as { readonly params?: readonly Spec[] };
  const select = { type: "interval", encodings: axes, zoom: "wheel![event.ctrlKey || event.altKey]" };
  const zoom = { name: `zoom_${views[0]}`, select, bind: "scales", views };
  const whole = JSON.stringify({ ...spec, params: [...params, zoom] });
  return JSON.parse(whole, (_, part) => {
    if (!views.includes(part?.name)) return part;
    const transform = [...part.transform ?? [], { filter: { param: zoom.name } }];
    return { ...part, transform, mark: { ...part.mark, clip: false } };
  });
}
