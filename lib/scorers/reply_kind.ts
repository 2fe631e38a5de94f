import { removeSpace } from "./_python_text.ts";
import { editMatch } from "./edit_match.ts";

/** What a reply is, whatever its score: an answer, nothing, an excuse, or text in a language that was not wanted. */
export type ReplyKind = "answer" | "empty" | "refusal" | "other language";

/** The kinds, in the order they are checked. */
export const REPLY_KINDS: readonly ReplyKind[] = ["answer", "empty", "refusal", "other language"];

/** Words with which models say that they cannot answer, or that the text does not. */
const REFUSALS = new RegExp(
  [
    "抱歉|对不起|无法(?:回答|确定|找到|提供|得知|判断)|不能回答|找不到|没有找到|未找到|我不知道|不清楚",
    "(?:没有|未|并未|并没有)(?:明确)?(?:提到|提及|提供|说明|包含|给出)",
    "\\b(?:sorry|apologi[sz]e|unable to|cannot (?:find|answer|determine|provide)|can['’]t (?:find|answer|determine|provide))\\b",
    "\\b(?:could not|couldn['’]t|did not|didn['’]t) find\\b|\\bI (?:do not|don['’]t) know\\b",
    "\\b(?:not|no) (?:mention(?:ed)?|information|provided|specified|stated)\\b|\\bdoes(?: not|n['’]t) (?:mention|contain|say|provide|specify)\\b",
  ].join("|"),
  "iu",
);

/** A reply as near to the reference as this is an answer, whatever else it says. */
const NEAR = 0.8;

/**
 * Classifies a reply, so that refusals, empty replies and wrong languages are counted and not only scored low.
 *
 * A refusal is recognised by its words, in Chinese or English. A language is recognised by its script alone: Chinese if
 * there is at least one Chinese character to two words of another script. A reply that holds the reference is an answer
 * in any case.
 *
 * @param reply What a model wrote.
 * @param reference What was wanted, in the language that was wanted.
 * @returns The kind.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(replyKind("抱歉，文中没有提到小明。", "小明最喜欢的实习地点就是上海人工智能实验室。"), "refusal");
 * equal(replyKind("Xiao Ming liked Shanghai best.", "小明最喜欢的实习地点就是上海人工智能实验室。"), "other language");
 * ```
 */
export function replyKind(reply: string, reference: string): ReplyKind {
  const answer = removeSpace(reply);
  if (answer === "") return "empty";
  const wanted = removeSpace(reference);
  const isNear = wanted !== "" && (answer.includes(wanted) || editMatch(answer, wanted).value! >= NEAR);
  if (isNear) return "answer";
  if (REFUSALS.test(reply)) return "refusal";
  const [spoken, expected] = [scriptOf(reply), scriptOf(reference)];
  // A name or a number alone is of no language, and part of the reference is of the right one.
  const isOther = spoken !== null && expected !== null && spoken !== expected && !wanted.includes(answer);
  return isOther ? "other language" : "answer";
}

function scriptOf(text: string): "Chinese" | "other" | null {
  const chinese = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/(?:(?!\p{Script=Han})\p{L})+/gu)?.length ?? 0;
  if (chinese + words === 0) return null;
  return chinese >= words / 2 ? "Chinese" : "other";
}

/**
 * Words that phrase a reply without answering: function words, and the words of the questions that ask for words.
 *
 * A reply to such a question counts every other word as an item, so that none can win by saying many. One of these that is
 * itself a reference counts as found.
 */
export const FRAMING_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its they them their there here i we you your
   and or but also then so as if not no only just
   is are was were be been being has have had do does did can could will would may
   in on at of to for from by with within among into out about above below according based after before
   all any both each every more most least other some such same than
   one two three four five six seven eight nine ten first second third fourth fifth
   answer answers assistant user question sure certainly okay ok yes here's
   word words coded code text list listed lists number numbered numbers item items top result results
   common frequent frequently frequency frequencies often appear appears appeared appearing occur occurs occurred occurring
   occurrence occurrences repeated count counts counted time times total order following follows follow given provided
   which what who how many much very found find identified mentioned
   please note let me my`.split(/\s+/).filter((word) => word !== ""),
);
