import { type Label, readLabels, shareText } from "./_labels.ts";
import { integer, stream } from "@/lib/random/mod.ts";
import { cohenKappa } from "@/lib/statistics/mod.ts";
import { FAILURE_CLASSES } from "@/lib/statistics/failures/mod.ts";

/** A reply with the labels that two readers gave it without seeing each other's. */
export interface TwiceRead {
  readonly id: string;
  readonly first: Label;
  readonly second: Label;
}

/** How far two readings agree on the primary class. */
export interface Agreement {
  readonly same: number;
  readonly n: number;
  /** Cohen's kappa with its 95% interval (bootstrap over replies). */
  readonly kappa: { readonly score: number; readonly low: number; readonly high: number };
}

const DRAWS = 2000;

/** Pairs the labels of both readings, in the order of the first. */
export async function readBoth(): Promise<TwiceRead[]> {
  const second = new Map((await readLabels("second_pass.jsonl")).map((label) => [label.id, label]));
  return (await readLabels("first_pass.jsonl")).map((first) => ({
    id: first.id,
    first,
    second: second.get(first.id)!,
  }));
}

/** Compares the primary classes of two readings. */
export function compareReadings(read: readonly TwiceRead[]): Agreement {
  const pairs = read.map(({ first, second }): [number, number] => [gradeOf(first), gradeOf(second)]);
  const draw = stream("agreement of labels", pairs.length);
  const kappas = Array.from(
    { length: DRAWS },
    () => kappaOf(pairs.map(() => pairs[integer(draw, { low: 0, high: pairs.length - 1 })]!)),
  )
    .sort((left, right) => left - right);
  return {
    same: pairs.filter(([first, second]) => first === second).length,
    n: pairs.length,
    kappa: { score: kappaOf(pairs), low: kappas[DRAWS * 0.025]!, high: kappas[DRAWS * 0.975 - 1]! },
  };
}

function gradeOf({ labels }: Label): number {
  return FAILURE_CLASSES.indexOf(labels[0]!) + 1;
}

function kappaOf(pairs: readonly (readonly [number, number])[]): number {
  // Both readers giving one class only is full agreement.
  return cohenKappa(pairs, { grades: FAILURE_CLASSES.length, weights: "same" }) ?? 1;
}

/** The agreement of the two readings, in words and tables. */
export function readingsText(read: readonly TwiceRead[]): string {
  const rows = ([
    ["all replies", read],
    ["read closely both times", read.filter(({ second }) => !second.quick)],
    ["read quickly the second time", read.filter(({ second }) => second.quick)],
    ["certain for both readers", read.filter(({ first, second }) => first.certain && second.certain)],
    ["doubtful for one reader or both", read.filter(({ first, second }) => !(first.certain && second.certain))],
  ] as const).map(([title, part]) => {
    const { same, n, kappa } = compareReadings(part);
    const [score, low, high] = [kappa.score, kappa.low, kappa.high].map((each) => each.toFixed(2));
    return `| ${title} | ${n} | ${shareText(same, n)} | ${score} (${low} to ${high}) |`;
  });
  return [
    "| replies | number | same primary class, % | Cohen's kappa |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    "Most frequent differences of the primary class:",
    "",
    "| first reading | second reading | replies |",
    "| --- | --- | --- |",
    ...listDifferences(read).map(([classes, count]) => `| ${classes} | ${count} |`),
  ].join("\n");
}

/** Pairs of different primary classes that occur at least twice, the most frequent first. */
function listDifferences(read: readonly TwiceRead[]): [classes: string, count: number][] {
  const different = read.filter(({ first, second }) => first.labels[0] !== second.labels[0]);
  const groups = Map.groupBy(different, ({ first, second }) => `${first.labels[0]} | ${second.labels[0]}`);
  return Array.from(groups, ([classes, part]): [string, number] => [classes, part.length])
    .filter(([, count]) => count > 1).sort((left, right) => right[1] - left[1]);
}
