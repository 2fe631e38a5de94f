import { lengthText, someOf } from "@/lib/base/mod.ts";
import { type ExplainedRecord, openExplainer } from "./failures.ts";
import { findWhole } from "./marked_prompt.ts";
import { type Fact, isSingleTurn, promptText, type Sample } from "@/lib/generators/mod.ts";
import { isAnswerCut, type ScoredReply, type ScoredRun } from "@/lib/records/mod.ts";
import { FAILURE_MEANINGS, type FailureMode } from "@/lib/statistics/failures/mod.ts";
import { simpleStatistics } from "@/lib/statistics/mod.ts";
import { type OpenedOptions, openStudy, remakeSample } from "@/lib/studies/mod.ts";

/** A fact about a sample or its reply, such as the score and its reason. */
export interface CloseUpLine {
  readonly what: string;
  readonly text: string;
}

/** A rebuilt sample with its reply and score. */
export interface CloseUp {
  readonly reply: ScoredReply;
  readonly sample: Sample;
  readonly isSame: boolean;
  /** Why it is, or is not, the recorded text. */
  readonly why: string;
  /** The planted facts with one place: targets, facts answered instead, others. */
  readonly facts: readonly SurroundedFact[];
  /** The failure classes of the reply, the primary first; empty if it is right or the sample has changed. */
  readonly modes: readonly FailureMode[];
  /** Question, references, reply, score and failure as text; then recipe, hash, length and messages. */
  readonly lines: readonly CloseUpLine[];
}

/**
 * Rebuilds the sample of a reply from its recorded recipe, compares it with the recorded hash, and collects the text around its
 * facts, the score and the failure.
 *
 * @throws {RangeError} If the run's study or one of its files has changed.
 */
export async function closeUp(run: ScoredRun, reply: ScoredReply, options: OpenedOptions & {
  /** Characters of text on each side of a fact. Range: 0 up. Default: 160. */
  readonly characters?: number;
  /** Explains failures; by default one is opened per reply. */
  readonly explain?: (reply: ScoredReply) => ExplainedRecord;
} = {}): Promise<CloseUp> {
  const { opened = await openStudy(run.manifest.study, run), characters = 160 } = options;
  const { record } = reply;
  const { sample, isSame, why } = remakeSample(record, { ...opened, template: run.manifest.template });
  const { modes } = (options.explain ?? openExplainer(run, { opened }).explain)(reply);
  const answered = new Set(modes.flatMap(({ evidence }) => evidence.map(({ key }) => key)));
  const rankOf = ({ role, key }: SurroundedFact): number => {
    if (role === "target") return 0;
    return answered.has(key) ? 1 : 2;
  };
  const facts = surroundFacts(sample, characters).toSorted((left, right) => rankOf(left) - rankOf(right));
  const question = record.question ?? (isSame ? sample.question : "");
  const cut = record.cutTokens === undefined ? "" : `, after ${record.cutTokens} were cut out of it`;
  const lines = [
    ...(question === "" ? [] : [{ what: "Question", text: question }]),
    { what: "Wanted", text: record.references.join(", ") },
    ...replyLines(reply),
    ...modes.map((mode) => ({ what: "Failure", text: `${mode.class} (${FAILURE_MEANINGS[mode.class]}): ${mode.why}` })),
    // With spaces the line can break.
    { what: "Sample", text: record.sample.replaceAll("/", " / ").replaceAll(",", ", ") },
    { what: "Rebuilt", text: isSame ? `${why} (SHA-256 ${record.sha256.slice(0, 12)}…)` : `no: ${why}` },
    { what: "Length", text: `${record.promptTokens} tokens of prompt${cut}, ${sample.answerRoom} for the answer` },
    ...(isSingleTurn(sample.prompt) ? [] : [{ what: "Messages", text: String(sample.prompt.messages.length) }]),
  ];
  return { reply, sample, isSame, why, facts, modes, lines };
}

export function replyLines(scoredReply: ScoredReply): CloseUpLine[] {
  const { record, value, score, penalised, scored, first, whole } = scoredReply;
  const { reply } = record;
  if (reply.kind === "failure") return [{ what: "Failed call", text: `${reply.failure}: ${reply.message}` }];
  const lines: (CloseUpLine | false)[] = [
    { what: "Reply", text: reply.text === "" ? "(empty)" : reply.text },
    scored === "first" && first!.endedBy !== null &&
    { what: "First answer", text: `${first!.text === "" ? "(none)" : first!.text} (ended by ${first!.endedBy})` },
    reply.finishReason === "length" && { what: "Server", text: "the reply was cut off at its budget" },
    reply.promptTokens !== undefined &&
    { what: "Server", text: `the server counted ${reply.promptTokens} prompt tokens` },
    { what: "Score", text: `${value === null ? "nothing to score" : percent(value)}: ${score?.why ?? ""}` },
    typeof whole?.value === "number" && whole.value !== value &&
    { what: "Whole reply", text: `${percent(whole.value)}: ${whole.why}` },
    isAnswerCut(scoredReply) &&
    { what: "Warning", text: "the answer may be in the part that is not scored; --scored whole scores all of it" },
    typeof penalised?.value === "number" && penalised.value !== value &&
    { what: "Penalised score", text: `${percent(penalised.value)}: ${penalised.why}` },
  ];
  return lines.filter((line) => line !== false);
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} of 100`;
}

/** A planted fact with the text around it, other facts included. */
export interface SurroundedFact extends Fact {
  readonly before: string;
  readonly after: string;
}

/** Finds the text around each planted fact that has one place in the context, in the order of the prompt. */
function surroundFacts(sample: Sample, characters: number): SurroundedFact[] {
  const prompt = promptText(sample.prompt);
  let end = 0;
  return sample.facts.filter(({ depth }) => depth !== null).map((fact) => {
    // Facts are in the order of the prompt; searching after the previous one skips quotations in the instructions.
    const at = findWhole(prompt, fact.text, end);
    if (at < 0) {
      throw new RangeError(
        `Cannot show a fact of ${sample.id} as its text must be in the prompt: current value is "${fact.text}"`,
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

/** Returns whole characters, never half of a surrogate pair. */
function lastCharacters(text: string, count: number): string {
  return count === 0 ? "" : [...text.slice(-2 * count)].slice(-count).join("");
}

/** The place of a reply in a run; a missing field matches any. */
export interface ReplyPlace {
  readonly task?: string | undefined;
  /** The token budget. */
  readonly length?: number | undefined;
  /** Number of the sample in its task and length, from 0. */
  readonly index?: number | undefined;
  /** Repeat of the sample, from 0. */
  readonly repeat?: number | undefined;
}

/**
 * Picks a reply of a run: the lowest score among those that match, preferring replies that are not empty.
 *
 * @throws {RangeError} If no reply matches; the message lists the valid values.
 */
export function pickReply(replies: readonly ScoredReply[], place: ReplyPlace = {}): ScoredReply {
  const kept = filterPlace(replies, "task", { wanted: place.task, of: ({ task }) => task });
  const ofLength = filterPlace(kept, "length", { wanted: place.length, of: ({ length }) => length, show: lengthText });
  const sample = filterPlace(ofLength, "index", { wanted: place.index, of: ({ record }) => record.index });
  const found = filterPlace(sample, "repeat", { wanted: place.repeat, of: ({ record }) => record.repeat ?? 0 });
  const [first] = found;
  if (first === undefined) throw new RangeError("Cannot pick a reply as the run must have one: current value is 0");
  const lowest = simpleStatistics.min([1, ...found.map(({ value }) => value ?? 1)]);
  const worst = found.filter(({ value }) => value === lowest);
  return worst.find(({ noAnswer }) => !noAnswer) ?? worst[0] ?? first;
}

/** Returns the replies with a value, or all if none is wanted. */
function filterPlace<Value extends string | number>(
  replies: readonly ScoredReply[],
  name: keyof ReplyPlace,
  { wanted, of, show = String }: {
    readonly wanted: Value | undefined;
    readonly of: (reply: ScoredReply) => Value;
    readonly show?: (value: Value) => string;
  },
): readonly ScoredReply[] {
  if (wanted === undefined) return replies;
  const found = replies.filter((reply) => of(reply) === wanted);
  if (found.length > 0) return found;
  const known = someOf([...new Set(replies.map(of))].map(show), 12);
  throw new RangeError(
    `Cannot pick a reply as its ${name} must be one of ${known}: current value is ${JSON.stringify(wanted)}`,
  );
}
