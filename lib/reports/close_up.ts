import { type ExplainedRecord, openExplainer } from "./failures.ts";
import { type OpenedOptions, openStudy, remakeSample } from "@/lib/studies/mod.ts";
import { isAnswerCut, type ScoredRun } from "@/lib/records/mod.ts";
import { type Table, table, type Titled } from "@/lib/figures/mod.ts";
import { type Fact, isSingleTurn, lastText, type Prompt, promptText, type Sample } from "@/lib/generators/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { FAILURE_MEANINGS, type FailureMode } from "@/lib/statistics/mod.ts";
import { lengthText, quoteText } from "@/lib/text/mod.ts";

/** Options for {@linkcode closeUp}. */
export interface CloseUpOptions extends OpenedOptions {
  /**
   * The most characters on each side of a fact. Range: 0 up.
   *
   * @default {160}
   */
  readonly characters?: number;
  /** Explains how replies fail, where several of a run are looked at; made for each reply by default. */
  readonly explain?: (reply: ScoredReply) => ExplainedRecord;
}

/** One thing to know of a sample and its reply, such as the score and why. */
export interface CloseUpLine {
  readonly what: string;
  /** Its value in words. */
  readonly said: string;
}

/** A sample that was made again, with its reply and score. */
export interface CloseUp {
  readonly reply: ScoredReply;
  /** The sample as it is made now. */
  readonly sample: Sample;
  /** Whether it is the text that was asked. */
  readonly isSame: boolean;
  /** The planted facts that have one place: those asked for, those said instead, the rest. */
  readonly facts: readonly SurroundedFact[];
  /** How the reply failed, the primary class first; empty where it is right or its sample has changed. */
  readonly modes: readonly FailureMode[];
  /** The same in words. */
  readonly lines: readonly CloseUpLine[];
}

/**
 * Looks closely at one reply of a run: makes its sample again from the recipe in its record, compares it with the hash of what
 * was asked, and shows the text around its facts, the score and how the reply failed.
 *
 * @throws {RangeError} If a task or a file of the run's study is not what it should be.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
 * import { runStudy } from "@/lib/asking/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 1 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("mute"), folder });
 * const { isSame, facts, modes } = await closeUp(run, run.replies[0]!);
 * equal(isSame, true);
 * equal(facts[0]?.role, "target");
 * equal(modes[0]?.class, "empty");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function closeUp(run: ScoredRun, reply: ScoredReply, options: CloseUpOptions = {}): Promise<CloseUp> {
  const { opened = await openStudy(run.manifest.study, run), characters = 160 } = options;
  const { record } = reply;
  const { sample, isSame, why } = remakeSample(record, { ...opened, template: run.manifest.template });
  const { modes } = (options.explain ?? openExplainer(run, { opened }).explain)(reply);
  const said = new Set(modes.flatMap(({ evidence }) => evidence.map(({ key }) => key)));
  const rankOf = ({ role, key }: SurroundedFact): number => role === "target" ? 0 : said.has(key) ? 1 : 2;
  const facts = factSurroundings(sample, characters).toSorted((left, right) => rankOf(left) - rankOf(right));
  const lines = [
    // Spaces let the line break.
    { what: "Sample", said: record.sample.replaceAll("/", " / ").replaceAll(",", ", ") },
    { what: "Made again", said: isSame ? `${why} (SHA-256 ${record.sha256.slice(0, 12)}…)` : `no: ${why}` },
    { what: "Length", said: `${record.promptTokens} tokens of prompt, ${sample.answerRoom} for the answer` },
    ...(isSingleTurn(sample.prompt) ? [] : [{ what: "Messages", said: messagesText(sample.prompt) }]),
    { what: "Wanted", said: record.references.join(", ") },
    ...replyLines(reply),
    ...modes.map(({ class: way, why }) => ({
      what: "Failure",
      said: `${way} (${FAILURE_MEANINGS[way]}): ${why}`,
    })),
  ];
  return { reply, sample, isSame, facts, modes, lines };
}

/** Counts the messages of a prompt of several turns, and quotes the last one. */
function messagesText(prompt: Prompt): string {
  const counts = [...Map.groupBy(prompt.messages, ({ role }) => role)].map(([role, { length }]) => `${length} ${role}`);
  return `${prompt.messages.length} (${counts.join(", ")}), the last one: ${lastText(prompt)}`;
}

/** Describes a reply and its score. */
export function replyLines(scoredReply: ScoredReply): CloseUpLine[] {
  const { record, value, score, penalised, scored, first, whole } = scoredReply;
  const { reply } = record;
  if (reply.kind === "failure") return [{ what: "Failed call", said: `${reply.failure}: ${reply.message}` }];
  const ended = reply.finishReason === "length" ? ["the reply was cut off at its budget"] : [];
  const counted = reply.promptTokens === undefined ? [] : [`the server counted ${reply.promptTokens} prompt tokens`];
  return [
    { what: "Reply", said: reply.text === "" ? "(empty)" : reply.text },
    ...(scored === "first" && first!.endedBy !== null
      ? [{ what: "First answer", said: `${first!.text === "" ? "(none)" : first!.text} (ended by ${first!.endedBy})` }]
      : []),
    ...[...ended, ...counted].map((said) => ({ what: "Server", said })),
    { what: "Score", said: `${value === null ? "nothing to score" : percent(value)}: ${score?.why ?? ""}` },
    ...(whole === undefined || whole.value === value || whole.value === null
      ? []
      : [{ what: "Score of the whole reply", said: `${percent(whole.value)}: ${whole.why}` }]),
    ...(isAnswerCut(scoredReply)
      ? [{ what: "Warning", said: "the answer can be in the part that is not scored; --scored whole scores all of it" }]
      : []),
    ...(penalised === null || penalised.value === value || penalised.value === null
      ? []
      : [{ what: "Penalised score", said: `${percent(penalised.value)}: ${penalised.why}` }]),
  ];
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} of 100`;
}

/** A planted fact with the text around it, other facts included. */
export interface SurroundedFact extends Fact {
  /** The text right before it. */
  readonly before: string;
  /** The text right after it. */
  readonly after: string;
}

/** Finds the text around each planted fact that stands in one place of the context, in the order of the prompt. */
function factSurroundings(sample: Sample, characters: number): SurroundedFact[] {
  const prompt = promptText(sample.prompt);
  let end = 0;
  return sample.facts.filter(({ depth }) => depth !== null).map((fact) => {
    // The facts are in the order of the prompt, so searching behind the last one skips what instructions quote.
    const at = prompt.indexOf(fact.text, end);
    if (at < 0) {
      throw new RangeError(
        `Cannot show a fact of ${sample.id} as its text must stand in the prompt: current value is "${fact.text}"`,
      );
    }
    end = at + fact.text.length;
    return {
      ...fact,
      before: lastCharacters(prompt.slice(0, at), characters),
      after: [...prompt.slice(end, end + 2 * characters)].slice(0, characters).join(""),
    };
  });
}

/** Whole characters only: half of one is no text. */
function lastCharacters(text: string, count: number): string {
  return count === 0 ? "" : [...text.slice(-2 * count)].slice(-count).join("");
}

/** Which reply is wanted; what is left out can be any. */
export interface ReplyPlace {
  readonly task?: string | undefined;
  /** The token budget. */
  readonly length?: number | undefined;
  /** The number of the sample in its task and length, from 0. */
  readonly index?: number | undefined;
  /** Which time it was asked, from 0. */
  readonly repeat?: number | undefined;
}

/**
 * Picks a reply of a run to look at closely: the lowest score among those that fit, an empty reply last.
 *
 * @throws {RangeError} If there is no reply of that task, length or index; the message says which there are.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { ScoredReply } from "@/lib/models/mod.ts";
 *
 * const of = (index: number, value: number) => ({ task: "vt", length: 4096, value, record: { index } }) as ScoredReply;
 * equal(pickReply([of(0, 1), of(1, 0), of(2, 0)], { task: "vt" }).record.index, 1);
 * equal(pickReply([of(0, 1), of(1, 0)], { index: 0 }).value, 1);
 * ```
 */
export function pickReply(replies: readonly ScoredReply[], place: ReplyPlace = {}): ScoredReply {
  const { task, length, index, repeat } = place;
  const ofTask = narrow(replies, { what: "task", of: (reply) => reply.task, wanted: task, show: String });
  const ofLength = narrow(ofTask, { what: "length", of: (reply) => reply.length, wanted: length, show: lengthText });
  const ofIndex = narrow(ofLength, { what: "index", of: ({ record }) => record.index, wanted: index, show: String });
  const repeatOf = ({ record }: ScoredReply): number => record.repeat ?? 0;
  const found = narrow(ofIndex, { what: "repeat", of: repeatOf, wanted: repeat, show: String });
  const [first] = found;
  if (first === undefined) throw new RangeError("Cannot pick a reply as the run must have one: current value is 0");
  const lowest = found.reduce((least, { value }) => Math.min(least, value ?? 1), 1);
  const worst = found.filter(({ value }) => value === lowest);
  return worst.find(({ noAnswer }) => !noAnswer) ?? worst[0] ?? first;
}

function narrow<Value extends string | number>(
  replies: readonly ScoredReply[],
  options: {
    readonly what: string;
    readonly of: (reply: ScoredReply) => Value;
    readonly wanted: Value | undefined;
    readonly show: (value: Value) => string;
  },
): readonly ScoredReply[] {
  const { what, of, wanted, show } = options;
  if (wanted === undefined) return replies;
  const found = replies.filter((reply) => of(reply) === wanted);
  if (found.length > 0) return found;
  const known = [...new Set(replies.map(of))];
  throw new RangeError(
    `Cannot pick a reply as its ${what} must be ${knownText(known, show)}: current value is ${
      typeof wanted === "string" ? `"${wanted}"` : wanted
    }`,
  );
}

function knownText<Value extends string | number>(known: readonly Value[], show: (value: Value) => string): string {
  const numbers = known.filter((value) => typeof value === "number");
  if (numbers.length > 12) return `one asked there, from ${Math.min(...numbers)} to ${Math.max(...numbers)}`;
  return `one of ${known.map(show).join(", ")}`;
}

/** Options for {@linkcode closeUpTable}: what its run must say of itself. */
export type CloseUpTableOptions = Pick<Titled, "origin" | "warning">;

/** The most characters of a text in a table. */
const MOST = 280;

/**
 * Makes a table of one sample and its reply: recipe, hash, what was wanted, what came, the score and why, how it failed.
 * Everything is escaped, and long texts lose their middle.
 */
export function closeUpTable(shown: CloseUp, drawn: CloseUpTableOptions): Table {
  return table(shown.lines.map(({ what, said }) => ({ what, said: quoteText(said, MOST) })), {
    title: `${placeText(shown)}, from its recipe to its score`,
    ...drawn,
    caption:
      "The sample is made again from the recipe in its record; its hash says whether it is the text that was asked.",
    n: 1,
    columns: [{ field: "what", label: "What" }, { field: "said", label: "Of this sample" }],
  });
}

/**
 * Makes a table of the planted facts of one sample, each with the text around it; `null` where no fact has one place. At most
 * 8 facts are shown by default.
 */
export function factTable(
  shown: CloseUp,
  { most = 8, ...drawn }: CloseUpTableOptions & { readonly most?: number },
): Table | null {
  const { facts } = shown;
  if (facts.length === 0) return null;
  const rows = facts.slice(0, most).map(({ role, depth, tokenOffset, before, text, after }) => ({
    role,
    depth: depth === null ? null : 100 * depth,
    tokenOffset,
    before: `…${quoteText(before, MOST)}`,
    text: quoteText(text, MOST),
    after: `${quoteText(after, MOST)}…`,
  }));
  return table(rows, {
    title: `${placeText(shown)}: the text around ${rows.length} of ${facts.length} planted facts`,
    ...drawn,
    caption: "What is asked for stands first, then what was said instead. Line breaks are written out.",
    n: 1,
    columns: [
      { field: "role", label: "Role" },
      { field: "depth", label: "Depth (%)", digits: 1 },
      { field: "tokenOffset", label: "Tokens before it", digits: 0 },
      { field: "before", label: "Before" },
      { field: "text", label: "Planted" },
      { field: "after", label: "After" },
    ],
  });
}

function placeText({ reply: { task, length, record } }: CloseUp): string {
  return `${task} at ${lengthText(length)}, sample ${record.index}`;
}
