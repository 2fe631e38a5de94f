import { isSingleTurn, type Message, type Prompt, type Role, turnsOf, withoutSystem, type Wrapping } from "./prompt.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";

/**
 * The text around a task's prompt when it is sent; its tokens count towards the length.
 *
 * For plain completions that is the text of a chat template; for chat endpoints, a system message and the tokens that the
 * server's own template adds.
 */
export interface ChatTemplate extends Wrapping {
  readonly name: string;
  /**
   * Its texts when one needle is asked for: RULER's code makes the whole prompt singular, template included, so that LWM's
   * is "You is a helpful assistant". Left out if nothing changes.
   */
  readonly singular?: Wrapping;
  /** Its texts with a system message, as `{system}`, for templates that have a place for one; filled in before samples are made. */
  readonly withSystem?: Wrapping;
  /** A system message, sent separately. */
  readonly system?: string;
  /** Tokens that the server adds without showing them, from 0. */
  readonly extraTokens: number;
  /**
   * Texts between the messages of several turns, for completions. Missing if the template has none; {@linkcode PLAIN_TEMPLATE}
   * labels each message.
   */
  readonly turns?: TurnTexts;
  /**
   * Tokens that the server adds for each message after the first, the mean of both roles. Set for chat endpoints, which messages
   * are sent to.
   */
  readonly messageTokens?: number;
  readonly answerPrefix: boolean;
}

/** The texts of a chat template between two messages. */
export interface TurnTexts {
  readonly toAssistant: string;
  readonly toUser: string;
}

/**
 * RULER's `base` template: the prompt, then the answer prefix, and nothing else.
 *
 * Several turns become one text with labels: `User: …`, `Assistant: …`, `User: …`, `Assistant:`, with a blank line between
 * them. A system message comes first, without a label.
 */
export const PLAIN_TEMPLATE: ChatTemplate = {
  name: "base",
  before: "",
  after: "",
  extraTokens: 0,
  answerPrefix: true,
};

/** Lists all words of a template, so that made-up answers can avoid them. */
export function templateWords({ system = "", before, after }: ChatTemplate): string {
  return [system, before, after].join(" ");
}

/** Returns the text of all turns: the user message if it is the only one, otherwise all messages with labels. */
export function promptText(prompt: Prompt): string {
  return joinMessages({ messages: turnsOf(prompt) }, PLAIN_TEMPLATE).slice(
    0,
    isSingleTurn(prompt) ? undefined : -CLOSING.length,
  );
}

/** The texts of {@linkcode PLAIN_TEMPLATE} around several turns. */
const [OPENING, TO_ASSISTANT, TO_USER, CLOSING] = ["User: ", "\n\nAssistant: ", "\n\nUser: ", "\n\nAssistant:"];

/**
 * Returns the texts that join messages to one text: before the first, between each two, and after the last.
 *
 * @param prompt The messages by their roles, and a wrapping that replaces the template's own.
 * @throws {TypeError} If the template has no text for several turns, or none for a system message.
 */
export function textsAround(
  { messages, wrapping }: Pick<Prompt, "wrapping"> & { readonly messages: readonly Pick<Message, "role">[] },
  template: ChatTemplate,
): readonly string[] {
  const { before, after } = wrapping ?? template;
  const [isPlain, hasSystem] = [before + after === "", messages[0]?.role === "system"];
  const count = messages.length - Number(hasSystem);
  const hasLabels = count > 1 && (isPlain || template.messageTokens !== undefined);
  const { toAssistant, toUser } = hasLabels ? { toAssistant: TO_ASSISTANT, toUser: TO_USER } : template.turns ?? {};
  if (count > 1 && (toAssistant === undefined || toUser === undefined)) {
    throw new TypeError(
      `Cannot send a prompt of several turns as the chat template must be base, the file of a model's own, or that of a chat endpoint: current value is "${template.name}"`,
    );
  }
  const opening = hasLabels ? OPENING + before : before;
  const closing = hasLabels ? after + CLOSING : after;
  const between = Array.from({ length: count - 1 }, (_, at) => at % 2 === 0 ? toAssistant! : toUser!);
  return [...(hasSystem ? systemTexts(opening, template) : [opening]), ...between, closing];
}

/** Returns the texts before a system message, and between it and the first user message. */
function systemTexts(opening: string, { withSystem, before, after, messageTokens, name }: ChatTemplate): string[] {
  if (before + after === "" || messageTokens !== undefined) return ["", `\n\n${opening}`];
  const texts = withSystem?.before.split(SYSTEM_PLACE) ?? [];
  if (texts.length === 2) return texts;
  throw new TypeError(
    `Cannot send a system message as the chat template must have a place for it: current value is "${name}"`,
  );
}

/** The place of the system message in {@linkcode ChatTemplate.withSystem}. */
export const SYSTEM_PLACE = "{system}";

/** Joins the messages of a prompt to one text, with a template's texts around them and the answer prefix at the end. */
export function joinMessages(prompt: Prompt, template: ChatTemplate): string {
  const { messages, answerPrefix = "" } = prompt;
  const around = textsAround(prompt, template);
  return around.map((text, at) => text + (messages[at]?.text ?? "")).join("") + answerPrefix;
}

/**
 * Returns the messages that a chat endpoint is sent: the template's words are added before the first user message and after the
 * last, followed by the answer prefix.
 */
export function wrapMessages(prompt: Prompt, template: ChatTemplate): readonly Message[] {
  const { messages, answerPrefix = "", wrapping } = prompt;
  const { before, after } = wrapping ?? template;
  const first = messages[0]?.role === "system" ? 1 : 0;
  return messages.map(({ role, text }, at) => ({
    role,
    text: (at === first ? before : "") + text + (at === messages.length - 1 ? after + answerPrefix : ""),
  }));
}

/** Returns the tokens that a server adds for a message: of two that take a token more together, the assistant's has it. */
export function tokensOfMessage(role: Role, messageTokens: number): number {
  return role === "assistant" ? Math.ceil(messageTokens) : Math.floor(messageTokens);
}

/** Counts the tokens of a prompt as a template sends it, hidden tokens included. */
export function countPrompt(prompt: Prompt, template: ChatTemplate, tokenizer: Tokenizer): number {
  const { extraTokens, messageTokens, system } = template;
  const hidden = extraTokens + tokenizer.count(system ?? "");
  const { messages, ...rest } = system === undefined ? prompt : withoutSystem(prompt);
  if (messageTokens === undefined || messages.length === 1) {
    return hidden + tokenizer.count(joinMessages({ messages, ...rest }, template));
  }
  const [first, ...others] = wrapMessages({ messages, ...rest }, template);
  return others.reduce(
    (sum, { role, text }) => sum + tokensOfMessage(role, messageTokens) + tokenizer.countAfterCut(text),
    hidden + tokenizer.count(first!.text),
  );
}
