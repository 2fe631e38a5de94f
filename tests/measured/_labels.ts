import { createHash } from "node:crypto";
import type { ChatTemplate, Task } from "@/lib/generators/mod.ts";
import type { RunRecord } from "@/lib/models/mod.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import type { FailureClass } from "@/lib/statistics/mod.ts";

/** A reply that was labelled, with all that its sample is made from. */
export interface LabelledReply {
  readonly id: string;
  readonly benchmark: string;
  /** The knobs of its task, as its run's manifest lists them. */
  readonly options: Task["options"];
  readonly template: ChatTemplate;
  readonly record: RunRecord;
}

/** What a person found in a wrong reply. */
export interface Label {
  /** Model, sample and the start of the reply's SHA-256. */
  readonly id: string;
  /** The causes, in the order of `FAILURE_CLASSES`: the first is the primary one. */
  readonly labels: readonly FailureClass[];
  readonly certain: boolean;
  readonly note?: string;
}

const LABELS = new URL("../../data/measured/labels/", import.meta.url);

/** The labels, in the file's order; none where there is no file yet. */
export async function readLabels(): Promise<Label[]> {
  const text = await Deno.readTextFile(new URL("labels.jsonl", LABELS)).catch(() => "");
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Names a reply: two runs that got the same text from the same model have the same id. */
export function replyId({ model, sample, reply }: RunRecord): string {
  const text = reply.kind === "answer" ? reply.text : "";
  return `${model}/${sample}/${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}

/** The name of the benchmark that a record is of. */
export function suiteName({ suite }: RunRecord): string {
  return BENCHMARKS.find(({ families }) => families.some((family) => family.suite === suite))!.name;
}
