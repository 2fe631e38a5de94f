import { answeredSamples, type RunRecord } from "@/lib/records/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
export { inFolder as withFolder } from "../_folder.ts";
import { runPlan } from "@/lib/asking/run_plan.ts";
import { openStore } from "@/lib/records/store.ts";
import { createHash } from "node:crypto";
import { PLAIN_TEMPLATE, type Sample, type SampleRequest, type Task, userPrompt } from "@/lib/generators/mod.ts";
import type { FailureKind, Model, Reply } from "@/lib/models/mod.ts";
import { checkStudy, type OpenStudy, type Plan, planStudy, type RunHeader, type Study } from "@/lib/studies/mod.ts";

/** A task whose samples are a sum each: quick to make, and right or wrong at a glance. */
export function sumTask(options: { readonly name?: string; readonly least?: number } = {}): Task {
  const { name = "sum", least = 300 } = options;
  return {
    suite: "fake-1",
    name,
    category: "aggregation",
    options: {},
    answerRoom: 16,
    scorer: allFound,
    leastLength: () => least,
    words: () => ({ before: "What is it?", after: null, answerPrefix: "" }),
    sample: ({ length, seed, index }: SampleRequest): Sample => {
      const user = `What is ${length} + ${index}?`;
      return {
        id: `fake-1/${name}/${length}/${seed}/${index}`,
        suite: "fake-1",
        task: name,
        index,
        length,
        promptTokens: length - 20,
        answerRoom: 16,
        prompt: userPrompt(user),
        question: user,
        references: [String(length + index)],
        facts: [],
        sha256: createHash("sha256").update(user).digest("hex"),
      };
    },
  };
}

/** What a plan of tasks without materials is made of. */
export interface PlanParts {
  readonly tasks: readonly Task[];
  readonly lengths: readonly number[];
  readonly samples: number;
  readonly first?: number;
  readonly repeats?: number;
  readonly samplesAt?: Readonly<Record<string, number>>;
}

/** Plans tasks that use no materials. */
export function planTasks({ tasks, ...parts }: PlanParts): Plan {
  const study = { first: 0, seed: "s", ...parts } as unknown as Study;
  const opened: OpenStudy = { study, tasks, materials: {} as OpenStudy["materials"], benchmarks: [] };
  return planStudy(opened, { template: PLAIN_TEMPLATE });
}

/** Three samples of two tasks at two lengths: twelve questions. */
export function smallPlan(
  options: { readonly samples?: number; readonly lengths?: readonly number[] } = {},
): Plan {
  const { samples = 3, lengths = [512, 1024] } = options;
  const tasks = [sumTask(), sumTask({ name: "other" })];
  return planTasks({ tasks, lengths, samples });
}

/** The header of a run of the small plan. */
export function smallHeader(changes: Partial<RunHeader> = {}): RunHeader {
  return {
    study: checkStudy({ tasks: ["sum", "other"], lengths: [512, 1024], samples: 3, seed: "s" }),
    tasks: {
      sum: { suite: "fake-1", scoring: "all", options: {} },
      other: { suite: "fake-1", scoring: "all", options: {} },
    },
    materials: { tokenizer: "cl100k_base", essays: "essays_en", oneHop: "world_one_hop", twoHop: "world_two_hop" },
    model: "fake",
    origin: "measured",
    settings: { temperature: 0 },
    template: PLAIN_TEMPLATE,
    ...changes,
  };
}

/** A model that remembers what it was asked. */
export interface FakeModel extends Model {
  /** The ids of the samples it answered, in order. */
  readonly answered: string[];
  /** The ids of the samples it was asked, in order. */
  readonly asked: string[];
  /** The most calls that were under way at a time. */
  readonly busiest: () => number;
}

/** Makes a model that knows every sum; `fail` gives the kind of failure of a call, by its number from 0. */
export function fakeModel(
  options: {
    readonly fail?: (call: number) => FailureKind | undefined;
    readonly turns?: (call: number) => number;
  } = {},
): FakeModel {
  const { fail = () => undefined, turns = () => 1 } = options;
  const answered: string[] = [];
  const asked: string[] = [];
  let underWay = 0;
  let busiest = 0;
  return {
    name: "fake",
    origin: "measured",
    settings: { temperature: 0 },
    template: PLAIN_TEMPLATE,
    answered,
    asked,
    busiest: () => busiest,
    async ask(sample, signal): Promise<Reply> {
      const call = asked.push(sample.id) - 1;
      busiest = Math.max(busiest, ++underWay);
      for (let turn = 0; turn < turns(call) && !signal?.aborted; turn++) await new Promise((go) => setTimeout(go));
      underWay--;
      // Some models reject when their signal ends a call, others give a failure.
      if (call % 2 === 0) signal?.throwIfAborted();
      const failure = signal?.aborted ? "connection" : fail(call);
      if (failure) return { kind: "failure", failure, message: "no\nluck", latencyMs: 1, attempts: 1 };
      answered.push(sample.id);
      return { kind: "answer", text: sample.references[0]!, finishReason: "stop", latencyMs: 2, attempts: 1 };
    },
  };
}

/** Records a run of the small plan. */
export async function recordRun(
  folder: string,
  { name = "run", model = fakeModel(), plan = smallPlan() } = {},
): Promise<void> {
  const store = await openStore(name, smallHeader(), { folder });
  await runPlan(plan, { model, store });
  await store.close();
}

/** Gives a run the manifest that it has when it is killed: from before its first record. */
export async function asKilled(folder: string, name = "run"): Promise<void> {
  const path = `${folder}/${name}/manifest.json`;
  const { records: _, ...manifest } = JSON.parse(await Deno.readTextFile(path));
  await Deno.writeTextFile(path, JSON.stringify({ ...manifest, samples: answeredSamples([]) }));
}

/** Returns the lines of a run's file of records. */
export async function recordsIn(folder: string, name = "run"): Promise<readonly RunRecord[]> {
  const text = await Deno.readTextFile(`${folder}/${name}/records.jsonl`);
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}
