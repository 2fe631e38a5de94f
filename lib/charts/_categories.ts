import { cannotDraw, distinctOf } from "./_rows.ts";

/** What stands along an axis of names: text or a number. */
export type Category = string | number;

/** The category that a field of a row names. */
export function categoryOf(value: unknown): Category {
  return typeof value === "number" ? value : String(value ?? "");
}

/** The distinct categories in their order: the one given, else numbers ascending and text as it comes. */
export function orderOf(
  values: readonly Category[],
  options: { readonly order: readonly Category[] | undefined; readonly title: string; readonly name: string },
): readonly Category[] {
  const { order, title, name } = options;
  const kinds = distinctOf(values);
  const missing = order === undefined ? undefined : kinds.find((kind) => !order.includes(kind));
  if (missing !== undefined) throw cannotDraw(title, `${name} must hold every value of its axis`, `no ${missing}`);
  if (order !== undefined) return distinctOf(order);
  return kinds.every((kind) => typeof kind === "number")
    ? kinds.sort((left, right) => Number(left) - Number(right))
    : kinds;
}
