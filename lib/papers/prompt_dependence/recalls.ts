import { averageEvidence, openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { type Evidence, type ScoreWithInterval, unitsText } from "@/lib/statistics/mod.ts";

/** The names of the paper's three tests by their tasks, in the order of Table 5. */
export const TESTS: ReadonlyMap<string, string> = new Map([
  ["recall_thornfield", "Thornfield Hollow"],
  ["recall_san_francisco", "San Francisco"],
  ["recall_pistachio", "PistachioAI"],
]);

/** Reads the published scores. The prompts of a model share one text, so that no score has an interval. */
export async function openRecallScores(): Promise<readonly Evidence[]> {
  return (await openEvidence("prompt_dependence")).map((row) => ({ ...row, low: null, high: null }));
}

/** Keeps Table 5: the recall of each model on each test, which is the sum of grades in percent of the most there can be. */
export function recallTable(rows: readonly Evidence[]): readonly Evidence[] {
  return rows.filter(({ length }) => length === null);
}

export type RecallCell = Evidence & Readonly<Record<"length" | "depth", number>>;

/** Keeps two panels of Figure 3, read from a picture: Mistral 7B v0.1 and v0.2 on Thornfield Hollow, a reply a cell. */
export function recallCells(rows: readonly Evidence[]): readonly RecallCell[] {
  return rows.filter(isCell).filter(({ task }) => TESTS.has(task));
}

/** Averages Kamradt's scores of GPT-4 Turbo (128K) and Claude 2.1 (200K) at each length and depth. */
export function kamradtCells(rows: readonly Evidence[]): readonly RecallCell[] {
  const scores = rows.filter(({ task }) => !TESTS.has(task));
  return averageEvidence(scores, ({ model, length, depth }) => `${model} ${length} ${depth}`).filter(isCell);
}

function isCell(row: Evidence): row is RecallCell {
  return row.length !== null && row.depth !== null;
}

/** Lists the rows of the three tests with the tests' names as tasks, in the order of Table 5. */
export function nameTests<Row extends { readonly task: string }>(rows: readonly Row[]): readonly Row[] {
  return [...TESTS].flatMap(([task, test]) =>
    rows.filter((row) => row.task === task).map((row) => ({ ...row, task: test }))
  );
}
export function listPrecisely(items: readonly (readonly [string, number])[]): string {
  return items.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(", ");
}

export function signed(value: number, digits = 2): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
}

/** Writes a difference with its sign: `+3.2 points (95% interval −1.0 to +7.4)`. */
export function signedPoints(difference: ScoreWithInterval & { readonly units?: number }): string {
  const { score, low, high } = difference;
  const interval = `95% interval ${signed(low, 1)} to ${signed(high, 1)}`;
  return `${signed(score, 1)} points (${unitsText([difference], interval)})`;
}
