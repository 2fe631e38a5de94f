import { type Answer, type Fields, type FinishReason, isFields } from "./reply.ts";
import { type FailedOutcome, judgeServerError, tellError } from "./server_errors.ts";

/** What one request came to. */
export type Outcome =
  | {
    readonly kind: "answer";
    readonly answer: Omit<Answer, "kind" | "latencyMs" | "attempts">;
    /** How llama.cpp timed it. */
    readonly timings?: Fields;
  }
  | FailedOutcome;

const STOPPED: readonly string[] = ["stop", "eos", "eos_token", "end_turn", "stop_sequence"];
const CUT: readonly string[] = ["length", "max_tokens"];
const FILTERED: readonly string[] = ["content_filter", "safety"];

/** Reads what came with a status of success: an answer, or an error in disguise. */
export function readCompletion(reply: unknown, api: "chat" | "completions"): Outcome {
  const value = typeof reply === "string" ? parse(reply) : reply;
  if (!isFields(value)) return bad(`The reply is no JSON object: ${tellError(reply)}`);
  const { choices, error } = value;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isFields(choice)) {
    if (error || value["object"] === "error") return judgeHidden(error || value);
    return bad(`The reply has no choices: ${tellError(JSON.stringify(value))}`);
  }
  const finish = typeof choice["finish_reason"] === "string" ? choice["finish_reason"].toLowerCase() : "";
  if (choice["error"]) return judgeHidden(choice["error"]);
  if (finish === "error" || finish === "abort") {
    return {
      kind: "failure",
      failure: "server",
      message: `The reply was broken off: finish reason "${finish}"`,
      canRetry: true,
    };
  }
  const finishReason = readFinish(finish);
  const written = api === "chat" ? readMessage(choice["message"], finishReason) : readText(choice["text"]);
  if (!written) return bad(`The reply has no text: ${tellError(JSON.stringify(choice))}`);
  const usage = isFields(value["usage"]) ? value["usage"] : {};
  // LMDeploy up to 0.9 answers so where a prompt is longer than its window.
  if (written.text === "" && finishReason === "length" && usage["completion_tokens"] === 0) {
    const message = "The reply ended before its first token, as the prompt leaves no room in the window";
    return { kind: "failure", failure: "context_length", message, canRetry: false };
  }
  const details = isFields(usage["prompt_tokens_details"]) ? usage["prompt_tokens_details"] : {};
  return {
    kind: "answer",
    answer: {
      text: written.text,
      ...(written.thinking ? { thinking: written.thinking } : {}),
      finishReason,
      ...name("servedModel", value["model"]),
      ...name("fingerprint", value["system_fingerprint"]),
      ...count("promptTokens", usage["prompt_tokens"]),
      ...count("cachedTokens", details["cached_tokens"]),
      ...count("completionTokens", usage["completion_tokens"]),
    },
    ...(isFields(value["timings"]) ? { timings: value["timings"] } : {}),
  };
}

function readFinish(finish: string): FinishReason {
  if (STOPPED.includes(finish)) return "stop";
  if (CUT.includes(finish)) return "length";
  return FILTERED.includes(finish) ? "content_filter" : "unknown";
}

function readText(text: unknown): Parted | undefined {
  return typeof text === "string" ? takeOutThinking(text) : undefined;
}

function readMessage(message: unknown, finishReason: FinishReason): Parted | undefined {
  if (!isFields(message)) return undefined;
  const { content, refusal } = message;
  const apart = [message["reasoning_content"], message["reasoning"]].find((text) =>
    typeof text === "string" && text !== ""
  );
  const parts = readContent(content) ?? readText(refusal);
  // All of the budget can go into thinking, and a filter can leave nothing: those are empty answers.
  if (!parts) {
    return apart || finishReason === "content_filter"
      ? { text: "", ...(apart ? { thinking: apart as string } : {}) }
      : undefined;
  }
  const thinking = [apart, parts.thinking].filter(Boolean).join("\n");
  return { text: parts.text, ...(thinking ? { thinking } : {}) };
}

/** Content is a text, or a list of parts: some text, some thinking. */
function readContent(content: unknown): Parted | undefined {
  if (!Array.isArray(content)) return readText(content);
  const parts = content.filter(isFields);
  const join = (key: "text" | "thinking"): string => parts.map((part) => flatten(part[key])).join("");
  return { text: join("text"), thinking: join("thinking") };
}

function flatten(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter(isFields).map((part) => flatten(part["text"])).join("") : "";
}

/** Judges an error that came with a status of success, by the code in it. */
export function judgeHidden(error: unknown): FailedOutcome {
  const code = isFields(error) ? Number(error["code"]) : NaN;
  const status = code >= 400 && code < 600 ? code : 500;
  return judgeServerError({ status, body: error, label: `Error ${status} with a status of success` });
}

export function bad(message: string): FailedOutcome {
  // A proxy that stumbles gives such a reply once, a wrong address always.
  return { kind: "failure", failure: "bad_reply", message, canRetry: true };
}

function count(
  name: "promptTokens" | "cachedTokens" | "completionTokens",
  value: unknown,
): { readonly [key in typeof name]?: number } {
  return Number.isInteger(value) && Number(value) >= 0 ? { [name]: value } : {};
}

/** The most characters of a name that a record keeps. */
const LONGEST_NAME = 200;

function name(
  key: "servedModel" | "fingerprint",
  value: unknown,
): { readonly [one in typeof key]?: string } {
  return typeof value === "string" && value !== "" ? { [key]: value.slice(0, LONGEST_NAME) } : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text, and the thinking that was in it. */
interface Parted {
  readonly text: string;
  readonly thinking?: string;
}

const OPENING = /^\s*(?:<(think|thinking)>|\[(THINK)\])/;

/**
 * Takes a model's thinking out of what it wrote: `<think>…</think>`, `<thinking>…</thinking>` or `[THINK]…[/THINK]`.
 *
 * The opening mark can be missing, where the server's template has written it; the closing mark is missing where the
 * budget ran out first, and then all of it is thinking.
 */
function takeOutThinking(written: string): Parted {
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

/** The texts of a message that come in parts. */
const TEXTS = ["content", "reasoning_content", "reasoning", "refusal"] as const;

/** A part of a text; Mistral sends thinking as parts of a list. */
type Part = string | Fields;

/** Puts a reply together that comes as a stream, as it would have come whole. */
export interface StreamedReply {
  /** Adds an event; says whether it had any text. */
  add(event: unknown): boolean;
  /** The reply; `undefined` where the stream ended before it did. */
  whole(): Fields | undefined;
}

/**
 * Begins to put a reply together from the events of its stream.
 *
 * @param options.take Called with the size of each text before it is kept; what it throws ends the reply.
 */
export function startReply(
  api: "chat" | "completions",
  { take }: { readonly take: (bytes: number) => void },
): StreamedReply {
  const texts = new Map<string, Part[]>();
  // Each is said in one event, or again in every one.
  const said: Record<string, unknown> = {};
  let [finish, error]: [string | undefined, unknown] = [undefined, undefined];
  const addText = (name: string, value: unknown): boolean => {
    const parts: readonly Part[] = Array.isArray(value)
      ? value.filter(isFields)
      : typeof value === "string" && value !== ""
      ? [value]
      : [];
    for (const part of parts) take(typeof part === "string" ? part.length : JSON.stringify(part).length);
    texts.getOrInsertComputed(name, () => []).push(...parts);
    return parts.length > 0;
  };
  return {
    add(event): boolean {
      if (!isFields(event)) return false;
      for (const name of ["model", "system_fingerprint", "usage", "timings"]) said[name] = event[name] ?? said[name];
      const choice = choiceOf(event);
      error ??= event["error"] ?? choice["error"] ?? undefined;
      if (typeof choice["finish_reason"] === "string") finish = choice["finish_reason"];
      if (api === "completions") return addText("text", choice["text"]);
      const delta = isFields(choice["delta"]) ? choice["delta"] : {};
      return TEXTS.map((name) => addText(name, delta[name])).includes(true);
    },
    whole(): Fields | undefined {
      if (error !== undefined) return { error };
      if (finish === undefined) return undefined;
      const joined = [...texts].filter(([, parts]) => parts.length > 0).map(([name, parts]) => [name, join(parts)]);
      const message: Fields = Object.fromEntries(joined);
      // Nothing is sent for an empty text.
      const empty = Object.keys(message).length === 0;
      return {
        ...said,
        choices: [{
          "finish_reason": finish,
          ...(api === "completions" ? { text: message["text"] ?? "" } : { message: empty ? { content: "" } : message }),
        }],
      };
    },
  };
}

function choiceOf({ choices }: Fields): Fields {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isFields(first) ? first : {};
}

function join(parts: readonly Part[]): unknown {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return parts.map((part) => typeof part === "string" ? { type: "text", text: part } : part);
}
