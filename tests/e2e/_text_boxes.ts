import type { Page } from "playwright-core";

/** Two texts of a picture that lie over each other, or one that its edge cuts off. */
export interface TextFault {
  readonly text: string;
  /** The text that lies over it; left out where the picture's edge cuts it off. */
  readonly other?: string;
  /** How far, in pixels. */
  readonly by: number;
}

/** Options for {@linkcode findTextFaults}. */
export interface TextFaultOptions {
  /** Pixels that do not count. */
  readonly slack: number;
  /**
   * Which pictures to look at.
   *
   * @default {"svg"}
   */
  readonly pictures?: string;
}

/**
 * Finds the texts of the pictures of a page that are cut off by a picture's edge or lie over another text of it.
 *
 * A text is its box as drawn, turned where it is turned. Texts on marks (the value in a cell) count too; an empty text does not.
 */
export async function findTextFaults(page: Page, options: TextFaultOptions): Promise<readonly TextFault[]> {
  return await page.evaluate(`(${inPage})(${JSON.stringify(options)})`) as readonly TextFault[];
}

/** Runs in the page, so it must not use anything from outside. */
const inPage = `({ slack, pictures = "svg" }) => [...document.querySelectorAll(pictures)].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const corners = (text) => {
    const { x, y, width, height } = text.getBBox();
    const matrix = text.getScreenCTM();
    // Of a line's height the letters take the middle: ascent and descent are mostly room.
    const [top, bottom] = [y + 0.22 * height, y + 0.82 * height];
    return [[x, top], [x + width, top], [x + width, bottom], [x, bottom]].map(([px, py]) => {
      const point = new DOMPoint(px, py).matrixTransform(matrix);
      return [point.x, point.y];
    });
  };
  const opacity = (node) => node === svg || node === null ? 1 : Number(getComputedStyle(node).opacity) * opacity(node.parentElement);
  const lines = [...svg.querySelectorAll("text")].flatMap((text) => {
    const spans = [...text.querySelectorAll("tspan")];
    return (spans.length > 1 ? spans : [text]).map((node) => ({ node, text }));
  }).filter(({ node, text }) => node.textContent.trim() !== "" && opacity(text) > 0);
  const boxes = lines.map(({ node, text }) => {
    if (node === text) return { text: node.textContent, box: corners(text) };
    const range = document.createRange();
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    const [top, bottom] = [rect.top + 0.22 * rect.height, rect.top + 0.82 * rect.height];
    return { text: node.textContent, box: [[rect.left, top], [rect.right, top], [rect.right, bottom], [rect.left, bottom]] };
  });
  // Separating axes: how deep two turned boxes reach into each other; 0 or less where they do not.
  const depth = (one, other) => {
    let least = Infinity;
    for (const box of [one, other]) {
      for (const at of [0, 1]) {
        const [from, to] = [box[at], box[at + 1]];
        const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
        const axis = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
        const span = (corners) => {
          const along = corners.map(([x, y]) => x * axis[0] + y * axis[1]);
          return [Math.min(...along), Math.max(...along)];
        };
        const [a, b] = [span(one), span(other)];
        least = Math.min(least, a[1] - b[0], b[1] - a[0]);
      }
    }
    return least;
  };
  const faults = [];
  boxes.forEach(({ text, box }, at) => {
    const out = Math.max(...box.map(([x, y]) => Math.max(frame.left - x, x - frame.right, frame.top - y, y - frame.bottom)));
    if (out > slack) faults.push({ text, by: out });
    for (const other of boxes.slice(at + 1)) {
      const by = depth(box, other.box);
      if (by > slack && text !== other.text) faults.push({ text, other: other.text, by });
    }
  });
  return faults;
})`;
