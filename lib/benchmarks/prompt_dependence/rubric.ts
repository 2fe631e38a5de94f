import { sum } from "@/lib/base/mod.ts";
import { findRefusal, type Grading, type Score, type Scorer } from "@/lib/scorers/mod.ts";

/** The five grades of the paper's judge, from unrelated to accurate. */
export type RecallGrade = 1 | 2 | 3 | 4 | 5;

/** The lowest share of the words for grades 5, 4, 3 and 2. */
const BANDS = [[5, 0.999], [4, 0.66], [3, 0.4], [2, 1e-9]] as const;

/**
 * Grades a reply from 1 to 5 by rule, without a judging model.
 *
 * The rubric is Fathom's; its grades are those of Machlab and Battle (arXiv 2404.08865, section 3.3). All content words of the
 * needle that are not in the question are worth 5, two thirds of them 4, two fifths 3, any 2, none 1; a name counts twice.
 * Sentences that negate the answer do not count. An answer that is negated, or quoted before the reply declines, gets 2 at most;
 * one with another name or number, or given and then declined, 3; one in doubt 4.
 *
 * Agreement: on 711 recorded replies of Claude 2.1 with a judge's scores 99.3% on accepting (4 and 5) and 98.5% on the grade, where
 * two keywords have 99.2% and 98.3%; on 123 invented replies that were graded by hand 80.5% and 78.9%, keywords 62.6% and 47.2%.
 *
 * The rules read English, sentence by sentence, and words rather than meaning. They miss irony, most other subjects, most answers
 * of several, and other languages. Where grades decide something, ask a judge (`fathom regrade --by judge`).
 *
 * @returns The grade; `value` is the grade over 5, as the paper's recall counts it, so that the lowest is 0.2.
 */
export function recallRubric(reply: string, needle: string, { question }: { readonly question: string }): Score & {
  readonly grade: RecallGrade;
  /** Names and numbers that the answer adds. */
  readonly added: readonly string[];
} {
  const wanted = wantedWords(needle, question);
  const shareOf = weigher(needle, wanted);
  const known = new Set(stemWords(`${needle} ${question}`));
  const names = question.match(/(?<!^)\b\p{Lu}[\p{L}\p{N}]+/gu) ?? [];
  const asked = { wanted, known, shareOf, subject: new Set(stemWords(names.join(" "))) };
  const sentences = readSentences(reply.slice(0, 100_000), asked);
  const given = sentences.filter(({ stance, found }) => stance === "given" && found.length > 0);
  const foundIn = (some: readonly Sentence[]): readonly string[] => [...new Set(some.flatMap(({ found }) => found))];
  const found = wanted.filter((word) => foundIn(given).includes(word));
  const share = shareOf(found);
  const added = share < 1 / 3 ? [] : [...new Set(given.flatMap(({ text }) => namesIn(text, known)))];
  const { most, against, reason } = findLimit(sentences, asked);
  const byWords = BANDS.find(([, least]) => share >= least)?.[0] ?? 1;
  const isNamed = foundIn(sentences).length > 0;
  const grade =
    (isNamed ? Math.max(Math.min(byWords, most, added.length > 0 ? 3 : 5), against ? 2 : 1) : 1) as RecallGrade;
  const answer = reply.trim();
  const missing = wanted.filter((word) => !found.includes(word));
  return {
    value: grade / 5,
    answer,
    why: answer === "" ? "no answer" : [
      `found ${found.length} of ${wanted.length} words: ${found.join(", ") || "none"}`,
      ...(missing.length === 0 || found.length === 0 ? [] : [`missing: ${missing.join(", ")}`]),
      ...(against === null || !isNamed ? [] : [`${reason}: ${against}`]),
      ...(added.length === 0 ? [] : [`added: ${added.join(", ")}`]),
    ].join("; "),
    grade,
    added,
  };
}

/** The answer that a reply must give. */
interface Asked {
  readonly wanted: readonly string[];
  /** The words of needle and question. */
  readonly known: ReadonlySet<string>;
  /** The names that needle and question share. */
  readonly subject: ReadonlySet<string>;
  readonly shareOf: (words: readonly string[]) => number;
}

/** Returns a function from wanted words to their share of the answer; each stretch of the needle counts once, a name twice. */
function weigher(needle: string, wanted: readonly string[]): (words: readonly string[]) => number {
  const left = new Set(wanted);
  const parts: { words: string[]; weight: number }[] = [];
  let end = -1;
  for (const { 0: word, index } of needle.matchAll(/[\p{L}\p{N}]+/gu)) {
    const [stemmed = ""] = stemWords(word);
    if (!left.delete(stemmed)) continue;
    if (end < 0 || !/^[\s-]*$/.test(needle.slice(end, index))) parts.push({ words: [], weight: 1 });
    const part = parts.at(-1)!;
    part.words.push(stemmed);
    if (index > 0 && /^\p{Lu}/u.test(word)) part.weight = 2;
    end = index + word.length;
  }
  const total = sum(parts, ({ weight }) => weight);
  return (found) =>
    sum(parts, ({ words, weight }) => weight * words.filter((word) => found.includes(word)).length / words.length) /
    total;
}

/** A sentence or clause of a reply. */
interface Sentence {
  readonly text: string;
  /** The wanted words in it. */
  readonly found: readonly string[];
  /** Whether it gives what it names, negates it, or denies that the text has an answer. */
  readonly stance: "given" | "negated" | "declined";
  readonly isQuoted: boolean;
}

/** The ends of sentences, and the starts of clauses that can contradict what precedes them. */
const BREAKS =
  /(?<=[.!?。！？]["”’)]*)\s+|\n+|[;:]\s+|[,—–]?\s(?=(?:but|however|although|though|whereas|yet|except)\b)|,?\s(?=(?:instead of|rather than|unlike|not an?)\b)/iu;

function readSentences(reply: string, { wanted, known }: Asked): readonly Sentence[] {
  return reply.split(BREAKS).map((part) => part.trim()).filter((part) => part !== "").map((text): Sentence => {
    const bare = text.replaceAll(/["“«][^"“”«»]*["”»]/g, " ");
    const found = findWanted(stemWords(text), wanted);
    const isQuoted = found.length > 0 && findWanted(stemWords(bare), wanted).length === 0;
    const isNegated = negates(isQuoted ? text : bare) || isOfOther(bare, known);
    const stance = declines(bare) && !isQuoted ? "declined" : isNegated ? "negated" : "given";
    return { text, found, stance, isQuoted };
  });
}

const DOUBT =
  /\b(?:maybe|perhaps|possibly|might|guess|unsure|uncertain|presumably|probably|likely|suggests?|not (?:sure|certain)|some (?:people|say)|one of|(?:may|could) have)\b|\?["”’)]*$/i;

/** Words by which a denial is only of further answers, as in "no other activities are mentioned". */
const NO_MORE =
  /\b(?:other|else|alternatives?|additional|beyond|further|more|details?|again|anything|outside|qualifications?|equivocation)\b/i;

function declines(text: string): boolean {
  return findRefusal(text) !== null && !NO_MORE.test(text);
}

const NEGATION =
  /\b(?:not|never|no|none|nothing|neither|nobody|cannot|hardly|without|instead of|rather than|avoid)\b|n['’]t\b/i;
const REVERSAL =
  /\b(?:denie[ds]|deny|refused?|reject(?:ed|s)?|fail(?:ed|s)?|lack(?:ed|s)?|revoked|withdrawn|false|untrue|wrong|incorrect|error|hypothetical|joke|myth|overrated|mistake)\b/i;

/** Negations that praise or deny nothing, as in "nothing beats", "can't go wrong", "not only". */
const PRAISE =
  /\b(?:nothing|no|never|not|none|can['’]t|cannot|won['’]t|don['’]t|isn['’]t)\b(?: \w+){0,3} (?:better|finer|nicer|beats?|tops?|compares?|rivals?|matche?s?|regret|disappoints?|miss|hesitate|forget|only|just|merely|simply|less|more|but|other|else|wrong|question|doubt|sure|certain)\b|\bwhy not\b|\bwithout (?:an?y? )?(?:question|doubt|fail|hesitation|equivocation|additional)\b/gi;

/** Whether a sentence negates; a negated denial, as in "not denied", affirms. */
function negates(text: string): boolean {
  const plain = text.replaceAll(PRAISE, " ");
  return NEGATION.test(plain) !== REVERSAL.test(plain);
}

/** Whether a sentence is about another name in mixed case, such as another company. */
function isOfOther(text: string, known: ReadonlySet<string>): boolean {
  const names = text.match(/\b\p{Lu}\p{Ll}+\p{Lu}[\p{L}\p{N}]*/gu) ?? [];
  return names.length > 0 && !names.some((name) => known.has(stemWords(name)[0]!));
}

interface Limit {
  readonly most: number;
  readonly against: string | null;
  readonly reason: string;
}

/** Finds the sentence against the answer: of an answer and its denial, the last one decides. */
function findLimit(sentences: readonly Sentence[], { shareOf, subject }: Asked): Limit {
  const gives = ({ stance, found }: Sentence): boolean => stance === "given" && shareOf(found) >= 0.2;
  const isTakenBack = sentences.findLastIndex(({ text }, at) =>
    at > 0 && sentences[at - 1]!.found.length > 0 && TAKES_BACK.test(text)
  );
  const given = sentences.filter((each, at) => gives(each) && at !== isTakenBack - 1);
  const lastGiven = sentences.lastIndexOf(given.at(-1)!);
  const lastOwn = sentences.lastIndexOf(given.findLast(({ isQuoted }) => !isQuoted)!);
  const lastNegated = sentences.findLastIndex(({ stance, found }) => stance === "negated" && shareOf(found) >= 0.2);
  const against = Math.max(lastNegated, isTakenBack);
  if (against > lastGiven) return { most: 2, against: sentences[against]!.text, reason: "negated" };
  const answering = given.map(({ text }) => text).join(" ");
  const others = sentences.filter(({ text, found }) =>
    found.length === 0 && !stemWords(text).some((stem) => subject.has(stem) || FRAMING.has(stem))
  );
  // A reply that repeats the document has many sentences without a word of needle or question.
  const isDocument = others.length >= 6 && others.length >= 0.6 * sentences.length;
  const isOneOfMany = sentences.some(({ text, found, stance }) =>
    stance === "given" && found.length === 0 && ALSO.test(text)
  );
  const most = isDocument || isOneOfMany || NOT_YET.test(answering)
    ? 3
    : given.some(({ text }) => DOUBT.test(text))
    ? 4
    : 5;
  const lastDeclined = sentences.findLastIndex(({ stance }) => stance === "declined");
  if (lastDeclined < 0) return { most, against: null, reason: "" };
  const declined = { against: sentences[lastDeclined]!.text, reason: "declined" };
  if (lastDeclined < lastGiven) return { most: lastOwn > lastDeclined ? most : Math.min(4, most), ...declined };
  return { most: lastOwn >= 0 ? 3 : 2, ...declined };
}

/** A sentence that denies the one before it, as in "But that is not true". */
const TAKES_BACK =
  /^(?:but |however,? |though |although )?(?:this|that|it|which|these|the (?:statement|claim|sentence))\b.{0,20}\b(?:is|was|are|were)(?:n['’]t| not| false| wrong| untrue| incorrect| an? (?:joke|error|mistake))|^(?:no|wait|actually)[,.!]/i;

/** Words about the text, the question and the reply itself. */
const FRAMING: ReadonlySet<string> = new Set(stemWords(
  "document text context passage essay author article sentence line statement source information provided given according based " +
    "stated states says said answer question response reply quote directly clear definite simply activity activities thing things " +
    "something anything like one so also there only most best fun",
));

/** A further answer, as in "another option is a trip". */
const ALSO =
  /(?:^|[,;] (?:and |or )?)(?:\w+ ){0,4}(?:also|another|additionally|alternatively|besides|moreover|furthermore)\b/i;

/** Words of an event that did not happen. */
const NOT_YET = /\b(?:applied|applies|sought|seeks|hoped|hopes|almost|nearly|planned|attempted|pending|awaiting)\b/i;

/** Words of the same meaning in an everyday needle; the first word of a group is that of the needle. */
const ALIKE: readonly (readonly string[])[] = [
  "eat have had enjoy grab munch devour consume ate eaten picnic",
  "sandwich sub hoagie panini sandwiches",
  "sit sat seat seated relax lounge rest laze recline picnic",
  "sunny sun sunshine sunlit",
  "day afternoon morning weather sun sunshine sunny",
].map((group) => stemWords(group));

/** Returns the wanted words in a reply, or others of the same meaning, which count only together with a wanted word. */
function findWanted(stems: readonly string[], wanted: readonly string[]): readonly string[] {
  const present = new Set(stems);
  if (!wanted.some((word) => present.has(word))) return [];
  return wanted.filter((word) =>
    present.has(word) || ALIKE.some((group) => group[0] === word && group.some((other) => present.has(other)))
  );
}

/** Words around an author's name, which is no answer. */
const SPEAKING =
  /^(?:say|said|writ|wrot|recommend|suggest|stat|not|argu|claim|believ|accord|by|unlik|than|think|call|put|tell)/;

/** Returns the names and numbers of a sentence that neither needle nor question has; its first word is always capitalised. */
function namesIn(text: string, known: ReadonlySet<string>): string[] {
  const words = text.match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];
  return words.filter((word, at) => {
    const [stem = ""] = stemWords(word);
    if (at === 0 || !/^(?:\p{Lu}\p{L}|\d)/u.test(word) || known.has(stem) || contentWords(word).length === 0) {
      return false;
    }
    return ![at - 2, at - 1, at + 1, at + 2].some((place) => SPEAKING.test(words[place]?.toLowerCase() ?? ""));
  });
}

/** The rubric's grade, from 1 to 5; the first reference is the needle, the others are the question in its wordings. */
export const recallRubricScorer: Scorer = {
  name: "recall rubric",
  about: "a grade from 1 to 5 by rubric, as a share of 5; penalised: the share above the lowest grade, from 0",
  shape: "text",
  parts: { names: ["the needle", "the question"], several: "last" },
  grade(reply, { references }): Grading {
    const [needle, ...questions] = references as readonly [string, ...string[]];
    const score = recallRubric(reply, needle, { question: questions.join(" ") });
    return { score, penalised: { value: (score.grade - 1) / 4, answer: score.answer, why: score.why }, least: 1 / 5 };
  },
};

/** Returns the words of a text in lower case, without common English endings: `Sitting in parks` is sit, in, park. */
export function stemWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []).map(stem);
}

/** Returns the stems of a text's content words, each once: no articles, prepositions, pronouns, auxiliaries or words of degree. */
export function contentWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map(stem))];
}

/** Returns the stems of the needle that are not in the question, or all if the question has them all. */
export function wantedWords(needle: string, question: string): readonly string[] {
  const asked = new Set(contentWords(question));
  const own = contentWords(needle);
  const wanted = own.filter((word) => !asked.has(word));
  return wanted.length > 0 ? wanted : own;
}

/** Strips common English endings: `sitting` is `sit`; `received` and `receive` are `receiv`. */
function stem(word: string): string {
  const bare = word.replace(/['’]s$/, "");
  if (bare.length < 4) return bare;
  const cut = bare.replace(/(?:ing|ed|es|s|e)$/, "");
  if (cut.length < 3) return bare;
  return /([b-df-hj-np-tv-z])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}

const EMPTY_WORDS = new Set(
  ("a an the of in on at to for from by with and or but is are was were be been being it its this that these those as " +
    "do does did what which who whom whose where when why how tell me there their they he she his her i you we my your our best most more")
    .split(" "),
);
