import { mean } from "@/lib/base/mod.ts";
import { pickStarPanels, type StarFigureOptions, type StarPanel, type StarsPublished } from "./published.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { simpleStatistics, studentReach } from "@/lib/statistics/mod.ts";

/** How much two matrices of the same lengths differ. */
export interface PanelDifference {
  /** Accuracy of the first minus that of the second, in [-1, 1]. */
  readonly difference: number;
  /** The low end of its 95% interval, over lengths. */
  readonly low: number;
  /** The high end. */
  readonly high: number;
  /** The two-sided p-value of a paired permutation test over lengths, in (0, 1]. */
  readonly p: number;
  /** Lengths compared. */
  readonly lengths: number;
}

/** The effect of one change of the test on one model. */
export interface StarChange extends PanelDifference {
  /** The comparison, such as `temperature 0 less 1`. */
  readonly change: string;
  readonly model: string;
}

/** A change of the test; without a difference if the matrices share fewer than two lengths. */
export type StarChangeRow =
  | StarChange
  | (
    & Pick<StarChange, "change" | "model" | "lengths">
    & Readonly<Record<"difference" | "low" | "high" | "p", null>>
  );

const CHANGES: readonly (readonly [string, string, string])[] = [
  ["increasing less shuffled counts", "stone_32_32", "stone_32_32_random"],
  ["The Story of the Stone less Journey to the West", "stone_32_32", "west_32_32_v1"],
  ["temperature 0 less 1", "west_32_32_v1", "west_32_32_temperature"],
  ["run 1 less run 2", "west_32_32_v1", "west_32_32_v2"],
  ["run 1 less run 3", "west_32_32_v1", "west_32_32_v3"],
  ["N = 16 less N = 32, at the lengths of both", "stone_32_16", "stone_32_32"],
];

/** Compares the published panels that differ in one thing (order, text, temperature, run, or the number of lengths), by model. */
export function starChanges(published: StarsPublished, seed: string): StarChange[] {
  return CHANGES.flatMap(([change, first, second]) => {
    const others = pickStarPanels(published, [second]);
    return pickStarPanels(published, [first]).map((panel, at) => ({
      change,
      model: panel.model.split(",")[0]!,
      ...panelDifference(panel, others[at]!, { seed }),
    }));
  });
}

/**
 * Compares two matrices length by length, such as increasing with shuffled counts.
 *
 * A column is one reply, so columns and not cells are treated as independent. The test swaps the two columns of a length at
 * random (the observed order counts as one permutation); the interval is Student's, over lengths.
 *
 * @param options `rounds` is the number of permutations, from 99.
 * @throws {RangeError} If the matrices share fewer than two lengths, or `rounds` is outside its range.
 */
export function panelDifference(
  first: StarPanel,
  second: StarPanel,
  { seed, rounds = 1999 }: { readonly seed: string; readonly rounds?: number },
): PanelDifference {
  const others = new Map(second.columns.map(({ length, cells }) => [length, mean(cells)]));
  const differences = first.columns.flatMap(({ length, cells }) => {
    const other = others.get(length);
    return other === undefined ? [] : [mean(cells) - other];
  });
  const lengths = differences.length;
  if (lengths < 2) {
    throw new RangeError(
      `Cannot compare the matrices as they must share at least 2 lengths: current value is ${lengths}`,
    );
  }
  if (!Number.isInteger(rounds) || rounds < 99) {
    throw new RangeError(
      `Cannot compare the matrices as rounds must be a whole number from 99: current value is ${rounds}`,
    );
  }
  const draw = stream(seed, "panel difference");
  const difference = mean(differences);
  const flipped = Array.from(
    { length: rounds },
    () => mean(differences.map((value) => draw() < 0.5 ? -value : value)),
  );
  const reach = simpleStatistics.sampleStandardDeviation(differences) / Math.sqrt(lengths) *
    studentReach(0.95, lengths - 1);
  const extreme = flipped.filter((other) => Math.abs(other) >= Math.abs(difference) - 1e-12).length;
  return {
    difference,
    low: Math.max(-1, difference - reach),
    high: Math.min(1, difference + reach),
    lengths,
    p: (1 + extreme) / (1 + rounds),
  };
}

/**
 * Compares the effect of changes of the test on each model, at the lengths that both matrices have. A row has no difference if
 * they share fewer than two lengths.
 *
 * @param changes Such as `temperature 0 less 1`, with the matrices on both sides in the order of the models.
 */
export function modelStarChanges(
  models: readonly string[],
  changes: readonly {
    readonly change: string;
    readonly first: readonly StarPanel[];
    readonly second: readonly StarPanel[];
  }[],
  options: { readonly seed: string },
): StarChangeRow[] {
  return changes.flatMap(({ change, first, second }) =>
    models.map((model, at): StarChangeRow => {
      const [before, after] = [first[at]?.columns ?? [], second[at]?.columns ?? []];
      const lengths = before.filter(({ length }) => after.some((column) => column.length === length)).length;
      return lengths < 2
        ? { change, model, lengths, difference: null, low: null, high: null, p: null }
        : { change, model, ...panelDifference(first[at]!, second[at]!, options) };
    })
  );
}

/** Returns the effects of changes of the test on each model. */
export function starChangeTable(changes: readonly StarChangeRow[], options: StarFigureOptions): Table {
  return table(changes, {
    ...options,
    caption: "Accuracy of the first less that of the second; p swaps the two columns of a length at random.",
    interval: "95% interval over lengths",
    columns: [
      { field: "change", label: "Change" },
      { field: "model", label: "Model" },
      { field: "lengths", label: "Lengths" },
      { field: "difference", label: "Difference", digits: 3, low: "low", high: "high" },
      { field: "p", label: "p", digits: 4 },
    ],
  });
}
