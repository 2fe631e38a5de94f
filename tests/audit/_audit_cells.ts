import { openTestMaterials } from "../generators/_materials.ts";
import { auditSample } from "./_audit_sample.ts";
import { type FullEncoder, openFullEncoder } from "./_full_encode.ts";
import { AUDITS, SEEDS, traitsOf } from "./_settings.ts";
import { type ChatTemplate, type Materials, PLAIN_TEMPLATE, type Sample, type Task } from "@/lib/generators/mod.ts";
import { ENCODING_NAMES, type EncodingName } from "@/lib/text/mod.ts";

/** Samples of one task, length and seed. */
export interface Cell {
  readonly task: Task;
  readonly encoding: EncodingName;
  /** In tokens, or the least that the task has. */
  readonly length: number | "least";
  readonly seed: string;
  readonly samples: number;
  readonly template: ChatTemplate;
}

/** One line of a plan: so many samples of such lengths. */
export interface PlanRow {
  readonly length: number | "least";
  /** The tasks by their names alone, or every setting of them too. */
  readonly tasks: "named" | "all";
  /** Every encoding, or one for each task in turn. */
  readonly encodings: "all" | "in turn";
  readonly samples: number;
}

/** Such a template as a chat endpoint has: text on both sides, a system message, tokens that no text shows. */
const CHAT: ChatTemplate = {
  name: "audit chat",
  before: "<|user|>\n",
  after: "\n<|assistant|>\n",
  system: "You answer briefly.",
  extraTokens: 7,
  answerPrefix: true,
};

/** The same for messages, of which the assistant's add five tokens and the user's four. */
const TURNS: ChatTemplate = { ...CHAT, name: "audit turns", before: "", after: "", messageTokens: 4.5 };

/** Lists the cells of a plan; seeds and templates take turns over them. */
export function planCells(suite: string, plan: readonly PlanRow[]): Cell[] {
  const { named, further } = AUDITS.get(suite)!;
  const cells: Cell[] = [];
  for (const { length, tasks, encodings, samples } of plan) {
    for (const task of tasks === "named" ? named : [...named, ...further]) {
      const turn = ENCODING_NAMES[cells.length % ENCODING_NAMES.length]!;
      for (const encoding of encodings === "all" ? ENCODING_NAMES : [turn]) {
        const seed = SEEDS[cells.length % SEEDS.length]!;
        const chat = traitsOf(task).hasTurns ? TURNS : CHAT;
        const template = cells.length % 3 === 2 ? chat : PLAIN_TEMPLATE;
        cells.push({ task, encoding, length, seed, samples, template });
      }
    }
  }
  return cells;
}

/** What an audit found. */
export interface Findings {
  readonly samples: number;
  /** A sentence for each thing that is not as it should be, with the sample's id. */
  readonly faults: readonly string[];
}

/** What an encoding takes, opened once. */
export interface Opened {
  readonly materials: Materials;
  readonly encode: FullEncoder;
}

/** Gives an opener of encodings that opens each once. */
export function openOnce(): (encoding: EncodingName) => Promise<Opened> {
  const opened = new Map<EncodingName, Promise<Opened>>();
  const open = async (encoding: EncodingName): Promise<Opened> => ({
    materials: await openTestMaterials(encoding),
    encode: openFullEncoder(encoding),
  });
  return (encoding) => {
    const known = opened.get(encoding) ?? open(encoding);
    opened.set(encoding, known);
    return known;
  };
}

/** Audits cells one after another. */
export async function auditCells(
  suite: string,
  cells: readonly Cell[],
  open: (encoding: EncodingName) => Promise<Opened>,
): Promise<Findings> {
  const faults: string[] = [];
  let samples = 0;
  for (const cell of cells) {
    const found = auditCell(cell, { suite, ...await open(cell.encoding) });
    samples += found.samples;
    faults.push(...found.faults);
  }
  return { samples, faults };
}

function auditCell(cell: Cell, { suite, materials, encode }: Opened & { readonly suite: string }): Findings {
  const { task, seed, template } = cell;
  const least = task.leastLength(materials, template);
  const length = cell.length === "least" ? least : cell.length;
  // Many stars, keys or threads take more than a short length.
  if (length < least) return { samples: 0, faults: [] };
  const { isBudget, isFilled, areDifferent } = traitsOf(task);
  const { solve, answersOf } = AUDITS.get(suite)!;
  const options = { solve, answersOf, encode, template, isBudget, isFilled };
  const name = `${task.name} ${JSON.stringify(task.options)} ${cell.encoding} ${length} ${JSON.stringify(seed)}`;
  const made: Sample[] = [];
  const faults: string[] = [];
  for (const index of listIndexes(cell)) {
    try {
      const sample = task.sample({ length, seed, index, materials, template });
      made.push(sample);
      faults.push(...auditSample(sample, options).map((fault) => `${name} ${index} ${fault}`));
    } catch (error) {
      faults.push(`${name} ${index} cannot be made: ${(error as Error).message}`);
    }
  }
  if (areDifferent && length > least) {
    faults.push(...auditRepeats(task, made).map((fault) => `${name} ${fault}`));
  }
  faults.push(...auditSpread(task, made).map((fault) => `${name} ${fault}`));
  return { samples: made.length, faults };
}

/** The first samples; of tasks that go through a grid of depths the second half is as many of the next round. */
function listIndexes({ task, samples }: Cell): number[] {
  const depths = Number(task.options["depths"] ?? 0);
  const half = depths === 0 ? samples : Math.min(depths, Math.ceil(samples / 2));
  return Array.from({ length: samples }, (_, at) => at < half ? at : Math.max(depths, half) + at - half);
}

/** No prompt stands twice; but neighbouring depths of a grid can be one break between sentences. */
function auditRepeats({ options }: Task, samples: readonly Sample[]): string[] {
  const depths = Number(options["depths"] ?? 1);
  const groups = Map.groupBy(samples, ({ index, sha256 }) => `${index % depths} ${sha256}`);
  return [...groups.values()].filter((group) => group.length > 1)
    .map((group) => `repeats itself in samples ${group.map(({ index }) => index).join(", ")}`);
}

/** From so many samples on depths are looked at, and may keep so far from an even spread (Kolmogorov's distance). */
const [MANY_SAMPLES, FARTHEST] = [24, 0.12];

/** Depths of what is asked for are spread evenly over the samples of a cell, as far as the haystack has places for them. */
function auditSpread(task: Task, samples: readonly Sample[]): string[] {
  const { isSpread, isStepped } = traitsOf(task);
  if (samples.length < MANY_SAMPLES || !isSpread) return [];
  const inPlace = samples.map(({ facts }) => facts.filter(({ depth }) => depth !== null));
  const depths = inPlace.flatMap((facts) => facts.filter(({ role }) => role === "target").map(({ depth }) => depth!))
    .sort((left, right) => left - right);
  const farthest = depths.reduce(
    (most, depth, place) =>
      Math.max(most, Math.abs(depth - place / depths.length), Math.abs(depth - (place + 1) / depths.length)),
    0,
  );
  const step = isStepped ? 1 / Math.min(...inPlace.map((facts) => facts.length)) : 0;
  return farthest <= FARTHEST + step ? [] : [`spreads depths ${farthest.toFixed(3)} from evenly`];
}
