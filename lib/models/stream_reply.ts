import { type Fields, isFields } from "./reply.ts";

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
