import { atLevel, type ScoreWithInterval } from "./intervals.ts";

/** Fewer independent units support no interval: four right answers of four are compatible with a true score of 48%. */
const LEAST_UNITS = 5;

/** Returns the number of independent units of a result if they are too few for an interval, and otherwise `null`. */
function fewUnits({ n, units = n ?? undefined }: Parameters<typeof unitsText>[0][number]): number | null {
  return typeof units === "number" && units > 0 && units < LEAST_UNITS ? units : null;
}

/**
 * Returns an interval as it is stated in a text, table or chart: its ends are `null` for fewer than five independent units, whose
 * result is about them alone.
 */
export function statedInterval(
  row: Readonly<Record<"low" | "high", number | null>> & Parameters<typeof unitsText>[0][number],
): Readonly<Record<"low" | "high", number | null>> {
  const { low, high } = row;
  return fewUnits(row) === null ? { low, high } : { low: null, high: null };
}

function aboutTexts(least: number, most = least): string {
  if (most === 1) return "about this text only";
  return `about these ${least === most ? most : `${least} to ${most}`} texts only`;
}

/**
 * Returns the phrase of some intervals for a note: over the samples, or over fewer units that several samples share; and how many
 * texts the results without an interval are about.
 */
export function unitsText(
  rows: readonly { readonly n?: number | null; readonly units?: number | undefined }[],
  interval = "95% interval in brackets",
): string {
  const few = rows.map(fewUnits).filter((units) => units !== null);
  const about = few.length === 0 ? "" : aboutTexts(Math.min(...few), Math.max(...few));
  const others = rows.filter((row) => fewUnits(row) === null);
  if (few.length > 0 && others.length === 0) return about;
  const shared = others.flatMap(({ n, units = n ?? 0 }) => n && units < n ? [{ units, each: n / units }] : []);
  const range = (of: "units" | "each"): string => {
    const [least, most] = [Math.min, Math.max].map((end) =>
      end(...shared.map((row) => row[of])).toLocaleString("en", { maximumFractionDigits: 1 })
    );
    return least === most ? least! : `${least} to ${most}`;
  };
  const over = shared.length === 0
    ? ""
    : `, over ${range("units")} questions or texts with ${range("each")} samples each`;
  return `${interval}${over}${about === "" ? "" : `; a result without one is ${about}`}`;
}

/**
 * Widens the intervals of scores, so that those of the differences of one of them from all others hold together (Bonferroni). Scores
 * of too few units for an interval can be anything.
 */
export function widened<Score extends ScoreWithInterval & Parameters<typeof unitsText>[0][number]>(
  scores: readonly Score[],
): readonly Score[] {
  return scores.map((score) => {
    if (fewUnits(score) !== null) return { ...score, low: 0, high: 100 };
    return scores.length < 3 ? score : atLevel(score, 1 - 0.05 / (scores.length - 1));
  });
}
