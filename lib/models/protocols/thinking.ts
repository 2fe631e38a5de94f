import table from "./thinking_marks.json" with { type: "json" };

export interface WrittenText {
  readonly text: string;
  readonly thinking?: string;
  /** Whether thinking ended without an opening mark, which the server's template wrote into the prompt. */
  readonly isUnopened?: boolean;
}

/** What is known of a reply from others of its model and its server. */
export interface Reading {
  /** Whether the model has thinking that its template opens. */
  readonly opensThinking?: boolean;
  /** Whether the server names why its replies end. */
  readonly namesReasons?: boolean;
  /** Whether the reply comes from a file, which need not record why it ended. */
  readonly isRecorded?: boolean;
}

/** The marks around thinking, as regular expressions; `NAME` is one of `names`, the same in both. */
interface Marks {
  readonly open: string;
  readonly close: string;
  readonly names?: string;
  /** What also closes it once it was opened. */
  readonly also?: string;
  /** Whether prose can have the marks: tags, other than tokens of a vocabulary. */
  readonly isTag?: boolean;
  /** Whether a mark counts only with its counterpart and with text after both, as it is a common word. */
  readonly isPaired?: boolean;
}

const NAMES = String
  .raw`(?:\w+[:_])?(?:(?:ant)?think(?:ing)?|thoughts?|reasoning|scratchpad|monologue)(?:[:_]\w+)?`;

/** Marks by family, with the words of a start and of an end and the header of a message of gpt-oss, from the chat templates of the models and the parsers of vLLM, SGLang and llama.cpp. */
const FAMILIES: readonly Marks[] = table.families.map((family) => {
  const fill = (mark: string): string =>
    Object.entries(table.parts).reduce((text, [name, part]) => text.replaceAll(name, () => part), mark);
  return { ...family, open: fill(family.open), close: fill(family.close) };
});

/** Searches for a closing mark without one, after which no other is searched for: each reads the rest of the text. */
const MAX_MISSES = 40;

/** Marks around an answer, and tokens that end a message. */
const ANSWER_TOKEN = /^\s*<\|begin\|>assistant<\|content\|>/i;
const ANSWER_TAG = /^\s*<(answer|response|output|final_answer|solution)>([^]*?)(?:<\/\1>\s*)?$/i;
const LAST_TOKEN =
  /(?:<\|(?:END_RESPONSE|END_TEXT|end_of_solution|return|end|call|im_end|eot_id|end_?of_?text)\|>|<\/s>|<end_of_turn>|<\|start\|>assistant(?:<\|channel\|>\w*)?)\s*$/i;

/**
 * Thinking whose opening mark the server's template wrote talks to itself, as no answer to a reader does. The last resort where
 * nothing else shows what a reply was cut in; a whole reply has its closing mark.
 */
const SELF_TALK =
  /(?:^\s*|[.!?…\n][^\S\n]{0,9})(?:hmm+\b|wait[,.…!]|but is (?:it|that|this)\b)|^\s*the user (?:asks|wants|is asking)\b/i;

/** Any mark: each family has groups for its opening mark, its name and a closing mark alone. */
const ANY_MARK = FAMILIES.map(({ open, close, names = NAMES, isPaired }, at) => {
  const opening = `(?<open${at}>${open.replace("NAME", () => `(?<name${at}>${names})`)})`;
  return isPaired ? opening : `${opening}|(?<close${at}>${close.replaceAll("NAME", () => `(?:${names})`)})`;
}).join("|");

/**
 * Separates thinking from a text, by the marks of {@linkcode FAMILIES}.
 *
 * The opening mark can be missing, as the server's template may have written it. Without a closing mark the model was still
 * thinking when it ended. There can be several blocks. A tag that a sentence only mentions is text.
 */
export function splitThinking(
  written: string,
  { isCut = false, isUnthinking = false, opensThinking = false }: Reading & {
    /** Whether the server counted its tokens of thinking, and found none. */
    readonly isUnthinking?: boolean;
    /** Whether its budget or the window ended it. */
    readonly isCut?: boolean;
  } = {},
): WrittenText {
  const scan = new RegExp(ANY_MARK, "gi");
  const [texts, thoughts]: [string[], string[]] = [[], []];
  let [from, isUnopened, misses] = [0, false, 0];
  const isStart = (end: number): boolean => `${texts.join("")}${written.slice(from, end)}`.trim() === "";
  for (let found = scan.exec(written); found !== null; found = scan.exec(written)) {
    const { index, groups = {} } = found;
    const at = FAMILIES.findIndex((_, at) => (groups[`open${at}`] ?? groups[`close${at}`]) !== undefined);
    const family = FAMILIES[at]!;
    const end = scan.lastIndex;
    if (isQuoted(written, index, end)) continue;
    if (groups[`open${at}`] === undefined) {
      const before = written.slice(from, index);
      if (family.isTag && isMentioned(written, index, end)) continue;
      // A second closing mark at the end closes nothing.
      const isOpened = thoughts.length > 0 && !isUnopened;
      const isStray = isOpened && written.slice(end).trim() === "";
      if (isStray) texts.push(before);
      else if (before.trim() !== "") {
        for (const part of [...texts.splice(0), before]) thoughts.push(part);
        isUnopened ||= !isOpened;
      }
      from = end;
      continue;
    }
    const name = RegExp.escape(groups[`name${at}`] ?? "");
    const ends = [family.close.replaceAll("NAME", () => name), family.also ?? []].flat().join("|");
    const closing = misses < MAX_MISSES ? new RegExp(ends, "gi") : undefined;
    if (closing !== undefined) closing.lastIndex = end;
    const closed = closing?.exec(written) ?? null;
    if (closed === null) misses++;
    const inside = written.slice(end, closed?.index);
    const next = closed === null ? end : closed.index + closed[0].length;
    const isBlock = !family.isTag || isPlaced(written, index) || closed !== null && /[.!?\n]|.{80}/.test(inside);
    const isWhole = closed === null
      ? !family.isPaired && (isCut || isStart(index))
      : !family.isPaired || written.slice(next).trim() !== "";
    scan.lastIndex = isBlock && !isWhole ? end : next;
    if (!isBlock || !isWhole) continue;
    texts.push(written.slice(from, index));
    thoughts.push(inside);
    from = closed === null ? written.length : next;
    scan.lastIndex = from;
  }
  const isFound = thoughts.length > 0;
  if (!isFound && isCut && (opensThinking || !isUnthinking && SELF_TALK.test(written))) {
    return { text: "", thinking: written.trim() };
  }
  const text = [...texts, written.slice(from)].join("").replace(ANSWER_TOKEN, "").replace(LAST_TOKEN, "");
  if (!isFound) return { text };
  return {
    text: ANSWER_TAG.exec(text)?.[2]?.trim() ?? text.trimStart(),
    thinking: thoughts.map((thought) => thought.trim()).filter(Boolean).join("\n"),
    isUnopened,
  };
}

function isQuoted(written: string, start: number, end: number): boolean {
  const quotes = "\"'`“”‘’«»";
  return start > 0 && end < written.length && quotes.includes(written[start - 1]!) && quotes.includes(written[end]!);
}

/** Whether a mark begins a text, a line or a sentence. */
function isPlaced(written: string, index: number): boolean {
  return /(?:^|[\n.!?>\]|▷])\s*$/.test(written.slice(0, index).slice(-40));
}

/** Whether a mark is a word of a sentence. */
function isMentioned(written: string, start: number, end: number): boolean {
  return /[A-Za-z,] $/.test(written.slice(Math.max(0, start - 2), start)) &&
    /^ [a-z]/.test(written.slice(end, end + 2));
}

/** Whether a text has a mark of thinking, or begins with what looks like one. */
export function hasThinkingMarks(text: string): boolean {
  return new RegExp(ANY_MARK, "i").test(text) || /^\s*(?:<\|?[\w:]{3,40}\|?>|\[[A-Z_]{4,40}\])/.test(text);
}
