import type { CertificateRule } from "./decision.ts";
import { cellName, type CertificateDesign, type DroppedCell, type MixCell, ruleOf } from "./design.ts";
import { expectedPairs } from "./expected_pairs.ts";
import { type Asking, askRun, lookOf } from "./session.ts";
import { defined, mean } from "@/lib/base/mod.ts";
import { findRefusal } from "@/lib/scorers/mod.ts";
import type { TaskChoice } from "@/lib/generators/mod.ts";
import { type Benchmark, chosenTasks, findFamily } from "@/lib/benchmarks/mod.ts";
import { makeTasks, type Plan, type Study } from "@/lib/studies/mod.ts";
import { isUnfinished, priceOfRecords, type ScoredReply } from "@/lib/records/mod.ts";
import { type AskedSample, nameOf, type SampleName } from "@/lib/asking/mod.ts";

/** A task at its settings, from the given one to easier ones. */
interface Ladder {
  readonly task: string;
  readonly rungs: readonly TaskChoice[];
}

/** The most easier settings. */
const MOST_TURNS = 8;

/** The chance of "no worse" that a mix should have if nothing is lost. */
const LIKELY = 0.8;

/** Returns the settings of each task of a study; `set` are knobs of every task that has them. */
function buildLadders(
  { tasks, variant }: Pick<Study, "tasks" | "variant">,
  { benchmarks, turns, set }: {
    readonly benchmarks: readonly Benchmark[];
    readonly turns: boolean;
    readonly set: Readonly<Record<string, string | number>>;
  },
): readonly Ladder[] {
  return tasks.flatMap((choice) => chosenTasks(choice, benchmarks)).map((choice): Ladder => {
    const family = findFamily(choice.task, benchmarks);
    const able = Object.entries(set).filter(([knob]) => Object.hasOwn(family?.knobs ?? {}, knob));
    const own = able.length === 0 ? choice : { ...choice, knobs: { ...choice.knobs, ...Object.fromEntries(able) } };
    const name = own.name ?? own.task;
    // An unknown task is refused when the study is opened.
    if (!turns || family === undefined) return { task: name, rungs: [own] };
    const [given] = makeTasks({ tasks: [own], variant }, benchmarks);
    const rungs: TaskChoice[] = [own];
    for (let task = given; rungs.length <= MOST_TURNS;) {
      task = task?.turn?.("easier")?.task;
      if (task === undefined) break;
      const turned = Object.entries(task.options).filter(([knob, value]) => given!.options[knob] !== value);
      const named = [name, ...turned.map(([knob, value]) => `${knob}=${value}`)].join(" ");
      // A knob can show a word that its task chose a value for, such as `auto`.
      const knobs = Object.entries(task.options).filter(([knob, value]) => family.knobs[knob]?.read(value) === value);
      rungs.push({ task: family.name, name: named, knobs: Object.fromEntries(knobs) });
    }
    return { task: name, rungs };
  });
}

/** Where the calibration of a task at a length has come to. */
type Walk =
  | { readonly kind: "ask"; readonly task: string; readonly length: number }
  | { readonly kind: "kept"; readonly cell: Omit<MixCell, "weight"> }
  | { readonly kind: "dropped"; readonly cell: DroppedCell };

/** Follows the settings of a task at a length as far as their scores are known. */
function walk(
  { task, rungs }: Ladder,
  length: number,
  { rule, scores: asked, fitting }: Pick<Calibrating, "rule"> & {
    readonly scores: ReadonlyMap<string, readonly AskedSample[]>;
    readonly fitting: ReadonlySet<string>;
  },
): Walk {
  const tried: DroppedCell["tried"][number][] = [];
  const drop = (reason: string): Walk => ({ kind: "dropped", cell: { task, length, reason, tried } });
  for (const { task: family, name = family } of rungs) {
    const cell = cellName({ task: name, length });
    if (!fitting.has(cell)) {
      return drop(tried.length === 0 ? "does not fit" : "floor, and the next setting does not fit");
    }
    const scores = asked.get(cell) ?? [];
    if (scores.length < rule.samples) return { kind: "ask", task: name, length };
    const known = scores.flatMap(({ value }) => value ?? []);
    const [n, score] = [known.length, known.length === 0 ? null : 100 * mean(known)];
    tried.push({ task: name, score, n });
    if (score === null || n < scores.length / 2) return drop("failed calls");
    if (score > rule.high) return drop("ceiling");
    if (score < rule.low) continue;
    const flips = rule.measure === undefined ? forecastFlips(score, n) : PROBABILITY_SPREAD;
    return { kind: "kept", cell: { task: name, length, score, n, flips } };
  }
  return drop("floor");
}

/**
 * Forecasts the share of scores that a harmless change flips, in percent: a quarter of the `2 p (1 - p)` of two replies that have
 * nothing to do with each other. The score `p` has one sample more of each kind, so that a few right replies do not prove a ceiling.
 */
export function forecastFlips(score: number, n: number): number {
  const p = (n * score / 100 + 1) / (n + 2);
  return 50 * p * (1 - p);
}

/** Returns the forecast share of pairs that differ if nothing is lost, in percent. */
export function flipsOfMix(mix: readonly MixCell[]): number {
  return mean(mix, ({ flips = 0 }) => flips);
}

/**
 * Leaves out the cells with the most forecast flips, half of them at most, if "no worse" is likely within the pairs only without
 * them. They are chosen by the base alone, before the change is asked.
 */
export function affordableCells(
  mix: readonly MixCell[],
  rule: Omit<CertificateRule, "cells">,
): { readonly mix: readonly MixCell[]; readonly dropped: readonly DroppedCell[] } {
  if (rule.method === "fixed") return { mix, dropped: [] };
  const isLikely = (kept: readonly MixCell[]): boolean => {
    const discordance = flipsOfMix(kept);
    return expectedPairs(ruleOf({ ...rule, flips: discordance, mix: kept }), { discordance }).noWorse >= LIKELY;
  };
  const quietest = mix.toSorted((one, other) => one.flips! - other.flips!);
  let kept = quietest.length;
  while (kept >= mix.length / 2 && !isLikely(quietest.slice(0, kept))) kept--;
  if (kept < mix.length / 2) return { mix, dropped: [] };
  const noisy = new Set(quietest.slice(kept));
  const reason = `more pairs than ${rule.samples}, as many replies flip without a loss`;
  return {
    mix: mix.filter((cell) => !noisy.has(cell)),
    dropped: [...noisy].map(({ task, length, score, n }) => ({ task, length, reason, tried: [{ task, score, n }] })),
  };
}

interface Calibrating {
  readonly ladders: readonly Ladder[];
  readonly lengths: readonly number[];
  readonly rule: CertificateDesign["calibration"] & Pick<Study, "measure">;
}

/** The forecast mean square of a harmless change of the probability of an answer, in percent: 5 points. */
const PROBABILITY_SPREAD = 0.25;

function walkAll(
  asked: readonly AskedSample[],
  { cells }: Pick<Plan, "cells">,
  { ladders, lengths, rule }: Calibrating,
): readonly Walk[] {
  const scores = Map.groupBy(asked, cellName);
  const fitting = new Set(cells.map(({ task, length }) => cellName({ task: task.name, length })));
  return lengths.flatMap((length) => ladders.map((ladder) => walk(ladder, length, { rule, scores, fitting })));
}

/** Returns the samples that a calibration asks next; none at its end. A pure function of the scores, so that it can resume. */
export function nextOfCalibration(
  asked: readonly AskedSample[],
  plan: Pick<Plan, "cells">,
  calibrating: Calibrating,
): readonly SampleName[] {
  const done = new Set(asked.map(nameOf));
  return walkAll(asked, plan, calibrating).flatMap((found): readonly SampleName[] => {
    if (found.kind !== "ask") return [];
    const { task, length } = found;
    return Array.from({ length: calibrating.rule.samples }, (_, index) => ({ task, length, index }))
      .filter((name) => !done.has(nameOf(name)));
  });
}

/** Returns the cells that a calibration keeps, with equal weights, and those that it drops with the reason. */
export function readCalibration(
  replies: readonly ScoredReply[],
  plan: Pick<Plan, "cells">,
  calibrating: Calibrating,
): { readonly mix: readonly MixCell[]; readonly dropped: readonly DroppedCell[] } {
  const asked = replies.map(({ task, length, value, record }) => ({ task, length, value, index: record.index }));
  const found = walkAll(asked, plan, calibrating);
  const mix = found.flatMap((each) => each.kind === "kept" ? [{ ...each.cell, weight: 1 }] : []);
  const dropped = found.flatMap((each): DroppedCell[] => {
    if (each.kind !== "dropped") return [];
    const { task, length, tried, reason } = each.cell;
    const last = tried.at(-1)?.task ?? task;
    const ofCell = replies.filter((reply) => reply.task === last && reply.length === length);
    return [{ ...each.cell, reason: reason === "ceiling" ? reason : lossOf(ofCell) ?? reason }];
  });
  // Two settings of different tasks can be the same task.
  const twice = new Set(mix.map(cellName));
  return { mix: mix.filter((cell) => twice.delete(cellName(cell))), dropped };
}

/** Why at least half of the replies of a cell could not be right; `undefined` if they are simply wrong. */
function lossOf(replies: readonly ScoredReply[]): string | undefined {
  const reasons: readonly (readonly [reason: string, is: (reply: ScoredReply) => boolean])[] = [
    ["overflow: prompts exceed the window", ({ refused = false }) => refused],
    ["failed calls", ({ failed }) => failed],
    ["truncated replies: the output budget ends them", isUnfinished],
    ["refusals", ({ record: { reply } }) => reply.kind === "answer" && findRefusal(reply.text) !== null],
  ];
  return reasons.find(([, is]) => replies.length > 0 && 2 * replies.filter(is).length >= replies.length)?.[0];
}

/** A calibration at its end. */
export interface Calibrated extends Pick<CertificateDesign, "mix" | "dropped"> {
  readonly replies: readonly ScoredReply[];
  /** The study with every setting that was tried. */
  readonly study: Study;
  /** The cost of its calls, in the currency of the prices. */
  readonly spent: number;
}

/** Asks the base a few samples of each cell, at settings where its scores can move. */
export async function calibrate(study: Study, options: Asking): Promise<Calibrated | null> {
  const { base, aim, benchmarks, turns, maxCost, onProgress } = options;
  const { questions } = aim;
  const rule = { ...aim.calibration, ...defined({ measure: study.measure }) };
  // A question of its own at each length makes pairs independent.
  const set = { ...questions > 1 && { questions }, fresh: "on" };
  const ladders = buildLadders(study, { benchmarks, turns, set });
  const all = { ...study, tasks: ladders.flatMap(({ rungs }) => rungs), first: 0, samples: rule.samples };
  const calibrating = { ladders, lengths: [...new Set(study.lengths)].sort((one, other) => one - other), rule };
  const run = await askRun(all, options, base.name, {
    ...defined({ maxCost }),
    name: "calibration",
    model: base.model,
    choose: (asked, plan) => nextOfCalibration(asked, plan, calibrating),
    onServer: lookOf(base.name, options),
    onProgress: (progress) => onProgress?.("calibrating the base", progress),
  });
  if (options.stop.aborted) return null;
  const { mix, dropped } = readCalibration(run.replies, run.plan, calibrating);
  if (mix.length === 0) {
    const reasons = dropped.map(({ task, length, reason }) => `${task} at ${length}: ${reason}`).join("; ");
    throw new RangeError(
      `Cannot certify a change as the base must score ${rule.low} to ${rule.high}% in at least one task at a length: current value is none (${reasons}). Try other lengths, --tasks with other knobs, or a wider --between`,
    );
  }
  const spent = maxCost === undefined ? 0 : priceOfRecords(run.records, maxCost.prices);
  const chosen = affordableCells(mix, aim);
  return { mix: chosen.mix, dropped: [...dropped, ...chosen.dropped], replies: run.replies, study: all, spent };
}
