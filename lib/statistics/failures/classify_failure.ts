import {
  type AnswerShape,
  type Attempt,
  blankListNumbers,
  type Item,
  listItems,
  plainWords,
  readAttempt,
  spell,
  trimMarks,
} from "./attempt.ts";
import {
  type FailedOutcome,
  type FailedSample,
  FAILURE_CLASSES,
  type FailureClass,
  type FailureEvidence,
  type FailureMode,
} from "./failure_rows.ts";
import { type Trace, traceAnswer, traceItem } from "./traces.ts";
import type { Failure } from "@/lib/models/mod.ts";
import { answerMatch } from "@/lib/scorers/mod.ts";

/**
 * Classifies how a reply failed, from the sample's own facts: what it said instead of an answer and where that comes from, or
 * what it left out.
 *
 * The classes are those of RULER, section 5, and what can happen to a call. A reply that failed as a whole (empty, refused,
 * looped, copied) has that one class; any other is read item by item, and can have several. Only the roles of the facts are
 * used, so samples of any suite will do.
 *
 * @param sample Rebuilt from its record.
 * @returns The failures in the order of `FAILURE_CLASSES`, the primary one first; empty for a right reply, or if there was
 * nothing to score.
 * @throws {RangeError} If the score is outside [0, 1].
 */
export function classifyFailure(sample: FailedSample, outcome: FailedOutcome): FailureMode[] {
  const { reply, value, promptCut } = outcome;
  if (value !== null && !(value >= 0 && value <= 1)) {
    throw new RangeError(`Cannot classify the reply as its score must be in [0, 1]: current value is ${value}`);
  }
  if (reply.kind === "failure") return [explainFailedCall(reply)];
  if (value === null || value === 1) return [];
  const modes: FailureMode[] = [];
  if (promptCut !== undefined) {
    const why = `the server read ${promptCut.counted} tokens of about ${promptCut.expected}`;
    modes.push({ class: "prompt cut", why, evidence: [] });
  }
  const read = readAttempt(sample, outcome)!;
  const items = listItems(read);
  const whole = explainWhole(read, items);
  modes.push(...(whole ? [whole] : explainItems(read, items)));
  return modes.toSorted((left, right) => FAILURE_CLASSES.indexOf(left.class) - FAILURE_CLASSES.indexOf(right.class));
}

/** A call that gave no reply. */
export function explainFailedCall({ failure, message }: Pick<Failure, "failure" | "message">): FailureMode {
  return { class: "failed call", why: `${failure}: ${message}`, evidence: [] };
}

/** Classifies a reply by what it said and what it left out. */
function explainItems(attempt: Attempt, items: readonly Item[]): FailureMode[] {
  const { shape, reply, otherForm, missing } = attempt;
  const own = items.filter(({ text }) => !isPartOfOtherForm(text, attempt));
  const cut = explainCut(attempt, own);
  const traces = shape.kind === "text"
    ? traceAnswer(attempt)
    : [...new Set(own.map(({ text }) => text))].map((text) => traceItem(text, attempt));
  const wrong = traces.filter((trace) => !(cut && trace.class === "partial value" && own.at(-1)?.text === trace.said));
  const modes = [...explainTraces(wrong), ...(cut ? [cut] : []), ...explainShortfalls(attempt, own)];
  if (otherForm.length > 0) modes.push(otherFormMode(otherForm));
  if (modes.length > 0 || missing.length === 0 && otherForm.length === 0 && reply === "") return modes;
  return [items.length === 0 ? formatMode(attempt) : incompleteMode(attempt)];
}

/** Whether a text is a piece of an answer given in another form, such as the 234 of 1 234 567. */
function isPartOfOtherForm(text: string, { otherForm }: Attempt): boolean {
  const bare = plainWords(text).join("");
  return otherForm.some((answer) => plainWords(answer).join("").includes(bare));
}

function explainTraces(traces: readonly Trace[]): FailureMode[] {
  const classes = Map.groupBy(traces.filter((trace) => trace.class !== null), (trace) => trace.class as FailureClass);
  return Array.from(classes, ([of, all]): FailureMode => {
    const evidence = all.map(({ class: _, steps: __, ...rest }) => rest);
    const steps = all.map((trace) => trace.steps).filter((count) => count !== undefined);
    const hop = steps.length === 0 ? {} : { hop: Math.max(...steps) + 1 };
    return { class: of, why: `said ${all.map(describe).join(", ")}`, evidence, ...hop };
  });
}

function describe({ said, key, chain, away, share, count, steps }: Trace): string {
  const notes = [
    ...(steps === undefined ? [] : [`${steps + 1} steps on the way`]),
    ...(key !== undefined && key !== said && key.toLowerCase() !== said ? [`of ${key}`] : []),
    ...(chain === undefined ? [] : [`of the chain of ${chain}`]),
    ...(away === undefined ? [] : [placeText(away)]),
    ...(share === undefined ? [] : [`${(100 * share).toFixed(0)}% of the value`]),
    ...(count === undefined ? [] : [`which appears ${count} times`]),
  ];
  return notes.length === 0 ? said : `${said} (${notes.join(", ")})`;
}

function placeText(away: number): string {
  if (away === 0) return "beside the target";
  return `${Math.abs(100 * away).toFixed(1)}% of the context ${away < 0 ? "before" : "after"} the target`;
}

/**
 * A reply at the output limit counts as cut off if it was unfinished: nothing said yet, or in the middle of its list.
 */
function explainCut({ isCut, shape, missing }: Attempt, items: readonly Item[]): FailureMode | null {
  if (!isCut || missing.length === 0 || shape.kind === "text" && shape.asked === 1) return null;
  const last = items.at(-1);
  if (last === undefined) {
    return { class: "cut off", why: "the output limit cut the reply before its first item", evidence: [] };
  }
  const isCutItem = missing.some((answer) => answer.startsWith(last.text));
  if (!last.isLast || !isCutItem && items.length >= shape.asked) return null;
  const why = `the output limit cut the reply after ${items.length} of ${shape.asked} items`;
  return { class: "cut off", why, evidence: isCutItem ? [{ said: last.text }] : [] };
}

function otherFormMode(answers: readonly string[]): FailureMode {
  const evidence = answers.map((said) => ({ said }));
  return { class: "wrong format", why: `given in another form: ${answers.join(", ")}`, evidence };
}

function formatMode({ shape }: Attempt): FailureMode {
  const wanted = {
    uuid: "UUID",
    number: "number",
    name: "variable",
    pair: "pair of words",
    word: "word",
    text: "answer",
  }[shape.kind];
  return { class: "wrong format", why: `there is no ${wanted} in the reply`, evidence: [] };
}

function incompleteMode({ found, missing }: Attempt): FailureMode {
  const why = `${found.length} of ${found.length + missing.length} items were given`;
  return { class: "incomplete list", why, evidence: [] };
}

/** Classifies what a list lacks: repeated items, a lost chain, fewer items than asked for. */
function explainShortfalls(attempt: Attempt, items: readonly Item[]): FailureMode[] {
  const { shape, missing } = attempt;
  if (missing.length === 0 || shape.asked < 2 || items.length === 0) return [];
  const left = explainChain(attempt) ?? explainGaps(attempt, items);
  return [explainRepeats(items), left].filter((mode) => mode !== null);
}

function explainRepeats(items: readonly Item[]): FailureMode | null {
  const repeated = [...Map.groupBy(items, ({ text }) => text)].filter(([, all]) => all.length > 1);
  if (repeated.length === 0) return null;
  const evidence = repeated.map(([said, all]): FailureEvidence => ({ said, times: all.length }));
  const said = evidence.map(({ said, times }) => `${said} ${times} times`).join(", ");
  return { class: "repeated answer", why: `repeated: ${said}`, evidence };
}

/** A chain is lost if all its variables are missing from some hop on; a mere gap does not count. */
function explainChain({ shape, missing }: Attempt): FailureMode | null {
  const { chain } = shape;
  const hop = chain.findIndex((answer) => missing.includes(answer));
  if (hop < 0 || !chain.slice(hop).every((answer) => missing.includes(answer))) return null;
  const why = hop === 0
    ? `none of the chain's ${chain.length} variables was given`
    : `the chain of ${chain.length} variables was followed to hop ${hop - 1} and lost at hop ${hop}`;
  return { class: "chain lost", why, evidence: [], hop };
}

function explainGaps({ shape, otherForm }: Attempt, items: readonly Item[]): FailureMode | null {
  const given = items.length + otherForm.length;
  if (given >= shape.asked) return null;
  return { class: "incomplete list", why: `${given} of ${shape.asked} items were given`, evidence: [] };
}

/** Classifies a reply that failed as a whole; `null` if it must be read item by item. */
function explainWhole(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  return explainLoop(attempt) ?? explainSilence(attempt) ?? explainRefusal(attempt, items) ??
    explainExample(attempt, items) ??
    explainCopy(attempt) ?? explainMemory(attempt);
}

function explainSilence({ reply, isCut, isFiltered }: Attempt): FailureMode | null {
  if (plainWords(reply).length > 0) return null;
  if (isFiltered) {
    return {
      class: "refusal",
      why: "the provider's content filter stopped the reply before its first word",
      evidence: [],
    };
  }
  if (isCut) {
    return { class: "cut off", why: "the output limit was reached before the first word of an answer", evidence: [] };
  }
  return { class: "empty", why: reply === "" ? "the reply is empty" : "the reply is only punctuation", evidence: [] };
}

function explainLoop({ reply, shape, isCut }: Attempt): FailureMode | null {
  // More rounds than items asked for: giving the same answer for each item is not a loop.
  const least = isCut ? Math.max(3, shape.asked + 1) : Math.max(4, shape.asked + 2);
  const loop = findLoop(reply, least);
  if (!loop) return null;
  const { unit, rounds } = loop;
  return { class: "loop", why: `the same text is repeated ${rounds} times`, evidence: [{ said: unit, times: rounds }] };
}

function explainRefusal(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  const { reply, shape, found, otherForm, isFiltered } = attempt;
  if (found.length + otherForm.length > 0) return null;
  if (isFiltered) return { class: "refusal", why: "the provider's content filter stopped the reply", evidence: [] };
  const text = spell(reply).replaceAll(/\s+/g, " ");
  const refusal = findRefusal(text);
  if (!refusal || refusal.at > endOfOpening(text, shape, items)) return null;
  return { class: "refusal", why: "the reply says that it has no answer", evidence: [{ said: refusal.said }] };
}

/**
 * Where the opening of a reply ends: at its first item or, for plain text, after its second sentence. "The text holds no
 * other" after an answer is not a refusal.
 */
function endOfOpening(text: string, { kind }: AnswerShape, [first]: readonly Item[]): number {
  if (kind === "text" || kind === "word") return /^(?:[^.!?。！？]*(?:[.!?。！？]+|$)){0,2}/.exec(text)![0].length;
  const at = first ? text.indexOf(first.text) : -1;
  return at < 0 ? Infinity : at;
}

function explainExample({ shape }: Attempt, items: readonly Item[]): FailureMode | null {
  const said = new Set(items.map(({ text }) => text));
  const copied = [...said].filter((text) => shape.examples.has(text) && !shape.targets.has(text));
  if (copied.length < Math.min(2, shape.asked) || 2 * copied.length < said.size) return null;
  const why = `${copied.length} of ${said.size} items are from the worked example`;
  return { class: "example copied", why, evidence: copied.map((text) => ({ said: text })) };
}

function explainCopy(attempt: Attempt): FailureMode | null {
  const copy = findCopy(attempt);
  if (!copy) return null;
  const { text, depth } = copy;
  const why = `${text.length} characters are copied from the prompt word for word`;
  return { class: "context copied", why, evidence: [{ said: text, depth }] };
}

function explainMemory({ reply, closedBookAnswer }: Attempt): FailureMode | null {
  if (closedBookAnswer === undefined || plainWords(closedBookAnswer).length === 0) return null;
  if (answerMatch(reply, [closedBookAnswer]).exact !== true) return null;
  return {
    class: "closed-book answer",
    why: "the same answer was given without the context",
    evidence: [{ said: reply }],
  };
}

// The least length of a copied stretch, in characters, and its least share of the reply. Planted sentences and answers
// are shorter or are found earlier.
const LEAST = 48;
const LEAST_SHARE = 0.6;

/**
 * Finds the stretch of the context that makes up most of a reply, word for word, and the share of the context before it. It
 * must start in the first two fifths of the reply, or it could not make up most of it.
 */
function findCopy(
  { reply, context, shape }: Attempt,
): { readonly text: string; readonly depth: number } | null {
  const text = spell(reply).replaceAll(/\s+/g, " ");
  if (text.length < LEAST) return null;
  const source = context().replaceAll(/\s+/g, " ");
  for (let start = 0; start <= text.length * (1 - LEAST_SHARE); start++) {
    if (start > 0 && text[start - 1] !== " ") continue;
    const at = source.indexOf(text.slice(start, start + LEAST));
    if (at < 0 || start + LEAST > text.length) continue;
    let length = LEAST;
    while (start + length < text.length && source[at + length] === text[start + length]) length++;
    if (length < LEAST_SHARE * text.length) continue;
    const copied = text.slice(start, start + length);
    // A repeated planted sentence is classified by what it says.
    const isPlanted = !shape.isCounted &&
      [...shape.rivals.keys(), ...shape.targets.keys()].some((said) => copied.includes(said));
    return isPlanted ? null : { text: copied, depth: at / source.length };
  }
  return null;
}

// The longest repeated unit, in words or characters.
const LONGEST_UNIT = 60;

// The most words or characters of a reply that are searched; a loop that starts later fills less than half of it.
const MOST_PIECES = 3000;

// The least length of a loop without spaces, in characters: a short word may repeat a syllable.
const LEAST_CHARACTERS = 40;

/**
 * Finds a loop that makes up at least half of a text: one word, or a row of words, over and over. The numbers of a numbered list
 * do not break it. A text without spaces is searched by character.
 */
function findLoop(text: string, least: number): { readonly unit: string; readonly rounds: number } | null {
  const words = blankListNumbers(text).split(/\s+/, 2 * MOST_PIECES).map((word) => trimMarks(word).toLowerCase())
    .filter((word) => word !== "");
  const byWord = findPeriod(words.slice(0, MOST_PIECES), least);
  if (byWord) return { unit: byWord.unit.join(" "), rounds: byWord.rounds };
  const characters = [...text.replaceAll(/\s+/g, "")].slice(0, MOST_PIECES);
  const byCharacter = findPeriod(characters, least);
  if (!byCharacter || byCharacter.rounds * byCharacter.unit.length < LEAST_CHARACTERS) return null;
  return { unit: byCharacter.unit.join(""), rounds: byCharacter.rounds };
}

/** Finds the shortest row of pieces that repeats over at least half of them all. */
function findPeriod(
  pieces: readonly string[],
  least: number,
): { readonly unit: string[]; readonly rounds: number } | null {
  for (let period = 1; period <= Math.min(LONGEST_UNIT, pieces.length / least); period++) {
    let run = 0;
    let longest = 0;
    let end = 0;
    for (let at = period; at < pieces.length; at++) {
      run = pieces[at] === pieces[at - period] ? run + 1 : 0;
      if (run <= longest) continue;
      longest = run;
      end = at + 1;
    }
    const length = longest + period;
    const rounds = Math.floor(length / period);
    if (rounds >= least && 2 * length >= pieces.length) return { unit: pieces.slice(end - period, end), rounds };
  }
  return null;
}

// A few words between a verb and its object, within the sentence.
const FEW = "(?:[\\w']+,? ){0,4}";

/** English refusals. Compared in lower case with plain apostrophes. */
const ENGLISH: readonly RegExp[] = [
  // "I cannot find …", "unable to determine …", "I am not able to answer …"
  `\\b(?:cannot|can not|can't|could not|couldn't|unable to|not able to|not possible to|refrain from) ${FEW}(?:find|found|locate|answer|determine|determined|identify|provide|retrieve|say|state|tell|see|help|assist|comply|give|confirm|speculat\\w+|recall|access|complete|fulfill|extract)\\b`,
  // "the context does not mention …", "is not mentioned", "does not provide …"
  `\\b(?:do|does|did|is|are|was|were|has|have)(?: not|n't) ${FEW}(?:mention|contain|provide|include|specif|state|discuss|appear|reference|address|present|available|exist|found|enough|sufficient|know|see|given|listed|assigned)\\w*`,
  // "there is no mention of …", "no information", "no relevant documents", "no such key"
  `\\bno (?:clear |direct |specific |relevant |explicit |definitive |such |additional |special |magic )*(?:mention|information|answer|reference|record|indication|statement|details?|context|evidence|document|text|variables?|numbers?|words?|uuids?|values?|keys?)\\b`,
  `\\b(?:insufficient|not enough|without (?:more|any|additional|further)) ${FEW}(?:information|context|details?|data)\\b`,
  `\\b(?:not|never|nowhere) (?:explicitly |directly |specifically |clearly )?(?:mentioned|provided|specified|stated|found|given|available|listed|present|included)\\b`,
  // "As an AI language model …"
  `\\bas an ai\\b`,
  // The whole reply is "Unknown", "N/A", "None", "Not sure"
  `^\\W*(?:the answer is )?(?:unknown|unanswerable|n/?a|none|nothing|no answer|no idea|not sure|unclear|undetermined)\\W*$`,
].map((pattern) => new RegExp(pattern));

const CHINESE: readonly RegExp[] = [
  /(?:无法|不能|没法|難以|难以|無法)[^，。；！？\n]{0,8}(?:回答|确定|找到|提供|得知|判断|给出|识别|知道|推断|確定|回覆|回复|协助|帮助)/,
  /(?:没有|没|未|并未|并没有|未能|沒有|並未)[^，。；！？\n]{0,8}(?:提到|提及|找到|包含|说明|给出|提供|出现|记录|相关|涉及|明确|信息|答案|提過|說明)/,
  /不(?:知道|清楚|确定|詳|详)/,
  /(?:信息|資訊|内容|资料|上下文)不(?:足|够|夠)/,
  /(?:抱歉|对不起|很遗憾|對不起)[^。！？\n]{0,20}(?:无法|不能|没有|未|無法|沒有)/,
];

/**
 * Finds the first refusal in a text and its place: the context does not have the answer, it cannot be found, or the model
 * will not say it.
 */
function findRefusal(text: string): { readonly said: string; readonly at: number } | null {
  const matches = [...ENGLISH, ...CHINESE].map((pattern) => pattern.exec(text)).filter((match) => match !== null);
  const [first] = matches.sort((left, right) => left.index - right.index);
  return first ? { said: first[0], at: first.index } : null;
}
