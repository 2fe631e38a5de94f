import { isFields } from "./_fields.ts";
import { type FailedOutcome, judgeServerError, type Outcome, tellError } from "./_outcome.ts";
import { type Parted, takeOutThinking } from "./_thinking.ts";
import type { FinishReason } from "./reply.ts";

const STOPPED: readonly string[] = ["stop", "eos", "eos_token", "end_turn", "stop_sequence"];
const CUT: readonly string[] = ["length", "max_tokens"];
const FILTERED: readonly string[] = ["content_filter", "safety"];

/** Reads what came with a status of success: an answer, or an error in its clothes. */
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
  return {
    kind: "answer",
    answer: {
      text: written.text,
      ...(written.thinking ? { thinking: written.thinking } : {}),
      finishReason,
      ...name("servedModel", value["model"]),
      ...name("fingerprint", value["system_fingerprint"]),
      ...count("promptTokens", usage["prompt_tokens"]),
      ...count("completionTokens", usage["completion_tokens"]),
    },
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
  // All of the budget can go into thinking, and a filter can leave nothing: those are answers, and empty.
  if (!parts) {
    return apart || finishReason === "content_filter"
      ? { text: "", ...(apart ? { thinking: apart as string } : {}) }
      : undefined;
  }
  const thinking = [apart, parts.thinking].filter(Boolean).join("\n");
  return { text: parts.text, ...(thinking ? { thinking } : {}) };
}

/** Content is a text, or a list of parts of which some are text and some thinking. */
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

/** Judges an error that came with a status of success; its own code tells the status. */
function judgeHidden(error: unknown): FailedOutcome {
  const code = isFields(error) ? Number(error["code"]) : NaN;
  const status = code >= 400 && code < 600 ? code : 500;
  return judgeServerError({ status, body: error, label: `Error ${status} with a status of success` });
}

function bad(message: string): FailedOutcome {
  return { kind: "failure", failure: "bad_reply", message, canRetry: false };
}

function count(name: "promptTokens" | "completionTokens", value: unknown): { readonly [key in typeof name]?: number } {
  return Number.isInteger(value) && Number(value) >= 0 ? { [name]: value } : {};
}

/** The most of a name that a record keeps. */
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
