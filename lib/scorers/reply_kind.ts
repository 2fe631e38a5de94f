import { removeSpace } from "./_python_text.ts";
import { editMatch } from "./edit_match.ts";

/** What a reply is, whatever its score: an answer, nothing, a refusal, or text in the wrong language. */
export type ReplyKind = "answer" | "empty" | "refusal" | "other language";

/** The kinds, in the order they are checked. */
export const REPLY_KINDS: readonly ReplyKind[] = ["answer", "empty", "refusal", "other language"];

/** Words that models use to say that they, or the text, cannot answer. */
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

/** The edit score from which a reply counts as an answer, whatever else it says. */
const NEAR = 0.8;

/**
 * Classifies a reply, so that refusals, empty replies and wrong languages are counted and not only scored low.
 *
 * Refusals are recognised by their words, in Chinese or English, and languages by script: Chinese means at least one Chinese
 * character for every two words of another script. A reply that contains the reference is always an answer.
 *
 * @param reply What a model wrote.
 * @param reference The right answer, in the language that was asked for.
 */
export function replyKind(reply: string, reference: string): ReplyKind {
  const answer = removeSpace(reply);
  if (answer === "") return "empty";
  const wanted = removeSpace(reference);
  const isNear = wanted !== "" && (answer.includes(wanted) || editMatch(answer, wanted).value! >= NEAR);
  if (isNear) return "answer";
  if (REFUSALS.test(reply)) return "refusal";
  const [spoken, expected] = [scriptOf(reply), scriptOf(reference)];
  // A number or marks alone have no language, and a part of the reference is in the right one.
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
 * Words that frame a reply and are not its answer: function words, and the words of questions that ask for words.
 *
 * Every other word of a reply to such a question counts as an item; so does one of these if it is a reference.
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
