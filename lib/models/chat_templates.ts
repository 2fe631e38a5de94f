import templates from "./chat_templates.json" with { type: "json" };
import { basename } from "node:path";
import { defined, explainFileError, hashBytes, isFields, quoteText, readRegularTextSync } from "@/lib/base/mod.ts";
import { compileJinja } from "./jinja.ts";
import { fieldsOf, listOf, parseJson } from "./json.ts";
import {
  type ChatTemplate,
  isSingleTurn,
  joinMessages,
  messageFields,
  PLAIN_TEMPLATE,
  type Prompt,
  type Role,
  SYSTEM_PLACE,
  systemText,
  type TurnTexts,
  wrapMessages,
  type Wrapping,
} from "@/lib/generators/mod.ts";

/** Placeholders of the task's prompt, the system message and the start of the answer in a template. */
const TASK = "{task_template}";
const SYSTEM = SYSTEM_PLACE;
const ANSWER = "{answer}";

/** The templates by name, to the byte: several end in a space or begin a line with one. */
const TEMPLATES: Readonly<Record<string, string>> = templates;

/**
 * The names of the chat templates, `base` first: those of RULER's template.py, OpenCompass's two for InternLM (configs/models/hf_internlm:
 * hf_internlm_chat_20b.py and lmdeploy_internlm2_chat_7b.py), and `gpt-4`, which only the paper prints (arXiv 2404.06654, Table 6): its
 * code sends GPT-4 the base template. The space before the answer prefix belongs to the prefix.
 */
export const CHAT_TEMPLATES: readonly string[] = Object.keys(TEMPLATES);

/** The accepted forms of a chat template, for errors. */
export const TEMPLATE_WANTED = `a name (${CHAT_TEMPLATES.join(", ")}), ` +
  "a text with {task_template} in it, or the path of a tokenizer_config.json or .jinja file";

/**
 * Opens a chat template for completions: by name, by the path of a model's own, or from a text with placeholders.
 *
 * A text has `{task_template}` at the place of the prompt. It can have `{system}` at that of a system message, and end in
 * `{answer}`; the answer prefix always follows the template. A path is that of a `.jinja` file, or of a `.json` file with a `chat_template`, as in Hugging Face's repositories. The text that begins every prompt (`bos_token`) is left out, because servers
 * add it to completions.
 *
 * RULER, template.py at e40fae1 and c3f5e3b, which adds `nemotron5-instruct`, and the paper's Table 6.
 *
 * @throws {RangeError} If there is no such template or file; the message lists the names.
 * @throws {SyntaxError} If a file or a text holds no template that has a place for the prompt.
 */
export function chatTemplate(nameTextOrPath: string): ChatTemplate {
  const template = readTemplate(nameTextOrPath);
  if (template !== undefined) return template;
  throw new RangeError(
    `Cannot choose a chat template as it must be ${TEMPLATE_WANTED}: current value is "${nameTextOrPath}"`,
  );
}

/** Reads a chat template, or any value that {@linkcode chatTemplate} takes; `undefined` for anything else. */
export function readTemplate(value: unknown): ChatTemplate | undefined {
  if (typeof value !== "string") return isFields(value) ? value as unknown as ChatTemplate : undefined;
  if (Object.hasOwn(TEMPLATES, value)) return namedTemplate(value);
  if (value.includes(TASK)) return ownTemplate(value);
  return isTemplatePath(value) ? readTemplateFile(value) : undefined;
}

/** Returns whether a text is the path of a chat template. */
export function isTemplatePath(text: string): boolean {
  return !text.includes(TASK) && /\.(json|jinja2?)$/i.test(text);
}

/** Replacements of niah.py, in this order, in the whole prompt of a single needle. */
const SINGULAR = [["Some", "A"], ["are all", "is"], ["are", "is"], ["answers", "answer"]] as const;

function namedTemplate(name: string): ChatTemplate {
  const template = TEMPLATES[name]!;
  const singular = SINGULAR.reduce<string>((text, [plural, single]) => text.replaceAll(plural, single), template);
  const more = singular === template ? {} : { singular: wrap(singular) };
  return { name, ...wrap(template), extraTokens: 0, answerPrefix: true, ...more };
}

function ownTemplate(text: string): ChatTemplate {
  const places = text.endsWith(ANSWER) ? text.slice(0, -ANSWER.length) : text;
  if (places.includes(ANSWER)) {
    const wanted = `end in ${ANSWER}, or leave it out, so that the model continues the answer`;
    throw new SyntaxError(
      `Cannot read the chat template as it must ${wanted}: current value is ${JSON.stringify(text)}`,
    );
  }
  const withSystem = places.includes(SYSTEM) ? wrap(places) : undefined;
  return makeOwn(text, { ...wrap(places.replaceAll(SYSTEM, "")), ...defined({ withSystem }) });
}

function makeOwn(text: string, wrapping: Wrapping & Pick<ChatTemplate, "withSystem" | "turns">): ChatTemplate {
  return { name: `own-${hashBytes(text).slice(0, 8)}`, ...wrapping, extraTokens: 0, answerPrefix: true };
}

/** Fills a system message into a template; `undefined` if the template has no place for it. */
export function fillSystem({ withSystem }: ChatTemplate, system: string): Wrapping | undefined {
  if (withSystem === undefined) return undefined;
  const fill = (text: string): string => text.replaceAll(SYSTEM, () => system);
  return { before: fill(withSystem.before), after: fill(withSystem.after) };
}

function readTemplateFile(path: string): ChatTemplate {
  const name = basename(path);
  const refuse = (wanted: string): SyntaxError =>
    new SyntaxError(`Cannot read the chat template of "${name}" as ${wanted}`);
  let text: string;
  try {
    text = readRegularTextSync(path, 64 * 2 ** 20);
  } catch (error) {
    const wanted = `there must be a file of that name: current value is "${path}" (${explainFileError(error)})`;
    throw new RangeError(`Cannot read the chat template as ${wanted}`);
  }
  const source = /\.json$/i.test(path) ? findJinja(parseJson(text)) : text;
  if (source === undefined) {
    throw refuse(
      "the file must be JSON with a chat_template: newer models keep theirs in chat_template.jinja beside it",
    );
  }
  try {
    return openJinja(source);
  } catch (error) {
    throw refuse(`it must be a Jinja template for a user's message: ${quoteText((error as Error).message, 500)}`);
  }
}

/** Finds the template in a tokenizer_config.json or chat_template.json; of several the one called `default`. */
function findJinja(config: unknown): string | undefined {
  const { chat_template: found } = fieldsOf(config);
  if (typeof found === "string") return found;
  const listed = listOf(found);
  const { template } = listed.find((each) => each["name"] === "default") ?? listed[0] ?? {};
  return typeof template === "string" ? template : undefined;
}

/** Renders a Jinja template for one user message, with a mark at the place of the prompt, and again with a system message. */
function openJinja(source: string): ChatTemplate {
  const compiled = compileJinja(source);
  const render: RenderMessages = (...messages) =>
    compiled({ "add_generation_prompt": true, "bos_token": "", "eos_token": "", messages });
  const renderAround = (...messages: readonly ChatMessage[]): Wrapping => {
    const text = render(...messages);
    if (text.split(TASK).length === 2) return wrap(text);
    throw new SyntaxError(
      `Cannot find the prompt as it must be in the text once: current value is ${quoteText(text, 200)}`,
    );
  };
  const user = { role: "user", content: TASK } as const;
  const plain = renderAround(user);
  const withSystem = optional(() => renderAround({ role: "system", content: SYSTEM }, user));
  const isKept = withSystem !== undefined && (withSystem.before + withSystem.after).includes(SYSTEM);
  const turns = optional(() => findTurns(render, plain));
  return makeOwn(source, { ...plain, ...defined({ withSystem: isKept ? withSystem : undefined, turns }) });
}

type RenderMessages = (...messages: readonly ChatMessage[]) => string;

/** Finds the texts between messages; `undefined` if the template does not repeat them. */
function findTurns(render: RenderMessages, { before, after }: Wrapping): TurnTexts | undefined {
  const renderTurns = (count: number): readonly string[] => {
    const messages = Array.from({ length: count }, (_, at): ChatMessage => ({
      role: at % 2 === 0 ? "user" : "assistant",
      content: `{message ${at}}`,
    }));
    return render(...messages).split(/\{message \d+\}/);
  };
  const [opening, toAssistant = "", toUser = "", closing, ...none] = renderTurns(3);
  if (opening !== before || closing !== after || none.length > 0) return undefined;
  const repeated = [before, toAssistant, toUser, toAssistant, toUser, after];
  return JSON.stringify(renderTurns(5)) === JSON.stringify(repeated) ? { toAssistant, toUser } : undefined;
}

/** Returns `undefined` if a template refuses system messages or several turns. */
function optional<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

function wrap(template: string): Wrapping {
  const at = template.indexOf(TASK);
  return { before: template.slice(0, at), after: template.slice(at + TASK.length) };
}

export interface ChatMessage {
  readonly role: Role;
  readonly content: string;
}

/** How a prompt is rendered. */
export interface RenderOptions {
  readonly template: ChatTemplate;
  /**
   * Where the answer prefix goes: to the end of the last user message, as RULER sends it to OpenAI's models, or after the template
   * of a completion (`appended`); to a last message of the assistant, for a chat to continue; or nowhere.
   */
  readonly answerPrefix?: "appended" | "assistant" | "none";
}

/**
 * Returns the messages that a chat endpoint is sent. The template only adds words around the prompt, as the server has its own
 * chat template; its system message is used if the prompt has none.
 */
export function renderMessages(
  prompt: Prompt,
  { template, answerPrefix = "appended" }: RenderOptions,
): readonly ChatMessage[] {
  const { answerPrefix: prefix = "", ...rest } = prompt;
  const sent = wrapMessages(answerPrefix === "appended" ? prompt : rest, template);
  const system = systemText(prompt) === undefined ? template.system : undefined;
  return [
    ...(system === undefined ? [] : [{ role: "system", content: system } as const]),
    ...messageFields(sent),
    ...(answerPrefix === "assistant" && prefix !== "" ? [{ role: "assistant", content: prefix } as const] : []),
  ];
}

/**
 * Returns the text that a completions endpoint is sent: input and answer prefix in RULER's files. Several turns are joined as
 * the template joins them, by default with labels.
 *
 * @throws {TypeError} If the prompt has a system message or several turns, and the template has no place for them.
 */
export function renderText(prompt: Prompt, template: ChatTemplate): string {
  const system = template.system ?? (isSingleTurn(prompt) && !template.withSystem ? systemText(prompt) : undefined);
  if (system !== undefined) {
    const shown = JSON.stringify(system);
    throw new TypeError(
      `Cannot render a completion as its system message must be part of the template: current value is ${shown}`,
    );
  }
  const { answerPrefix, ...rest } = prompt;
  return joinMessages({ ...rest, answerPrefix: template.answerPrefix ? answerPrefix ?? "" : "" }, template);
}

/**
 * Joins a prompt to one text: the system message, the turns, and the answer prefix. The simulated reader reads this text. With a
 * template, its words are around the turns, as they were sent.
 */
export function joinPrompt(prompt: Prompt, template: ChatTemplate = PLAIN_TEMPLATE): string {
  const { wrapping: _, ...rest } = prompt;
  return joinMessages(template === PLAIN_TEMPLATE ? rest : prompt, template);
}
