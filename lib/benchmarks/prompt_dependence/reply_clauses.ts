import { stemWords } from "./wanted_words.ts";

/**
 * What a clause does with what it names: `said` or `negated`; `declined`, where the reply says that the text does not say or that
 * it cannot answer; `aside`, where it says that there is nothing more to say.
 */
type Stance = "said" | "negated" | "declined" | "aside";

/**
 * How a clause gives the answer: as the reply's `own`, as what the text `suggests`, `quoted`, or as something that the text only
 * `mentioned` or has as its `topic`.
 */
type Voice = "own" | "suggests" | "quoted" | "mentioned" | "topic";

/** A part of a reply with one subject, stance and voice. */
export interface Clause {
  /** Its words as they stand. */
  readonly text: string;
  /** Each word's stem, in order. */
  readonly stems: readonly string[];
  /** Each word as it stands, in order. */
  readonly words: readonly string[];
  /** The mark or word between it and the clause before it, in lower case; empty for none. */
  readonly join: string;
  /** Whether it is the first of its sentence. */
  readonly isFirst: boolean;
  /** The number of its sentence. */
  readonly sentence: number;
  readonly stance: Stance;
  readonly voice: Voice;
  /** Whether a declining leaves room: `cannot say for sure`, `no more details`. */
  readonly isSoft: boolean;
  /** Whether it doubts: `maybe`, `I am not sure`, or a question. */
  readonly isDoubted: boolean;
  /** Whether it takes for granted what it names of the answer: `the patent`, `this patent`. */
  readonly presumes: boolean;
  /** Whether it takes back what the sentence before it says: `but that is not true`, `No, …`. */
  readonly takesBack: boolean;
}

/** Words by their stems, as {@linkcode stemWords} gives them. */
function stems(words: string): ReadonlySet<string> {
  return new Set(stemWords(words));
}

const NEGATORS = new Set(
  "not never no none nobody nothing neither nor cannot hardly scarcely barely without".split(" "),
);
/** Words that negate by themselves, and that a negator before them turns back: `not denied`. */
const REVERSERS = stems(
  "deny denied denies denial refuse refused reject rejected fail failed fails failure lack lacked lacking revoke revoked withdrawn withheld " +
    "false untrue wrong incorrect mistaken error erroneous doubt doubtful invalid forfeited lost prevented declined joke bogus myth overrated worst mistake ignored disregarded",
);
/** Words that negate what follows at once: `avoid eating`. */
const SHUNS = stems("avoid avoiding skip skipping forgo against dislike dislikes hates");
/** Words that a negator turns into praise: `nothing beats`, `never disappoints`, `no better thing`. */
const PRAISED = stems(
  "better finer nicer greater beat beats beaten beating tops top compare compares rival rivals match matches surpasses equals regret disappoint " +
    "disappoints miss missed hesitate forget overlook surprise surprisingly only just merely simply unlike",
);
/** After `no` or `nothing`, not after `not`: `nothing but`, `no other than`, `nothing more pleasant`. */
const NONE_PRAISED = stems("more less fewer but other else short like question wonder");
/** What says that there is no more than was said denies nothing. */
const NO_MORE = stems(
  "other else alternative alternatives additional beyond further qualification qualifications equivocation outside much many detail details again anything",
);
const SOFTENERS = stems(
  "definitive definitively definite definitely confidently certain certainty certainly sure necessarily exact exactly single entirely fully more clear objectively",
);
const TELLING = stems(
  "mention mentions provide provides contain contains state states stated address discuss specify specifies specified say says said give gives given include " +
    "includes answer answers reveal tell tells told indicate indicates describe describes explain refer reference references information " +
    "context indication evidence know find determine conclude idea list name recommendation recommend clear appear offer offers",
);
const UNABLE = stems("unable impossible unclear unknown insufficient refrain unanswerable sorry apologize apologise");
const DOUBTS = stems("maybe perhaps possibly might guess unsure uncertain presumably probably likely");
const DOUBTING = /\b(?:may|could) have\b|\bone of (?:the|several|many)\b|\bsome (?:people|say)\b|\bone \w+ option\b/;
const SUGGESTS = stems(
  "suggest suggests suggested suggesting recommends recommended implies implied hints proposes favours favors opinion preference",
);
const MENTIONS = stems("mention mentions mentioned mentioning name named names refers alludes");
const TOPICS = stems("discuss discusses discussed discussing talks covers about topics deals concerns");
const FALSEHOODS = stems(
  "false untrue wrong incorrect mistaken dismissed hypothetical erroneous error bogus joke sarcastic unsupported retracted refuted fictional irrelevant ironic",
);
const POINTERS =
  /^(?:this|that|it|which|these|statement|claim|sentence|suggestion|line|passage|quote|idea|advice|one|latter)$/;
const COPULA = /^(?:is|was|are|were|be|been|isn['’]t|wasn['’]t|aren['’]t|weren['’]t|seems|appears)$/;

/** Words that begin a clause of their own. */
const OPENERS = new Set(
  "but however although though while whereas yet except because since so therefore thus unless until instead rather without besides apart despite unlike"
    .split(" "),
);
/** What `without` says plainly with: `without question`. */
const PLAINLY = /^(?:saying|question|fail|exception|hesitation|reservation)$/;
/** Openers whose clause is set against what is said: `rather than a patent`. */
const SET_AGAINST = /^(?:instead of|rather than|unlike|as opposed|contrary to)\b/;
/** Behind `and`, a clause of its own begins. */
const AFTER_AND =
  /^(?:it|they|he|she|that|this|i|we|you|instead|then|so|not|never|don['’]t|there|is|was|may|might|only|just)$/;

const QUOTE_OPEN = "\uE000";
const QUOTE_CLOSE = "\uE001";
const TOKENS = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*|[,;:()—–?]|\uE000\d+\uE001/gu;
const QUOTATIONS =
  /["“«„][^"“”«»„]*["”»]|(?<![\p{L}\p{N}])['‘](?=\p{L})(?:[^'‘’]|(?<=\p{L})['’](?=\p{L}))*['’](?!\p{L})/gu;

/**
 * Parts a reply into clauses and tells of each whether it says, negates or declines what it names.
 *
 * The rules are for English. They look at words alone, take time in proportion to the reply, and are wrong where only the sense of
 * a sentence tells: a negation reaches over its clause; a clause ends with a comma, a conjunction or an opening word such as
 * `instead`; a negated negation, `not denied` or `can't go wrong`, says what it names.
 *
 * @param reply Any text.
 * @param isWanted Whether a stem belongs to the answer.
 * @returns The clauses in order; those of a quotation stand where it stands.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const clauses = readClauses("It was not a loan but a patent.", () => true);
 * deepEqual(clauses.map(({ text, stance }) => [text, stance]), [["It was not a loan", "negated"], ["but a patent", "said"]]);
 * ```
 */
export function readClauses(reply: string, isWanted: (stem: string) => boolean): readonly Clause[] {
  const quotes: string[] = [];
  const masked = reply.replaceAll(/[\uE000\uE001]|\[\d{1,3}\]/g, " ").replaceAll(QUOTATIONS, (quotation) => {
    const inside = quotation.slice(1, -1);
    // A word or two in quotation marks are stressed, not quoted.
    if ((inside.match(/\s+/g) ?? []).length < 3) return ` ${inside} `;
    quotes.push(inside);
    return `${QUOTE_OPEN}${quotes.length - 1}${QUOTE_CLOSE}${/[.!?]\s*$/.test(inside) ? ". " : " "}`;
  });
  const clauses: Clause[] = [];
  splitReply(masked).forEach((sentence, number) => {
    for (const part of partSentence(sentence, number, isWanted)) {
      clauses.push(part);
      for (const [, at] of part.text.matchAll(/\uE000(\d+)\uE001/g)) {
        const inner = splitReply(quotes[Number(at)]!).flatMap((line) => partSentence(line, number, isWanted));
        const isSaid = part.stance === "said" || part.stance === "aside";
        for (const clause of inner) {
          clauses.push({
            ...clause,
            stance: isSaid || clause.stance !== "said" ? clause.stance : part.stance,
            voice: part.voice === "suggests" && isSaid ? "suggests" : "quoted",
            takesBack: false,
          });
        }
      }
    }
  });
  return clauses.map((clause) => ({ ...clause, text: clause.text.replaceAll(/\uE000\d+\uE001/g, "“…”") }));
}

/** Parts a reply into sentences; lines end them too. */
function splitReply(reply: string): string[] {
  return reply.split(/(?=\s)(?<=[.!?。！？]["”’)]*)\s+|\n+/u).map((part) => part.trim()).filter((part) => part !== "");
}

/** Parts a sentence without quotations into clauses. */
function partSentence(sentence: string, number: number, isWanted: (stem: string) => boolean): Clause[] {
  const tokens = sentence.match(TOKENS) ?? [];
  const parts: { join: string; tokens: string[] }[] = [];
  let [join, current]: [string, string[]] = ["", []];
  const close = (next: string): void => {
    if (current.length > 0) parts.push({ join, tokens: current });
    // `, but` joins with `but`, and `but, ` as well.
    else if (/^\p{L}/u.test(join)) next = join;
    [join, current] = [next, []];
  };
  tokens.forEach((token, at) => {
    const word = token.toLowerCase();
    const next = tokens[at + 1]?.toLowerCase() ?? "";
    const before = tokens[at - 1]?.toLowerCase() ?? "";
    if (/^[,;:()—–?]$/.test(token)) return close(token);
    if (word === "and" && AFTER_AND.test(next)) close("and");
    else if (OPENERS.has(word) && opens(word, before, next)) close(word);
    current.push(token);
  });
  close("");
  const isQuestion = /\?["”’)]*$/.test(sentence) && !/^why (?:not|don['’]t)\b/i.test(sentence);
  const clauses: Clause[] = [];
  const isOfAlternatives = /\b(?:or|nor)\b/i.test(sentence);
  for (const part of parts) {
    clauses.push(readClause(part, { number, isQuestion, isOfAlternatives, isWanted, before: clauses.at(-1) }));
  }
  return clauses;
}

function opens(word: string, before: string, next: string): boolean {
  if (word === "but") return !/^(?:nothing|none|anything|all)$/.test(before);
  if (word === "rather") return next === "than";
  if (word === "instead") return next === "of";
  if (word === "apart") return next === "from";
  if (word === "yet") return !isNegator(before);
  // `not without` and `goes without saying` open nothing.
  if (word === "without") return before !== "not" && !PLAINLY.test(next);
  if (word === "so") return /^(?:the|to|based|it|i|you|according|that)$/.test(next);
  return true;
}

interface ClausePlace {
  readonly number: number;
  readonly isQuestion: boolean;
  /** Whether its sentence has `or`. */
  readonly isOfAlternatives: boolean;
  readonly isWanted: (stem: string) => boolean;
  readonly before: Clause | undefined;
}

/** The words of a clause in its three spellings. */
interface Wording {
  readonly words: readonly string[];
  readonly low: readonly string[];
  readonly stems: readonly string[];
  /** The small letters, one space between words. */
  readonly line: string;
}

function readClause(
  { join, tokens }: { readonly join: string; readonly tokens: readonly string[] },
  place: ClausePlace,
): Clause {
  const { number, isQuestion, isWanted, before } = place;
  const words = tokens.filter((token) => !token.startsWith(QUOTE_OPEN));
  const low = words.map((word) => word.toLowerCase());
  const wording = { words, low, stems: words.map((word) => stemWords(word)[0] ?? ""), line: low.join(" ") };
  const has = (set: ReadonlySet<string>): boolean => wording.stems.some((stem) => set.has(stem));
  const { isNegated, isReversed, negators } = readNegation(wording, join, place);
  const declining = isReversed ? null : findDeclining(low, wording.stems, negators, isWanted);
  const isUnsure = negators.length > 0 && /\b(?:sure|certain)\b/.test(wording.line) &&
    /^(?:(?:but|though|although|and) )?(?:i|it)\b/.test(wording.line);
  const isRetraction = number > 0 && before === undefined && words.length === 1 &&
    /^(?:no|actually|wait|correction|sorry)$/.test(low[0]!);
  return {
    text: tokens.join(" "),
    words,
    stems: wording.stems,
    join,
    isFirst: before === undefined,
    sentence: number,
    stance: declining ?? (isNegated ? "negated" : "said"),
    voice: has(SUGGESTS) ? "suggests" : readVoice(wording, join, place),
    isSoft: declining === "declined" && has(SOFTENERS),
    isDoubted: isQuestion || has(DOUBTS) || isUnsure || DOUBTING.test(wording.line),
    presumes: wording.stems.every((stem, at) =>
      !isWanted(stem) || /^(?:the|this|that|its|these)$/.test(low[at - 1] ?? "")
    ),
    takesBack: isRetraction || isTakingBack(wording, negators),
  };
}

/** Reads from the words before the answer whether it is only mentioned or a topic. */
function readVoice({ low, stems }: Wording, join: string, { isWanted, before }: ClausePlace): Voice {
  const answer = stems.findIndex(isWanted);
  const lead = answer < 0 ? stems : stems.slice(0, answer);
  if (lead.some((stem) => MENTIONS.has(stem))) return "mentioned";
  if (lead.some((stem) => TOPICS.has(stem))) return "topic";
  // `It discusses startups, parks and sandwiches`: what follows in the list is no more than discussed.
  const isListed = join === "," && (before?.voice === "topic" || before?.voice === "mentioned") &&
    !AFTER_AND.test(low[0] ?? "") && !low.some((word) => /^(?:says?|states?|is|the)$/.test(word));
  return isListed ? before.voice : "own";
}

interface Negation {
  /** Where words such as `not` stand that do not praise. */
  readonly negators: readonly number[];
  /** Whether a word such as `denied` turns the clause round. */
  readonly isReversed: boolean;
  /** Whether it says that something is not so; negated twice it does not. */
  readonly isNegated: boolean;
}

function readNegation(
  { words, low, stems, line }: Wording,
  join: string,
  { isOfAlternatives, isWanted, before }: ClausePlace,
): Negation {
  // `No visit is complete without it` wants it.
  const isWantedBy = low[0] === "without" && before?.stance === "negated";
  const negators = low.flatMap((word, at) =>
    isNegator(word) && !isPraise(low, stems, at) && !(isWantedBy && at === 0) ? [at] : []
  );
  const isReversed = stems.some((stem, at) =>
    REVERSERS.has(stem) || (low[at] === "down" && /^(?:turned|turn|voted|struck)$/.test(low[at - 1] ?? "")) ||
    (SHUNS.has(stem) && stems.slice(at + 1, at + 4).some(isWanted))
  );
  // A piece of a list goes on with the negation before it: `no loan, grant or patent`; `not a loan, a patent` is no list.
  const isItem = /^(?:an?|any)$/.test(low[0] ?? "") || (words.length <= 2 && /^\p{Ll}/u.test(words[0] ?? ""));
  const goesOn = join === "," && before?.stance === "negated" &&
    (/^(?:or|nor|even)$/.test(low[0] ?? "") || (isOfAlternatives && isItem && !AFTER_AND.test(low[0]!)));
  // `Everything except a patent` has none.
  const isExcepted = join === "except" &&
    (before?.words.some((word) => /^(?:everything|anything|all|any|every)$/i.test(word)) ?? false);
  const isUnable = stems.some((stem) => UNABLE.has(stem));
  const isNegative = negators.length > 0 || goesOn || isExcepted || isUnable || SET_AGAINST.test(line) ||
    /\b(?:anything|everything) but\b/.test(line);
  return { negators, isReversed, isNegated: isNegative !== isReversed };
}

/** Whether a clause says of the one before it that it is not so: `this statement is false`, `that is not the best`. */
function isTakingBack({ low, stems, line }: Wording, negators: readonly number[]): boolean {
  const has = (set: ReadonlySet<string>): boolean => stems.some((stem) => set.has(stem));
  const first = low.find((word) =>
    !/^(?:but|however|and|though|although|the|while|yet|because|since|still)$/.test(word)
  );
  const isPointing = POINTERS.test(first ?? "") ||
    low.slice(0, 4).some((word) => /^(?:statement|claim|sentence|suggestion)$/.test(word));
  const isOfBeing = low.slice(0, 6).some((word) => COPULA.test(word));
  const isFalse = has(FALSEHOODS) || has(REVERSERS);
  return isPointing && isOfBeing && isFalse !== negators.length > 0 && !has(SOFTENERS) && !has(NO_MORE) &&
    !line.includes("not only");
}

function isNegator(word: string): boolean {
  return NEGATORS.has(word) || /n['’]t$/.test(word);
}

/** Whether a negator praises, as in `nothing beats` and `why not`. */
function isPraise(low: readonly string[], ownStems: readonly string[], at: number): boolean {
  if (low[at - 1] === "why" || (low[at] === "without" && PLAINLY.test(low[at + 1] ?? ""))) return true;
  if (low[at] === "no" && (low[at + 1] === undefined || low[at - 1] === "or")) return true;
  const next = ownStems.slice(at + 1, at + 5);
  return next.some((stem) => PRAISED.has(stem)) ||
    (/^no|^anything$/.test(low[at]!) && low[at] !== "not" && next.some((stem) => NONE_PRAISED.has(stem)));
}

/** Tells whether a clause says that a text does not tell, or that there is no more to tell than was said; `null` for neither. */
function findDeclining(
  low: readonly string[],
  ownStems: readonly string[],
  negators: readonly number[],
  isWanted: (stem: string) => boolean,
): Exclude<Stance, "negated"> | null {
  const has = (set: ReadonlySet<string>): boolean => ownStems.some((stem) => set.has(stem));
  const isDeclined = has(UNABLE) || negators.some((at) => {
    const next = ownStems.slice(at + 1, at + 6);
    const told = next.findIndex((stem) => TELLING.has(stem));
    const asked = next.findIndex(isWanted);
    return told >= 0 && (asked < 0 || told < asked) && low[at] !== "without";
  });
  if (!isDeclined) return null;
  const limit = ownStems.findIndex((stem) => NO_MORE.has(stem));
  const answer = ownStems.findIndex(isWanted);
  // `Nothing is said of it other than a patent` says it; `no mention of a patent or anything else` does not.
  if (limit >= 0 && answer > limit) return low.slice(limit, answer).includes("than") ? "said" : "aside";
  if (limit >= 0 && answer < 0) return "aside";
  return low.some((word) => /^(?:when|where|why|how)$/.test(word)) ? "aside" : "declined";
}
