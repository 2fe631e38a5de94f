import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { BENCHMARKS, findFamily, findScorer } from "@/lib/benchmarks/mod.ts";
import type { ChatTemplate, Sample } from "@/lib/generators/mod.ts";
import { makeTasks, openStudy, type Study } from "@/lib/studies/mod.ts";
import { type RunRecord, scoreRecords } from "@/lib/records/mod.ts";
import { wilsonInterval } from "@/lib/statistics/mod.ts";
import {
  classifyFailure,
  FAILURE_CLASSES,
  type FailureClass,
  type FailureMode,
} from "@/lib/statistics/failures/mod.ts";

/** A reply that was labelled, with all that its sample is made from. */
export interface LabelledReply {
  /** Model, sample and the start of the reply's SHA-256. */
  readonly id: string;
  /** The study of its run, with its own task alone. */
  readonly study: Study;
  readonly template: ChatTemplate;
  readonly record: RunRecord;
}

/** What a person found in a wrong reply. */
export interface Label {
  readonly id: string;
  /** The causes, in the order of `FAILURE_CLASSES`: the first is the primary one. */
  readonly labels: readonly FailureClass[];
  /** The labels as written; some are finer than the failure classes. */
  readonly finer: readonly string[];
  readonly certain: boolean;
  readonly note?: string;
  /** In which round it was labelled, from 1; the first unless given. */
  readonly round?: number;
  /** Whether it was read quickly, among others of its kind. */
  readonly quick?: boolean;
}

/** A labelled reply with what the classifier says of it. */
export interface Judged extends Label {
  readonly model: string;
  readonly benchmark: string;
  readonly isHeldOut: boolean;
  readonly sample: Sample;
  readonly text: string;
  readonly modes: readonly FailureMode[];
}

const FOLDER = new URL("../../data/measured/labels/", import.meta.url);

/** Returns the settled labels, or those of one reading, in the file's order; none if there is no file. */
export async function readLabels(file = "labels.jsonl"): Promise<Label[]> {
  const text = await Deno.readTextFile(new URL(file, FOLDER)).catch(() => "");
  return readLines<Label>(text).map((label) => ({ ...label, finer: label.labels, labels: mergeLabels(label.labels) }));
}

/** The class that each finer label of the labellers belongs to. */
const MERGED: Readonly<Record<string, FailureClass>> = {
  "example copied": "copied",
  "context copied": "copied",
  "closed-book answer": "prior knowledge",
  "frequent words": "prior knowledge",
  "other chain": "distractor",
  "less frequent word": "distractor",
  "wrong result": "other answer",
  "near miss": "other answer",
  "not in context": "other answer",
  "other text": "other answer",
  "rambling": "wrong format",
  "partial value": "incomplete answer",
  "cut off": "incomplete answer",
  "chain lost": "incomplete answer",
  "incomplete list": "incomplete answer",
  "repeated answer": "incomplete answer",
};

function mergeLabels(labels: readonly string[]): FailureClass[] {
  const merged = labels.map((label) => MERGED[label] ?? label);
  return FAILURE_CLASSES.filter((name) => merged.includes(name));
}

/** Classifies every labelled reply anew; its sample is made again and must be the text that was asked. */
export function judgeLabelled(): Promise<Judged[]> {
  judged ??= judgeAll();
  return judged;
}

let judged: Promise<Judged[]> | undefined;

async function judgeAll(): Promise<Judged[]> {
  const labels = await readLabels();
  const packed = await Deno.readFile(new URL("replies.jsonl.gz", FOLDER));
  const replies = new Map(
    readLines<LabelledReply>(gunzipSync(packed).toString()).map((reply) => [reply.id, reply]),
  );
  const judged: Judged[] = [];
  for (const label of labels) {
    const reply = replies.get(label.id);
    if (reply === undefined) throw new RangeError(`Cannot judge ${label.id} as its reply must be in replies.jsonl.gz`);
    const each = await judge(label, reply);
    if (each !== null) judged.push(each);
  }
  return judged;
}

/** Judges a reply; `null` if it is right by its benchmark's present score, as those that only rambled to the former rubric are. */
async function judge(label: Label, { study, template, record }: LabelledReply): Promise<Judged | null> {
  const sample = await remake({ study, template, record });
  const { model, reply, scoring } = record;
  const [scored] = scoreRecords([record]);
  if (reply.kind === "failure" || scored!.value === null) {
    throw new RangeError(`Cannot judge ${label.id} as its reply must have a score: current value is none`);
  }
  if (scored!.value === 1) return null;
  const modes = classifyFailure(sample, { reply, value: scored!.value, rule: findScorer(scoring) });
  return {
    ...label,
    model,
    benchmark: suiteName(record),
    isHeldOut: isHeldOut(label),
    sample,
    text: reply.text,
    modes,
  };
}

const opened = new Map<string, ReturnType<typeof openStudy>>();

/** Makes the sample of a labelled reply again. */
async function remake({ study, template, record }: Omit<LabelledReply, "id">): Promise<Sample> {
  const { essays, tokenizer } = study;
  const key = JSON.stringify([essays, tokenizer]);
  if (!opened.has(key)) opened.set(key, openStudy(study));
  const { materials } = await opened.get(key)!;
  const { length, seed, index, sha256, suite } = record;
  const chosen = study.tasks.map((choice) => {
    const { earlier } = findFamily(choice.task) ?? {};
    return earlier?.suite === suite ? { ...choice, knobs: { ...earlier.knobs, ...choice.knobs } } : choice;
  });
  const task = makeTasks({ ...study, tasks: chosen }).find(({ name }) => name === record.task)!;
  const sample = task.sample({ length, seed, index, materials, template });
  if (sample.sha256 === sha256) return sample;
  throw new RangeError(
    `Cannot judge ${record.sample} as its sample must be the text that was asked: it is another now`,
  );
}

/**
 * Whether a reply is held out: half of those labelled in the second round, by the hash of its id. The others were looked at while
 * the classifier was changed.
 */
export function isHeldOut({ id, round = 1 }: Pick<Label, "id" | "round">): boolean {
  return round === 2 && parseInt(createHash("sha256").update(id).digest("hex").slice(0, 8), 16) % 2 === 0;
}

function suiteName({ suite }: RunRecord): string {
  return BENCHMARKS.find(({ families }) => families.some((family) => family.suites.includes(suite!)))!.name;
}

function readLines<Line>(text: string): Line[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** How well one class is found. */
export interface ClassAccuracy {
  readonly class: FailureClass;
  /** Replies with this label. */
  readonly labelled: number;
  /** Replies that the classifier gives this class. */
  readonly told: number;
  readonly both: number;
}

/** Counts labels and classes, each reply with all it shows. */
export function classAccuracy(judged: readonly Judged[]): ClassAccuracy[] {
  return FAILURE_CLASSES.map((name) => {
    const isLabelled = ({ labels }: Judged): boolean => labels.includes(name);
    const isTold = ({ modes }: Judged): boolean => modes.some((mode) => mode.class === name);
    return {
      class: name,
      labelled: judged.filter(isLabelled).length,
      told: judged.filter(isTold).length,
      both: judged.filter((each) => isLabelled(each) && isTold(each)).length,
    };
  }).filter(({ labelled, told }) => labelled + told > 0);
}

/** Replies whose primary class is the primary label. */
export function countAgreed(judged: readonly Judged[]): number {
  return judged.filter(({ labels, modes }) => labels[0] === modes[0]?.class).length;
}

/** A share in percent with its 95% interval (Wilson). */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return "–";
  const { low, high } = wilsonInterval(part, whole);
  const percent = (share: number): string => (100 * share).toFixed(0);
  return `${percent(part / whole)} (${percent(low)} to ${percent(high)})`;
}

/** How well classes agree with labels, in words and tables, the replies held out apart. */
export function reportText(judged: readonly Judged[]): string {
  const parts = [
    ["All replies", judged],
    ["Replies looked at while the classifier was changed", judged.filter(({ isHeldOut }) => !isHeldOut)],
    ["Replies held out", judged.filter(({ isHeldOut }) => isHeldOut)],
  ] as const;
  return parts.map(([title, part]) => `## ${title}\n\n${agreementText(part)}\n\n${accuracyTable(part)}`).join("\n\n");
}

function agreementText(judged: readonly Judged[]): string {
  const agreed = (part: readonly Judged[]): string => `${shareText(countAgreed(part), part.length)}% of ${part.length}`;
  const certain = judged.filter((each) => each.certain);
  const by = (key: "model" | "benchmark"): string =>
    Array.from(Map.groupBy(judged, (each) => each[key]), ([name, part]) => `${name}: ${agreed(part)}`).join("; ");
  return [
    `Primary class as labelled: ${agreed(judged)}; where the label is certain, ${agreed(certain)}.`,
    `${by("model")}.`,
    `${by("benchmark")}.`,
  ].join("\n\n");
}

function accuracyTable(judged: readonly Judged[]): string {
  const rows = classAccuracy(judged).map(({ class: name, labelled, told, both }) =>
    `| ${name} | ${labelled} | ${told} | ${shareText(both, told)} | ${shareText(both, labelled)} |`
  );
  return [
    "| class | labelled | told | precision, % | recall, % |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
