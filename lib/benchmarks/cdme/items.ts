import published from "./items.json" with { type: "json" };

/** The suite and its version, raised when samples of any task change; part of every sample id and published score. */
export const CDME_SUITE = "cdme-4";

/** The version in which all depths of a round share their text. */
export const CDME_SHARED_SUITE = "cdme-3";

export interface CdmeItem {
  /** The inserted needles, line breaks included, in order. */
  readonly needles: readonly string[];
  readonly question: string;
  readonly answer: string;
  /** The part of it that decides the score, for several needles. */
  readonly keyword?: string;
}

/** The edition of a task: with OpenCompass's flaws, or without them. */
export type CdmeEdition = "fixed" | "original";

/** The name of needles that come with Fathom. */
export type CdmeItemName = keyof typeof published.items.zh | "varied";

/** The needles that come with Fathom, the default first. */
export const CDME_ITEM_NAMES: readonly CdmeItemName[] = ["internship", "cot2_italy", "cot3_italy", "varied"];

/** Returns needles by name, in an edition; `number` selects one of those that vary, `question` another one for each question. */
export function cdmeItem(
  name: CdmeItemName,
  { language, edition, number, question = 0 }: {
    readonly language: CdmeLanguage;
    readonly edition: CdmeEdition;
    readonly number: number;
    readonly question?: number;
  },
): CdmeItem {
  if (name === "varied") return variedItem(VARIED[(number + question) % VARIED.length]![language], language);
  if (question > 0) return variedItem(VARIED[question]![language], language);
  const { original, ...fixed } = ITEMS[language][name]!;
  return { ...fixed, ...(edition === "original" ? original : {}) };
}

/**
 * The Chinese needles are OpenCompass's (configs/datasets/cdme at e975a96f); the English ones are translations of Fathom's.
 *
 * Two things are corrected: the needle with a 的 that the answer's form lacks, and the third needle and answer without a full stop.
 */
const ITEMS: Readonly<
  Record<CdmeLanguage, Readonly<Record<string, CdmeItem & { readonly original?: Partial<CdmeItem> }>>>
> = published.items;

/** How many single needles come with Fathom: the internship is the first of those that vary. */
export const VARIED_ITEMS = 10;

/** Ten facts of one form, so that scores do not depend on a single needle: subject and place in each language. */
const VARIED: readonly Readonly<Record<CdmeLanguage, readonly string[]>>[] = published.varied;

function variedItem([subject = "", place = ""]: readonly string[], language: CdmeLanguage): CdmeItem {
  const opening = subject.charAt(0).toUpperCase() + subject.slice(1);
  const fill = (form: string): string =>
    form.replaceAll("{subject}", subject).replaceAll("{opening}", opening).replace("{place}", place);
  const { answer, question } = published.forms[language];
  return { needles: [`\n${fill(answer)}\n`], question: fill(question), answer: fill(answer) };
}

export type CdmeLanguage = "zh" | "en";

/** The prompt around the context (OpenCompass, cdme.py at e975a96f); a question has the form of its answer after the marker. */
export const CDME_TEMPLATES: Readonly<
  Record<CdmeLanguage, Readonly<Record<"opening" | "questionLead" | "marker" | "guidance", string>>>
> = published.templates;

/** Puts guidance before the form of the answer; `losesRest` drops all from a second marker on, as OpenCompass's code does. */
export function guideQuestion(
  question: string,
  { language, losesRest }: { readonly language: CdmeLanguage; readonly losesRest: boolean },
): string {
  const { marker, guidance } = CDME_TEMPLATES[language];
  const [asked = "", ...form] = question.split(marker);
  return `${asked}${guidance}${marker}${losesRest ? form[0] : form.join(marker)}`;
}

/** The fixed words of an answer before and after its blank. */
type AnswerForm = Readonly<Record<"before" | "after", string>>;

/** Reads the form of the answer from a question such as 请按照“它就是________。”的格式回答; `undefined` if it has no blank. */
export function readAnswerForm(question: string, language: CdmeLanguage): AnswerForm | undefined {
  const { marker } = CDME_TEMPLATES[language];
  const at = question.lastIndexOf(marker);
  const asked = at < 0 ? "" : question.slice(at + marker.length);
  const [, before, after] = /^\s*[“‘"']([^\n_]{0,500})_{2,}([^\n]{0,100}?)[”’"'](?!\p{Script=Latin})/u.exec(asked) ??
    [];
  return before === undefined || after === undefined ? undefined : { before, after };
}

/** Characters that a needle may have between two of the form's, in which Chinese says the same. */
const FREE: Readonly<Record<CdmeLanguage, string>> = { zh: "的?", en: "" };

/** Returns a pattern of a form's fixed words, without the space around them. */
function formPattern(words: string, language: CdmeLanguage): string {
  return Array.from(words.trim(), RegExp.escape).join(FREE[language]);
}

/**
 * Returns an answer that fills a form, in the form's words: as it is if it has them already, otherwise without a 的 that they lack
 * and with the end that it lacks; `undefined` for any other answer.
 */
export function fillForm(answer: string, { before, after }: AnswerForm, language: CdmeLanguage): string | undefined {
  const bare = (text: string): string => text.replace(/\s+/g, "");
  const isFilled = bare(answer).startsWith(bare(before)) && bare(answer).endsWith(bare(after));
  if (isFilled && bare(answer).length > bare(before + after).length) return answer;
  const nearly = new RegExp(`^\\s*${formPattern(before, language)}\\s*(\\S.*?)(?:${RegExp.escape(after)})?\\s*$`, "u");
  const [, value] = nearly.exec(answer) ?? [];
  return value === undefined || before === "" || value === after ? undefined : before + value + after;
}
