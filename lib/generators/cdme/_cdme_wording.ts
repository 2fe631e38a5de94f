/** A language of CDME. */
export type CdmeLanguage = "zh" | "en";

/** The words round the context (OpenCompass, cdme.py at e975a96f). */
export interface CdmeFrame {
  /** Before the document. */
  readonly opening: string;
  /** Between the document and the question. */
  readonly asking: string;
  /** What a question says before the form of its answer. */
  readonly marker: string;
  /** What stands before the marker in a guided question. */
  readonly guidance: string;
}

export const CDME_FRAMES: Readonly<Record<CdmeLanguage, CdmeFrame>> = {
  zh: {
    opening:
      "你是一个善于回答用户问题的智能AI助手\n请保持你的回答简洁清楚。不要说和下面文档中的无关的话，或重复你的回答\n用户现在给你的文档是",
    asking: "\n\n现在请问：",
    marker: "请按照",
    guidance: "在回答之前，请思考文档中与此问题最相关的内容是什么。",
  },
  en: {
    opening: "You are an intelligent AI assistant skilled in answering user questions.\n" +
      "Please keep your answers concise and clear. Do not talk about irrelevant topics or repeat your answers.\n" +
      "The document given to you by the user is ",
    asking: "\n\nNow, the question is: ",
    marker: "Please answer in the format",
    guidance: "Before answering, please consider what in the document is most relevant to this question. ",
  },
};

/**
 * Puts guidance before the form of the answer.
 *
 * @param question A question with its language's marker in it.
 * @param options The language; `losesRest`, whether all from a second marker on is lost, as in OpenCompass's code.
 */
export function guideQuestion(
  question: string,
  { language, losesRest }: { readonly language: CdmeLanguage; readonly losesRest: boolean },
): string {
  const { marker, guidance } = CDME_FRAMES[language];
  const [asked = "", ...form] = question.split(marker);
  return `${asked}${guidance}${marker}${losesRest ? form[0] : form.join(marker)}`;
}

/** The fixed words of the answer that a question asks for, before and after its blank. */
export interface AnswerForm {
  readonly before: string;
  readonly after: string;
}

/**
 * Reads the form of the answer off a question, such as 请按照“它就是________。”的格式回答; `undefined` where it has no blank.
 */
export function readAnswerForm(question: string, language: CdmeLanguage): AnswerForm | undefined {
  const { marker } = CDME_FRAMES[language];
  const at = question.lastIndexOf(marker);
  const asked = at < 0 ? "" : question.slice(at + marker.length);
  const [, before, after] = /^\s*[“‘"']([^\n_]*)_{2,}([^\n]*?)[”’"'](?!\p{Script=Latin})/u.exec(asked) ?? [];
  return before === undefined || after === undefined ? undefined : { before, after };
}
