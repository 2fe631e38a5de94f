/**
 * How fast samples are made, as ratios: to counting their tokens once by gpt-tokenizer, which is what a generator without counts
 * that add up has to do, and to the benchmark's own code. `deno task bench` prints them; with `--check` it fails where a ratio has
 * fallen by a third below the recorded one, with `--record` it records them.
 *
 * Ratios hold on another machine, and on a busy one: what they compare is measured at the same time.
 */
import { parseArgs } from "node:util";
import process from "node:process";
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import { lengthText, readLengthText } from "@/lib/base/mod.ts";
import { type Task, userText } from "@/lib/generators/mod.ts";
import { checkStudy, makeTasks, type OpenMaterials, openMaterials } from "@/lib/studies/mod.ts";

/** Ratios by task and length. */
type Ratios = Record<string, Record<string, number>>;

interface Recorded {
  /** How many times longer RULER's code takes for a sample than gpt-tokenizer takes to count it. */
  readonly reference: Ratios;
  /** How many times longer gpt-tokenizer takes to count a sample than Fathom takes to make it. */
  readonly naive: Ratios;
}

/** What is measured: where many samples are made, or where one is as long as a paper's. */
const GROUPS = [
  { tokenizer: "cl100k_base", tasks: ["ruler"], lengths: ["4K", "128K"] },
  { tokenizer: "cl100k_base", tasks: ["cdme_en", "cdme_zh", "threading_multi_thread"], lengths: ["128K"] },
  { tokenizer: "o200k_base", tasks: ["counting_stars_search_en", "counting_stars_search_zh"], lengths: ["128K"] },
] as const;

const RECORDED = new URL("./ratios.json", import.meta.url);

/** A ratio below this share of the recorded one is a regression. */
const LEAST_SHARE = 2 / 3;

interface Row {
  readonly task: string;
  readonly length: number;
  readonly ms: number;
  readonly naive: number;
  readonly reference: number | null;
}

/** With `--check`, what seems slower is measured again, as a moment can be busy. */
function measureAgain(task: Task, length: number, materials: OpenMaterials): Row {
  let best = measureRow(task, length, materials);
  for (let time = 1; flags.check && isSlower(best) && time < MOST_TIMES; time++) {
    const row = measureRow(task, length, materials);
    if (row.naive > best.naive) best = row;
  }
  return best;
}

const MOST_TIMES = 4;

function isSlower({ task, length, naive }: Row): boolean {
  const before = recorded.naive[task]?.[length];
  return before !== undefined && naive < LEAST_SHARE * before;
}

function measureRow(task: Task, length: number, materials: OpenMaterials): Row {
  const { countTokens: countNaive, clearMergeCache } = materials.tokenizer.name === "o200k_base" ? o200k : cl100k;
  let index = 0;
  const make = (): string => userText(task.sample({ length, seed: "bench", index: index++, materials }).prompt);
  const prompt = make();
  timeOf(make, WARM_MS);
  // What it remembers is then the words of this prompt, whatever was counted before.
  clearMergeCache();
  timeOf(() => countNaive(prompt));
  // One after the other, twice, so that a machine that is busy for a while is so for both.
  const pairs = [0, 1].map(() => ({ ms: timeOf(make), naiveMs: timeOf(() => countNaive(prompt)) }));
  const [ms, naiveMs] = [Math.min(...pairs.map((pair) => pair.ms)), Math.min(...pairs.map((pair) => pair.naiveMs))];
  const naive = naiveMs / ms;
  const reference = recorded.reference[task.name]?.[length];
  return { task: task.name, length, ms, naive, reference: reference === undefined ? null : naive * reference };
}

/** CPU time in milliseconds: what is passed over while code is compiled and units are counted, and what is measured at least. */
const [WARM_MS, LEAST_MS] = [600, 150];

/** The CPU time of a call in milliseconds, that of other threads of this process included; it is made for so long. */
function timeOf(call: () => unknown, leastMs = LEAST_MS): number {
  const began = process.cpuUsage();
  for (let calls = 1;; calls++) {
    call();
    const { user, system } = process.cpuUsage(began);
    const ms = (user + system) / 1000;
    if (ms >= leastMs) return ms / calls;
  }
}

function showRow(row: Row): Row {
  const { task, length, ms, naive, reference } = row;
  const times = (ratio: number | null): string => ratio === null ? "" : ratio.toFixed(1);
  console.log(
    line([task, lengthText(length), ms.toFixed(2), (length / ms / 1000).toFixed(0), times(naive), times(reference)]),
  );
  return row;
}

function line([task, ...columns]: readonly string[]): string {
  return [task!.padEnd(26), ...columns.map((column) => column.padStart(11))].join(" ");
}

async function record(measured: readonly Row[]): Promise<void> {
  const naive: Ratios = structuredClone(recorded.naive);
  for (const row of measured) (naive[row.task] ??= {})[row.length] = Number(row.naive.toFixed(2));
  await Deno.writeTextFile(RECORDED, `${JSON.stringify({ ...recorded, naive }, null, 2)}\n`);
}

function check(measured: readonly Row[]): void {
  const slower = measured.filter(isSlower);
  for (const { task, length, naive } of slower) {
    const before = recorded.naive[task]![length];
    console.error(
      `${task} at ${lengthText(length)}: ${naive.toFixed(1)} times as fast as counting it, and was ${before}`,
    );
  }
  if (slower.length > 0) Deno.exit(1);
  console.log("no ratio has fallen by a third");
}

const { values: flags } = parseArgs({
  args: Deno.args.filter((word) => word !== "--"),
  options: {
    check: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    tasks: { type: "string" },
    lengths: { type: "string" },
  },
});

const recorded: Recorded = JSON.parse(await Deno.readTextFile(RECORDED));
const rows: Row[] = [];
console.log(line(["task", "length", "ms a sample", "M tokens/s", "x naive", "x reference"]));
for (const { tokenizer, tasks, lengths } of GROUPS) {
  const materials = await openMaterials({ tokenizer });
  const chosen = flags.lengths?.split(",") ?? lengths;
  for (const task of makeTasks(checkStudy({ tasks: [...tasks] }))) {
    if (flags.tasks !== undefined && !flags.tasks.split(",").includes(task.name)) continue;
    for (const length of chosen) rows.push(showRow(measureAgain(task, readLengthText(length), materials)));
  }
}
if (flags.record) await record(rows);
if (flags.check) check(rows);
