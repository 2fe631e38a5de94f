import type { PrefixPlace } from "../chat_templates.ts";
import { type Answer, type Fields, type FinishReason, isFields, listOf, parseJson } from "../reply.ts";
import { describeError, type FailedOutcome, judgeServerError } from "../server_errors.ts";
import type { ChatTemplate, Prompt } from "@/lib/generators/mod.ts";

/** How one kind of model API is spoken. */
export interface Protocol {
  /** The path of a request, after the base URL. */
  readonly path: string;
  readonly environment: ProtocolEnvironment;
  /** Whether the server wraps messages in its own chat template; otherwise the whole prompt is sent as one text. */
  readonly hasChatTemplate: boolean;
  /** Whether the last message may be the assistant's, for the model to continue. */
  readonly takesAnswerPrefix: boolean;
  /** The fields that may carry the output budget: the default, then the one that reasoning models need, if another. */
  readonly budgetFields: readonly [string, ...string[]];
  /** The smallest output budget that the API takes. */
  readonly minBudget: number;
  /** The names of request fields that differ from those of the chat completions API; `null` for a field that is missing. */
  readonly fieldNames: Readonly<Record<string, string | null>>;
  /** Fields that ask vLLM, SGLang or llama.cpp to continue the assistant's message. */
  readonly continueFields?: Fields;
  /** Fields that ask for a stream, with token counts at its end. */
  readonly streamFields: Fields;
  /** The endpoint that requests of a batch name; left out if Fathom cannot send this protocol in batches. */
  readonly batchEndpoint?: string;
  /** The path that counts the tokens of a whole request. */
  readonly countPath?: string;
  /** What `reasoning` takes, for errors. */
  readonly reasoningValues: string;
  /** Returns the headers that carry a key, and those that every request needs. */
  headers(apiKey: string | undefined): Readonly<Record<string, string>>;
  /** Returns the fields that carry a prompt. */
  prompt(prompt: Prompt, options: PromptOptions): Fields;
  /** Returns the fields that set an effort or a token budget for reasoning, or `undefined` for a value that the API lacks. */
  reasoning(value: string | number): Fields | undefined;
  /** Returns whether a JSON object is a reply of this protocol. */
  recognises(reply: Fields): boolean;
  /** Reads a reply that came with a success status: an answer, or an error in disguise. */
  read(reply: Fields): Outcome;
  /** Starts to assemble a streamed reply; `take` is called with the size of each text before it is kept. */
  startReply(take: (bytes: number) => void): StreamedReply;
}

/** The environment variables of a key, an address and further headers (an empty name: none), and the vendor's address. */
export interface ProtocolEnvironment {
  readonly key: string;
  /** The header that carries the key. */
  readonly keyHeader: string;
  readonly baseUrl: string;
  readonly customHeaders: string;
  readonly vendorUrl: string;
}

/** How a prompt is rendered. */
export interface PromptOptions {
  readonly template: ChatTemplate;
  readonly answerPrefix: PrefixPlace;
}

/** The result of one request. */
export type Outcome =
  | { readonly kind: "answer"; readonly answer: Omit<Answer, "kind" | "latencyMs" | "attempts"> }
  | FailedOutcome;

/** Assembles a streamed reply into the object that the whole reply would be. */
export interface StreamedReply {
  /** Adds an event and returns whether it carried text. */
  add(event: Fields): boolean;
  /** Returns the reply, or `undefined` if the stream ended early. */
  whole(): Fields | undefined;
}

/** A model's text, and its thinking if any. */
export interface WrittenText {
  readonly text: string;
  readonly thinking?: string;
}

/** Parts of an answer as a server gave them; facts of the wrong type are left out. */
interface AnswerParts {
  readonly written: WrittenText;
  readonly finishReason: FinishReason;
  readonly names: { readonly [N in "servedModel" | "fingerprint"]?: unknown };
  readonly counts: {
    readonly [N in "promptTokens" | "cachedTokens" | "completionTokens" | "reasoningTokens"]: unknown;
  };
}

/** Makes an answer of what a server sent. */
export function makeAnswer({ written, finishReason, names, counts }: AnswerParts): Outcome {
  const { text, thinking } = written;
  const ownNames = Object.entries(names)
    .flatMap(([key, name]) => typeof name === "string" && name !== "" ? [[key, name.slice(0, MAX_NAME_CHARS)]] : []);
  const ownCounts = Object.entries(counts).filter(([, count]) => Number.isInteger(count) && Number(count) >= 0);
  return {
    kind: "answer",
    answer: { text, ...(thinking && { thinking }), finishReason, ...Object.fromEntries([...ownNames, ...ownCounts]) },
  };
}

/** Characters of a model's name or fingerprint that a record keeps. */
const MAX_NAME_CHARS = 200;

/** Parses and reads a reply that came with a success status. */
export function readReply(reply: unknown, protocol: Protocol): Outcome {
  const value = typeof reply === "string" ? parseJson(reply) : reply;
  return isFields(value) ? protocol.read(value) : badReply(`The reply is no JSON object: ${describeError(reply)}`);
}

/** Returns the failure of a reply that cannot be read; it is requested again, as a proxy may have garbled it once. */
export function badReply(message: string): FailedOutcome {
  return { kind: "failure", failure: "bad_reply", message, canRetry: true };
}

/** Judges an error that came with a success status, by its code or type. */
export function judgeHiddenError(error: unknown, statuses: Readonly<Record<string, number>>): FailedOutcome {
  const { code, type }: Fields = isFields(error) ? error : {};
  const number = statuses[String(type)] ?? statuses[String(code)] ?? Number(code);
  const status = number >= 400 && number < 600 ? number : 500;
  return judgeServerError({ status, body: error, label: `Error ${status} with a status of success` });
}

/** Joins the texts of content parts under one key. */
export function joinTexts(parts: readonly Fields[], key: string): string {
  return parts.map((part) => typeof part[key] === "string" ? part[key] : joinTexts(listOf(part[key]), "text")).join("");
}

const OPENING = /^\s*(?:<(think|thinking)>|\[(THINK)\])/;

/**
 * Separates thinking from a text: `<think>…</think>`, `<thinking>…</thinking>` or `[THINK]…[/THINK]`.
 *
 * The opening mark can be missing, as the server's template may have written it. Without a closing mark the budget ran out
 * while the model was thinking, and all of the text is thinking.
 */
export function splitThinking(written: string): WrittenText {
  const opened = OPENING.exec(written);
  if (!opened) {
    const [thinking, ...rest] = written.split("</think>");
    return rest.length === 0
      ? { text: written }
      : { text: rest.join("</think>").trimStart(), thinking: thinking!.trim() };
  }
  const closing = opened[2] ? "[/THINK]" : `</${opened[1]}>`;
  const inside = written.slice(opened[0].length);
  const end = inside.indexOf(closing);
  if (end === -1) return { text: "", thinking: inside.trim() };
  return { text: inside.slice(end + closing.length).trimStart(), thinking: inside.slice(0, end).trim() };
}
