import { type Draw, integer } from "@/lib/random/mod.ts";
import type { CrossedDesign } from "./_crossed_design.ts";
import { decompose, type Part } from "./_decompose.ts";

/**
 * Makes a function that draws the values of a design again: its effects stay, and noise is drawn anew from what was left over.
 *
 * Effects are shrunk, and what is left over is stretched, so that the drawn values differ as much as the true ones are estimated to
 * (Carpenter, Goldstein and Rasbash 2003, "A novel bootstrap procedure for assessing the relationship between class size and
 * achievement").
 */
export function redrawValues(design: CrossedDesign, draw: Draw): () => Float64Array {
  const { factors, cells, repeats, values } = design;
  const { mean, effects, joint, factors: parts, interactions, noise } = decompose(design, values);
  const meanSquare = noise.squares / noise.freedom;
  const keep = ({ squares, freedom }: Part): number =>
    squares === 0 ? 0 : Math.sqrt(Math.max(0, 1 - freedom * meanSquare / squares));
  const kept = parts.map(keep);
  const keptJoint = repeats > 1 ? keep(interactions) : 0;
  const additive = (row: number, scales: readonly number[]): number =>
    factors.reduce((sum, { at }, factor) => sum + scales[factor]! * effects[factor]![at[row]!]!, mean);
  const whole = factors.map(() => 1);
  const fitted = values.map((_, row) => additive(row, kept) + keptJoint * joint[cells[row]!]!);
  const rest = values.map((value, row) => value - additive(row, whole) - (repeats > 1 ? joint[cells[row]!]! : 0));
  const stretch = Math.sqrt(values.length / noise.freedom);
  return () => fitted.map((value) => value + stretch * rest[integer(draw, { low: 0, high: rest.length - 1 })]!);
}
