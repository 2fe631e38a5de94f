import { plural } from "@/lib/base/mod.ts";
import { type PromptCut, type RunRecord, type ScoredPart, type ScoredReply, sentTokens } from "./record.ts";
import { type Answer, hasChatTemplate, hasThinkingMarks, isPlausibleCount } from "@/lib/models/mod.ts";
import { median, simpleStatistics } from "@/lib/statistics/mod.ts";
import { isLooping } from "@/lib/statistics/failures/mod.ts";

/** The part of a record with the local and the server's count of prompt tokens. */
type CountedRecord = Pick<RunRecord, "task" | "length" | "promptTokens" | "settings" | "reply">;

/**
 * Finds the prompts of a run that the server truncated: it counted clearly fewer tokens than were sent.
 *
 * The model's tokenizer often differs from the local one, so the counts are not compared directly. The ratio of server tokens to
 * local tokens is estimated for each task from the next shorter length whose prompts were complete, without the tokens that the
 * server's chat template adds. A prompt was cut if its count is below the expected one
 *
 * - by 5%, and no prompt of the task has a higher count, as a window ends all of them at one count; or
 * - by 30%, whatever the other counts are; or
 * - by 1%, if the counts of all tasks differ from the local ones by the same few tokens, so that both tokenizers are the same.
 *
 * With no shorter length, the prompts of a cell were cut if the server's count is the same for all of them, 5% or more below the
 * local one, and also occurs at another task or length or is a multiple of 256, as windows are. A count of 0 is ignored.
 *
 * @returns The cut prompts, each with the server's count and the expected one; empty if the server counts no tokens.
 */
export function findPromptCuts(records: readonly CountedRecord[]): ReadonlyMap<CountedRecord, PromptCut> {
  const prompts = records.flatMap((record): Prompt[] => {
    const counted = record.reply.kind === "answer" ? record.reply.promptTokens ?? 0 : 0;
    const ours = sentTokens(record);
    // No window is so short: such counts leave out cached tokens.
    const isWindow = counted >= MIN_WINDOW || isPlausibleCount(counted, ours);
    return counted > 0 && isWindow ? [{ record, ours, counted }] : [];
  });
  const tasks = [...Map.groupBy(prompts, ({ record }) => record.task).values()].map((ofTask) =>
    [...Map.groupBy(ofTask, ({ record }) => record.length)]
      .sort(([left], [right]) => left - right).map(([, ofLength]) => ofLength)
  );
  const scale = { added: addedTokens(tasks), offset: sharedOffset(tasks), pile: findPile(tasks) };
  return new Map(tasks.flatMap((cells) => cutsOf(cells, scale)).map(({ record, ...cut }) => [record, cut]));
}

interface Prompt {
  readonly record: CountedRecord;
  /** The local count of the prompt. */
  readonly ours: number;
  /** The server's count. */
  readonly counted: number;
}

type PromptCell = readonly Prompt[];

/** The counts of a server: tokens added to every prompt, the constant difference of the same tokenizer, and where prompts end. */
interface Scale {
  readonly added: number;
  readonly offset: number | null;
  readonly pile: number | null;
}

const MIN_WINDOW = 256;

const TOLERANCE = 0.05;
const CLEAR_TOLERANCE = 0.3;
const EXACT_TOLERANCE = 0.01;

function cutsOf(
  cells: readonly PromptCell[],
  { added, offset, pile }: Scale,
): readonly (PromptCut & Pick<Prompt, "record">)[] {
  const most = simpleStatistics.max([0, ...cells.flat().map(({ counted }) => counted)]);
  let ratio: number | null = null;
  return cells.flatMap((cell) => {
    const known = ratio ?? ratioOf(cell, added);
    const isPiled = ratio === null && pile !== null && isAt(cell, pile);
    // A window ends several prompts at its count, unless the cell has only one.
    const isAtMost = ratio !== null && (cell.length === 1 || cell.filter((prompt) => isNear(prompt, most)).length > 1);
    const cuts = cell.flatMap(({ record, ours, counted }) => {
      const expected = Math.round(offset !== null || isPiled ? ours + (offset ?? 0) : known * ours + added);
      const atWindow = isPiled || isAtMost && isNear({ counted }, most) ? TOLERANCE : CLEAR_TOLERANCE;
      const tolerance = offset === null ? atWindow : EXACT_TOLERANCE;
      return counted < expected * (1 - tolerance) ? [{ record, counted, expected }] : [];
    });
    if (cuts.length === 0) ratio = ratioOf(cell, added);
    return cuts;
  });
}

/** Returns the ratio of server tokens to local tokens: the median of a cell, without the tokens added to every prompt. */
function ratioOf(cell: PromptCell, added: number): number {
  return median(cell.map(({ ours, counted }) => (counted - added) / ours));
}

/** Whether a count is at a limit, with a slack of a few tokens for differences between servers. */
function isNear({ counted }: Pick<Prompt, "counted">, limit: number): boolean {
  return counted >= limit - Math.max(2, 0.0025 * limit);
}

function isAt(cell: PromptCell, count: number): boolean {
  return cell.every(({ counted }) => Math.abs(counted - count) <= 1);
}

/** The maximum number of tokens that a chat template adds; a longer system message is the user's and in the local count. */
const MAX_ADDED = 100;

/** Estimates the tokens that a server's chat template adds: the intercept of the line through two lengths. */
function addedTokens(tasks: readonly (readonly PromptCell[])[]): number {
  const isChat = hasChatTemplate(tasks[0]?.[0]?.[0]?.record.settings ?? {});
  const crossings = tasks.flatMap(([first, second]) => {
    if (first === undefined || second === undefined) return [];
    const middle = (cell: PromptCell, of: "ours" | "counted"): number => median(cell.map((prompt) => prompt[of]));
    const [ours, counted] = [middle(first, "ours"), middle(first, "counted")];
    const more = middle(second, "ours") - ours;
    return more <= 0 ? [] : [counted - ours * (middle(second, "counted") - counted) / more];
  });
  return isChat && crossings.length > 0 ? Math.round(Math.min(MAX_ADDED, Math.max(0, median(crossings)))) : 0;
}

/** Returns the constant difference of the counts over all the shortest prompts; `null` if the tokenizers differ. */
function sharedOffset(tasks: readonly (readonly PromptCell[])[]): number | null {
  const offsets = tasks.flatMap(([shortest]) => shortest!.map(({ ours, counted }) => counted - ours));
  const [least, most] = offsets.length < 3 ? [-1, -1] : simpleStatistics.extent(offsets);
  return least >= 0 && most - least <= 2 ? least : null;
}

/** Returns the highest count if whole cells end at it that are too many or too round for chance. */
function findPile(tasks: readonly (readonly PromptCell[])[]): number | null {
  const cells = tasks.flat();
  const most = simpleStatistics.max([0, ...cells.flat().map(({ counted }) => counted)]);
  const atMost = cells.filter((cell) => isAt(cell, most));
  const isRound = most % 256 === 0;
  return atMost.flat().length >= 2 && (atMost.length >= 2 || isRound) ? most : null;
}

/** Whether the output budget ended a reply. */
export function isAtBudget({ record: { reply } }: ScoredReply): boolean {
  return reply.kind === "answer" && reply.finishReason === "length";
}

/** Whether the output budget ended a reply before its answer was complete: nothing follows it, and it is not right. */
export function isUnfinished(reply: ScoredReply): boolean {
  return isAtBudget(reply) && !wentOn(reply) && reply.value !== 1;
}

/** Whether the output budget ended a reply whose answer more tokens could have completed; a loop has none. */
export function isTruncated(reply: ScoredReply): boolean {
  const { reply: given } = reply.record;
  return isUnfinished(reply) && given.kind === "answer" && !isLooping(given.text);
}

/** Whether the provider's content filter stopped a reply. */
export function isFiltered({ record: { reply } }: ScoredReply): boolean {
  return reply.kind === "answer" && reply.finishReason === "content_filter";
}

/** Whether a reply has text after its first answer. */
export function wentOn({ first }: ScoredReply): boolean {
  return first !== undefined && first.rest.trim() !== "";
}

/** Whether a reply scores far more as a whole than by its first answer, as one whose last line is "Final Answer: …". */
export function isAnswerCut(reply: ScoredReply): boolean {
  return (reply.whole?.value ?? 0) - (reply.value ?? 0) >= 0.5 && wentOn(reply);
}

/** Tags around a whole reply are its form, as no answer follows them. */
const ENCLOSED = /^\s*<([\w:]+)>[^]*<\/\1>\s*$/;

/** Returns warnings that what is scored of replies may not be their answers; empty if there are none. */
export function answerNotes(replies: readonly ScoredReply[]): readonly string[] {
  const count = (is: (reply: ScoredReply) => boolean): number => replies.filter(is).length;
  const answered = (is: (answer: Answer) => boolean): number =>
    count(({ record: { reply } }) => reply.kind === "answer" && is(reply));
  const noted: readonly (readonly [count: number, text: string])[] = [
    [
      count(isAnswerCut),
      "score far more as a whole than by the first answer, so the answer can be in the part that is not scored; compare with --scored whole",
    ],
    [
      answered(({ repeatsPrompt = false }) => repeatsPrompt),
      "repeat the prompt before the answer; only what follows the prompt is scored",
    ],
    [
      answered(({ text }) => hasThinkingMarks(text) && !ENCLOSED.test(text)),
      "have marks as of thinking in the scored text; marks of such a form are not known, so what they enclose is scored",
    ],
    [
      answered(({ text, thinking = "" }) => text.trim() === "" && thinking !== ""),
      "were cut off in their thinking, before an answer; --thinking-tokens gives more room",
    ],
    [
      answered(({ finishReason }) => finishReason === "tool_call"),
      "ended in the call of a tool, which no request offers; their text is scored",
    ],
  ];
  return noted.filter(([count]) => count > 0).map(([count, text]) =>
    `Warning: ${count} of ${replies.length} ${plural(replies.length, "reply")} ${text}`
  );
}

/** Returns the part of the replies that a run's scores are based on; `null` if it is not the same for all. */
export function scoredPart(replies: readonly ScoredReply[]): ScoredPart | null {
  const parts = new Set(replies.flatMap(({ scored }) => scored ?? []));
  return parts.size > 1 ? null : [...parts][0] ?? "whole";
}
