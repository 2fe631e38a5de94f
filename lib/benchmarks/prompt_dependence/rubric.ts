import { type Clause, readClauses } from "./reply_clauses.ts";
import { contentWords, findWanted, stemWords, wantedParts, wantedWords } from "./wanted_words.ts";
import type { Grading, Score, Scorer } from "@/lib/scorers/mod.ts";

/** The five grades of the paper's judge, from unrelated to accurate. */
export type RecallGrade = 1 | 2 | 3 | 4 | 5;

/** A reply's grade and the reasons for it. */
export interface RubricScore extends Score {
  /** From 1, unrelated to the needle, to 5, all of it and nothing else. */
  readonly grade: RecallGrade;
  /** The share of the wanted words that the reply says, in [0, 1]; a name counts twice. */
  readonly foundShare: number;
  /** The clause that takes the answer back, or denies that there is one; `null` without such a clause. */
  readonly against: string | null;
  /** What the answer adds: other names and numbers, or another thing beside the wanted one or in its place. */
  readonly added: readonly string[];
}

/** The lowest share of the words for grades 5, 4, 3 and 2. */
const BANDS = [[5, 0.999], [4, 0.66], [3, 0.4], [2, 1e-9]] as const;

/**
 * Grades a reply from 1 to 5 by rule, in place of a judging model.
 *
 * The rubric is Fathom's; its grades are those of Machlab and Battle (arXiv 2404.08865, section 3.3). All content words of the
 * needle that are not in the question are worth 5, two thirds of them 4, two fifths 3, any 2, none 1; a name counts twice. Only what
 * the reply says about the needle's subject counts, clause by clause. An answer that is negated, called false, or quoted before the
 * reply declines gets 2 at most; one with an addition (another name, another thing, rain for sun), or given and then declined, 3;
 * one in doubt, or only suggested by a reply that declines first, 4.
 *
 * Agreement, with 95% Wilson intervals: on 711 recorded replies of Claude 2.1 with a judge's scores, on which the rules were
 * developed, 99.7% [99.0, 99.9] on accepting (4 and 5) and 98.5% [97.3, 99.1] on the grade; looking for two keywords has 99.2% and
 * 98.3%. On 123 invented replies held out from development (negations, idioms, quotations, refusals) graded by hand, 94.3%
 * [88.7, 97.2] and 94.3%; keywords have 62.6% and 47.2%. The rules read English, and words rather than meaning: they miss irony and
 * other languages. Where grades decide something, ask a judge. Of a reply that never ends, the first 100,000 characters are read.
 *
 * @returns The grade; `value` is the grade over 5, as the paper's recall counts it, so that the lowest is 0.2. `why` names the words
 *   found and missing, the clause against them, and what was added.
 *
 * @example The answer, praised, negated and declined
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const needle = "PistachioAI received a patent before its Series A.";
 * const question = "What did PistachioAI receive before its Series A?";
 * equal(recallRubric("It received nothing less than a patent.", needle, { question }).grade, 5);
 * equal(recallRubric("A patent was denied to PistachioAI.", needle, { question }).grade, 2);
 * equal(recallRubric("The text does not say whether it received a patent.", needle, { question }).grade, 2);
 * ```
 */
export function recallRubric(reply: string, needle: string, options: { readonly question: string }): RubricScore {
  const { question } = options;
  const asked = readNeedle(needle, question);
  const read = reply.slice(0, MOST_READ);
  const clauses = bind(readClauses(read, (stem) => asked.isWanted(stem)), asked);
  const verdict = weigh(clauses, asked);
  const added = verdict.saying.length === 0 || verdict.grade <= 2 ? [] : findAdded(read, clauses, asked);
  const grade = Math.min(verdict.grade, added.length === 0 ? 5 : 3) as RecallGrade;
  const answer = reply.trim();
  const found = asked.wanted.filter((word) => verdict.found.includes(word));
  const missing = asked.wanted.filter((word) => !verdict.found.includes(word));
  return {
    value: grade / 5,
    answer,
    why: answer === "" ? "no answer" : [
      `found ${found.length} of ${asked.wanted.length} words: ${found.join(", ") || "none"}`,
      ...(missing.length === 0 || found.length === 0 ? [] : [`missing: ${missing.join(", ")}`]),
      ...(verdict.against === null ? [] : [`${verdict.reason}: ${verdict.against}`]),
      ...(added.length === 0 ? [] : [`added: ${added.join(", ")}`]),
    ].join("; "),
    grade,
    foundShare: verdict.share,
    against: verdict.against,
    added,
  };
}

/** The most characters of a reply that are read: as many as 20,000 words have, where a few are asked for. */
const MOST_READ = 100_000;

/** What a reply must have to answer the question. */
interface Asked {
  readonly needle: string;
  readonly wanted: readonly string[];
  readonly isWanted: (stem: string) => boolean;
  /** The share of the answer in some wanted words, in [0, 1]. */
  readonly shareOf: (words: readonly string[]) => number;
  /** Whether a word is in needle or question, or has no content of its own. */
  readonly isKnown: (stem: string) => boolean;
  /** Names of the needle before its answer: whom or what it is about. */
  readonly subject: ReadonlySet<string>;
  /** The question's words that are not names. */
  readonly verbs: ReadonlySet<string>;
}

function readNeedle(needle: string, question: string): Asked {
  const wanted = wantedWords(needle, question);
  const parts = wantedParts(needle, wanted);
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const isWanted = (stem: string): boolean => wanted.includes(stem);
  const known = new Set(stemWords(`${needle} ${question}`));
  const words = needle.match(/[\p{L}\p{N}]+/gu) ?? [];
  const answerAt = words.findIndex((word) => isWanted(stemWords(word)[0]!));
  const names = words.filter((word, at) => at < answerAt && /^\p{Lu}/u.test(word) && contentWords(word).length > 0);
  // The first word of a needle is always capitalised.
  const subject = names.filter((name) => name !== words[0] || /\p{Ll}\p{Lu}/u.test(name));
  return {
    needle,
    wanted,
    isWanted,
    shareOf: (found) =>
      parts.reduce((sum, part) => {
        return sum + part.weight * part.words.filter((word) => found.includes(word)).length / part.words.length;
      }, 0) / total,
    isKnown: (stem) => known.has(stem) || contentWords(stem).length === 0,
    subject: new Set(stemWords(subject.join(" "))),
    verbs: new Set(contentWords(question.replaceAll(/(?<!^)\p{Lu}[\p{L}\p{N}]*/gu, ""))),
  };
}

/** A clause with its wanted words, and whether it is about the needle's subject. */
interface Bound extends Clause {
  readonly found: readonly string[];
  readonly share: number;
  readonly isOfSubject: boolean;
}

/** Capitalised words that do not name another subject. */
const NO_SUBJECT = new Set(stemWords(
  "the a an it they he she we you i this that these those there here what which who one two some nobody nothing someone everyone people document text " +
    "context passage essay author article section chapter paragraph note page answer question quote sentence statement yes no so if as in on at to for of and " +
    "but or not my your his her their its our according based unfortunately however sorry best most thing eating sitting",
));
const SPEAKING =
  /^(?:says?|said|writes?|wrote|recommends?|recommended|suggests?|suggested|states?|stated|notes?|noted|argues?|argued|claims?|claimed|believes?|according|by|unlike|from|than|thinks|calls|puts|tells)$/;

/** Decides whether each clause is about the needle's subject or another: `CashewAI received a patent`. */
function bind(clauses: readonly Clause[], asked: Asked): readonly Bound[] {
  let isOfSubject = true;
  return clauses.map((clause, at) => {
    const { words, stems, join } = clause;
    const found = findWanted(stems, asked.wanted);
    const isNewSentence = at > 0 && clause.sentence !== clauses[at - 1]!.sentence;
    if (
      (isNewSentence && !/^(?:it|they|he|she|there|its|the)$/i.test(words[0] ?? "")) ||
      /^(?:but|while|whereas|however|;)$/.test(join)
    ) {
      isOfSubject = true;
    }
    const answerAt = stems.findIndex(asked.isWanted);
    const other = words.findIndex((_, place) =>
      (answerAt < 0 || place < answerAt) && isOtherSubject(clause, place, asked)
    );
    // `HazelnutAI, not PistachioAI, …` turns from the subject.
    const isTurned = clause.stance === "negated" && found.length === 0 && words.length <= 4;
    if (stems.some((stem) => asked.subject.has(stem))) isOfSubject ||= !isTurned;
    else if (other >= 0 && clause.stance !== "declined") isOfSubject = false;
    return { ...clause, found, share: asked.shareOf(found), isOfSubject };
  });
}

function isOtherSubject({ words, stems }: Clause, at: number, { isKnown, verbs }: Asked): boolean {
  const word = words[at]!;
  if (!/^\p{Lu}/u.test(word) || /['’]s$/.test(word) || isKnown(stems[at]!) || NO_SUBJECT.has(stems[at]!)) return false;
  const [before, after] = [words[at - 1]?.toLowerCase() ?? "", words[at + 1]?.toLowerCase() ?? ""];
  if (SPEAKING.test(before) || SPEAKING.test(after) || SPEAKING.test(words[at + 2]?.toLowerCase() ?? "")) return false;
  if (/^(?:in|about|of)$/.test(before)) return true;
  if (/\p{Ll}\p{Lu}/u.test(word)) return true;
  if (at > 0) return false;
  // A name of several words, then its verb.
  const end = words.findIndex((other) => !/^\p{Lu}/u.test(other));
  return end > 0 && end < 5 &&
    (verbs.has(stems[end]!) || /^(?:is|was|has|had|got|did|won|went|\p{Ll}+ed)$/u.test(words[end]!));
}

interface Verdict {
  readonly grade: number;
  /** The clauses that say some of the answer, their words, and the share of these. */
  readonly saying: readonly Bound[];
  readonly found: readonly string[];
  readonly share: number;
  /** The clause against the answer, and how it is against it. */
  readonly against: string | null;
  readonly reason: string;
}

/** Weighs what is said against what is negated, declined or said about another subject; between the two the last word decides. */
function weigh(clauses: readonly Bound[], asked: Asked): Verdict {
  const takenBack = findTakenBack(clauses);
  const saying = clauses.filter((clause, at) =>
    clause.found.length > 0 && clause.stance === "said" && clause.isOfSubject && !takenBack.has(at)
  );
  const foundIn = (some: readonly Bound[]): string[] => [...new Set(some.flatMap(({ found }) => found))];
  const found = foundIn(saying);
  const share = asked.shareOf(found);
  const verdict = { saying, found, share, against: null, reason: "" };
  const named = asked.shareOf(foundIn(clauses));
  if (named === 0) return { ...verdict, grade: 1 };
  const byWords = BANDS.find(([, least]) => share >= least)?.[0] ?? 1;
  const lastSaid = clauses.lastIndexOf(saying.at(-1)!);

  const denying = clauses.flatMap((clause, at) => {
    const isDenied = clause.stance === "negated" || !clause.isOfSubject || takenBack.has(at);
    return clause.found.length > 0 && isDenied ? [at] : [];
  });
  const lastDenied = denying.at(-1) ?? -1;
  const denied = asked.shareOf(foundIn(denying.map((at) => clauses[at]!)));
  // A negation counts where little else is said, or where it covers most of the answer and comes last.
  if (denied > 0 && (share < 0.4 || (denied >= 0.6 && lastDenied > lastSaid))) {
    const against = clauses[takenBack.get(lastDenied) ?? lastDenied]!.text;
    const isTurned = !clauses[lastDenied]!.isOfSubject;
    const reason = takenBack.has(lastDenied) ? "taken back" : isTurned ? "of another subject" : "negated";
    return { ...verdict, grade: 2, against, reason };
  }

  const strong = saying.filter(({ voice }) => voice === "own" || voice === "suggests");
  const ownShare = asked.shareOf(foundIn(strong));
  const lastOwn = clauses.lastIndexOf(strong.at(-1)!);
  const isTopic = saying.every(({ voice, share: part }) => voice === "topic" || (saying.length > 1 && part < 0.2));
  // Declining to say more about `the patent`, once it is named, is not declining the answer.
  const declines = clauses.flatMap(({ stance, found, presumes }, at) =>
    stance === "declined" && !(found.length > 0 && presumes && ownShare >= 0.4) ? [at] : []
  );
  const lastDeclined = declines.at(-1);
  if (lastDeclined === undefined) {
    // Beside a quotation, what the reply itself says is the answer, if it says enough.
    const isLess = ownShare >= 0.4 && ownShare < 0.66;
    const most = saying.every(({ voice }) => voice === "topic") ? 2 : isLess ? 4 : 5;
    return { ...verdict, grade: Math.min(byWords, most, doubt(saying, clauses)) };
  }
  const hard = declines.filter((at) => at > lastOwn && !clauses[at]!.isSoft);
  const declined = { ...verdict, against: clauses[hard.at(-1) ?? lastDeclined]!.text, reason: "declined" };
  // A text may mention sandwiches or patents by chance, but not everything that the needle says.
  if (isTopic) {
    return { ...declined, grade: share > 0.99 && asked.wanted.length > 2 ? 3 : named >= 0.5 ? 2 : 1 };
  }
  if (ownShare >= 0.4 && lastDeclined < lastOwn) {
    const isSuggested = strong.filter(({ share: part }) => part >= 0.2).every(({ voice }) => voice === "suggests");
    return { ...declined, grade: Math.min(byWords, isSuggested ? 4 : 5, doubt(strong, clauses)) };
  }
  if (ownShare >= 0.4) return { ...declined, grade: Math.min(byWords, hard.length > 0 ? 3 : 4) };
  const isQuoted = saying.some(({ voice }) => voice === "quoted");
  if (lastDeclined < lastSaid) return { ...declined, grade: Math.min(byWords, isQuoted ? 4 : 3) };
  // Calling it the author's opinion does not deny that it is the answer.
  const isOpinion = clauses.some(({ stems }, at) => at > lastSaid && stems.includes("opinion"));
  return { ...declined, grade: Math.min(byWords, isOpinion ? 4 : 2) };
}

/** The highest grade by certainty: 4 where a sentence that gives the answer doubts it. */
function doubt(saying: readonly Bound[], clauses: readonly Bound[]): number {
  const answering = new Set(saying.filter(({ share }) => share >= 0.2).map(({ sentence }) => sentence));
  return clauses.some((clause) => clause.isDoubted && answering.has(clause.sentence)) ? 4 : 5;
}

/** The clauses that a later one takes back, each with that later one. */
function findTakenBack(clauses: readonly Bound[]): ReadonlyMap<number, number> {
  const taken = new Map<number, number>();
  let last = -1;
  clauses.forEach((clause, at) => {
    if (clause.takesBack && clause.share < 0.3 && last >= 0) {
      for (let place = last; place >= 0 && clauses[place]!.sentence === clauses[last]!.sentence; place--) {
        if (clauses[place]!.found.length > 0) taken.set(place, at);
      }
      last = -1;
    }
    if (clause.found.length > 0) last = at;
  });
  return taken;
}

/** Words about the text, the question and the reply itself; they add nothing to an answer. */
const FRAME = new Set(stemWords(
  "document text context passage essay author article sentence line statement source information provided given according based stated states says said answer " +
    "question response reply quote directly clear definite simply activity activities thing things something anything like one so also there only most best fun",
));
/** Words that hold the needle's own in them. */
const VAGUE = new Set(stemWords("lunch food meal snack bite picnic dinner"));
/** Words of what did not come about. */
const NOT_YET = new Set(stemWords(
  "applied applies applying application sought seeks hoped hopes almost nearly planned wanted tried attempted pending awaiting awaits expects expected",
));
const ALSO = /^(?:also|another|additionally|alternatively|besides|moreover|furthermore)$/i;

/** What the answer adds to the needle's or puts in its place; with it the grade is 3 at most. */
function findAdded(reply: string, clauses: readonly Bound[], asked: Asked): readonly string[] {
  const said = clauses.filter(({ stance, isOfSubject }) => stance === "said" && isOfSubject);
  const sentences = [...Map.groupBy(said, ({ sentence }) => sentence).values()];
  const answering = sentences.filter((some) => asked.shareOf(some.flatMap(({ found }) => found)) >= 1 / 3);
  const found = new Set(said.flatMap((clause) => clause.found));
  const isNew = (stem: string): boolean => !asked.isKnown(stem) && !FRAME.has(stem);
  return [
    ...new Set([
      ...answering.flatMap((some) => some.flatMap((clause) => namesIn(clause, isNew))),
      ...answering.flatMap((
        some,
      ) => [...exchanged(some, asked, { found, isNew }), ...besides(some, asked, isNew), ...turned(some, asked)]),
      ...rivals(said, asked, isNew),
      ...otherItems(reply, asked, isNew),
      ...otherSentences(clauses, asked),
    ]),
  ];
}

/** Names and numbers; the first word of a sentence is always capitalised, and an author's name is no answer. */
function namesIn({ words, stems, join, isFirst }: Clause, isNew: (stem: string) => boolean): string[] {
  return words.filter((word, at) => {
    if (!/^(?:\p{Lu}\p{L}|\d)/u.test(word) || !isNew(stems[at]!)) return false;
    if (at === 0 && (isFirst || join === ":")) return false;
    const around = [words[at - 2], words[at - 1], words[at + 1], words[at + 2]];
    return !around.some((other) => SPEAKING.test(other?.toLowerCase() ?? "") && other?.toLowerCase() !== "from");
  });
}

/** Another word in place of the needle's: `rainy day` for `sunny day`, `eat a burrito` for `eat a sandwich`. */
function exchanged(clauses: readonly Bound[], asked: Asked, { found, isNew }: {
  readonly found: ReadonlySet<string>;
  readonly isNew: (stem: string) => boolean;
}): string[] {
  const stems = clauses.flatMap((clause) => clause.stems);
  const needle = stemWords(asked.needle);
  const isArticle = (word: string | undefined): boolean => /^(?:an?|the|some)$/.test(word ?? "");
  return asked.wanted.flatMap((word) => {
    if (found.has(word)) return [];
    const at = needle.indexOf(word);
    const [last, next] = [needle[at - 1], needle[at + 1]];
    if (next !== undefined && found.has(next)) {
      const other = stems[stems.indexOf(next) - 1];
      if (other !== undefined && isNew(other)) return [other];
    }
    if (isArticle(last) && asked.wanted.includes(needle[at - 2] ?? "")) {
      const verb = stems.indexOf(needle[at - 2]!);
      const other = verb < 0 ? undefined : isArticle(stems[verb + 1]) ? stems[verb + 2] : stems[verb + 1];
      if (other !== undefined && isNew(other) && !VAGUE.has(other)) return [other];
    }
    return [];
  });
}

/** Other things in a list with the answer: `a loan and a patent`, `or ride a cable car`. */
function besides(clauses: readonly Bound[], asked: Asked, isNew: (stem: string) => boolean): string[] {
  const pieces = clauses.filter(({ join }) => /^(?:|[,;:—–]|and|but|so|therefore|thus)$/.test(join)).flatMap(partRow);
  const has = ({ stems }: Piece): boolean => findWanted(stems, asked.wanted).length > 0;
  const isThing = ({ stems }: Piece): boolean => /^(?:an?|some)$/.test(stems.find((stem) => stem !== "either") ?? "");
  const isJoined = pieces.some((piece) => isThing(piece) && /^(?:and|or)$/.test(piece.join));
  return pieces.flatMap((piece, at) => {
    if (has(piece)) return [];
    const other = piece.stems.findLast(isNew);
    if (other === undefined) return [];
    const next = pieces[at + 1];
    const isOr = piece.join === "or" || (next?.join === "or" && has(next));
    const verb = piece.stems.findIndex((stem) => asked.verbs.has(stem));
    const isThingThere = isThing(piece) || (verb >= 0 && /^(?:an?|some)$/.test(piece.stems[verb + 1] ?? ""));
    const isInRow = isThingThere && (isJoined || (piece.join === "and" && at > 0 && has(pieces[at - 1]!)));
    return isOr || isInRow || (piece.join === "with" && at > 0 && has(pieces[at - 1]!)) ||
        piece.stems.some((stem) => ALSO.test(stem))
      ? [other]
      : [];
  });
}

interface Piece {
  readonly join: string;
  readonly stems: readonly string[];
}

function partRow({ join, stems }: Clause): Piece[] {
  const pieces: { join: string; stems: string[] }[] = [{ join, stems: [] }];
  stems.forEach((stem, at) => {
    if (stem === "and" || stem === "or" || stem === "plu") {
      pieces.push({ join: stem === "or" ? "or" : "and", stems: [] });
    } else if ((/^well?$/.test(stem) && stems[at + 1] === "as") || (stem === "along" && stems[at + 1] === "with")) {
      pieces.push({ join: "with", stems: [] });
    } else pieces.at(-1)!.stems.push(stem);
  });
  const [first, second] = pieces;
  // After a comma, `or` and `and` come first and join their piece.
  return first!.stems.length === 0 && second !== undefined ? pieces.slice(1) : pieces;
}

/** What makes it another event: `applied for`, or `after` where the needle has `before`. */
function turned(clauses: readonly Bound[], { needle }: Asked): string[] {
  const stems = clauses.flatMap((clause) => clause.found.length > 0 ? clause.stems : []);
  const own = new Set(stemWords(needle));
  const order = clauses.flatMap((clause) => clause.stems);
  const swapped = (["before", "after"] as const).filter((word, at, both) =>
    order.includes(word) && !own.has(word) && own.has(both[1 - at]!) && !order.includes(both[1 - at]!)
  );
  return [...stems.filter((stem) => NOT_YET.has(stem) && !own.has(stem)), ...swapped];
}

/** Other answers in sentences of their own: `It also received a grant`, `The best thing is to visit Alcatraz`. */
function rivals(said: readonly Bound[], asked: Asked, isNew: (stem: string) => boolean): string[] {
  let before: { readonly word: string; readonly sentence: number } | undefined;
  let isAnswered = false;
  return said.flatMap((clause): readonly string[] => {
    if (clause.voice === "quoted") return [];
    const { words, stems } = clause;
    const also = words.findIndex((word) => ALSO.test(word));
    if (clause.found.length > 0) {
      const isSecond = also >= 0 && !isAnswered && before !== undefined && before.sentence < clause.sentence;
      isAnswered = true;
      return isSecond ? [before!.word] : [];
    }
    const word = isAnswered ? undefined : stems.findLast(isNew);
    if (word !== undefined) before = { word, sentence: clause.sentence };
    if (also >= 0 && also < 5) return stems.slice(also + 1).filter(isNew).slice(-1);
    const verb = stems.findLastIndex((stem) => asked.verbs.has(stem));
    if (verb < 0) return [];
    const isObject = /^(?:an?|some)$/.test(stems[verb + 1] ?? "") && isNew(stems[verb + 2] ?? "the");
    if (isObject) return [stems[verb + 2]!];
    return stems.filter((stem, place) => place > verb && /^\p{Lu}/u.test(words[place]!) && isNew(stem));
  });
}

/** Items of a list, one of which is the answer. */
function otherItems(reply: string, asked: Asked, isNew: (stem: string) => boolean): string[] {
  const items = reply.split("\n").flatMap((line) => /^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+(\S.*)$/.exec(line)?.[1] ?? []);
  const stems = items.map((item) => stemWords(item));
  const shares = stems.map((some) => asked.shareOf(findWanted(some, asked.wanted)));
  if (!shares.some((share) => share >= 0.6)) return [];
  return stems.flatMap((some, at) => shares[at] === 0 ? some.filter(isNew).slice(-1) : []);
}

/** A reply that repeats a document has many sentences about neither the needle's subject nor the text. */
function otherSentences(clauses: readonly Bound[], asked: Asked): string[] {
  const sentences = [...Map.groupBy(clauses, ({ sentence }) => sentence).values()];
  const others = sentences.filter((some) =>
    some.every(({ stems }) => !stems.some((stem) => FRAME.has(stem) || asked.subject.has(stem) || asked.isWanted(stem)))
  );
  return others.length >= 6 && others.length >= 0.6 * sentences.length ? [`${others.length} other sentences`] : [];
}

/** The rubric's grade, from 1 to 5; the first reference is the needle, the others are the question in its wordings. */
export const recallRubricScorer: Scorer = {
  name: "recall rubric",
  about: "a grade from 1 to 5 by rubric, as a share of 5; penalised: the share above the lowest grade, from 0",
  shape: "text",
  grade(reply, { references }): Grading {
    const [needle = "", ...questions] = references;
    const score = recallRubric(reply, needle, { question: questions.join(" ") });
    return { score, penalised: { value: (score.grade - 1) / 4, answer: score.answer, why: score.why } };
  },
};
