import { renderMessages, renderText } from "./chat_templates.ts";
import type { Delay } from "./endpoint_options.ts";
import { type Fields, wholeOf } from "./json.ts";
import { openPaths, type ServerParts, type ServerPaths } from "./server_paths.ts";
import { type Prompt, type Sample, turnsOf } from "@/lib/generators/mod.ts";

/** The number of times that a count is requested, and the wait in between. */
const COUNTS = { attempts: 3, waitMs: 1000 };

/**
 * Counts the prompt of a sample in the server's own tokens, with all that its template adds; `undefined` if the server does not
 * count.
 */
export async function countSample(
  { prompt }: Sample,
  parts: ServerParts,
  { signal, delay }: { readonly signal?: AbortSignal | undefined; readonly delay: Delay },
): Promise<number | undefined> {
  const { options: { protocol, thinkingInLength, thinkingTokens }, template } = parts;
  // The count of a whole request has the template, but no thinking.
  const thinking = thinkingInLength ? thinkingTokens : 0;
  const around = template.extraTokens + (template.messageTokens ?? 0) * (turnsOf(prompt).length - 1);
  const paths = openPaths(parts, signal);
  for (let attempt = 1; attempt <= COUNTS.attempts; attempt++) {
    const tokens = await countPrompt(prompt, parts, paths);
    if (tokens !== undefined) return tokens + (protocol.countPath === undefined ? around : thinking);
    signal?.throwIfAborted();
    if (attempt < COUNTS.attempts) await delay(COUNTS.waitMs);
  }
  return undefined;
}

/** Counts a prompt on the server: the whole request if the protocol has a path for that, otherwise its text alone. */
export async function countPrompt(prompt: Prompt, parts: ServerParts, paths: ServerPaths): Promise<number | undefined> {
  const { options: { protocol, model, answerPrefix }, template } = parts;
  if (protocol.countPath === undefined) return await countText(paths, model, sentText(prompt, parts));
  const body = { model, ...protocol.prompt(prompt, { template, answerPrefix }) };
  return wholeOf((await paths.api(protocol.countPath, body)).fields["input_tokens"]);
}

/** Returns the text of a prompt as it is sent. */
export function sentText(prompt: Prompt, { options: { protocol, answerPrefix }, template }: ServerParts): string {
  if (!protocol.hasChatTemplate) return renderText(prompt, template);
  return renderMessages(prompt, { template, answerPrefix }).map(({ content }) => content).join("");
}

/**
 * Counts a text in the server's own tokens by `/tokenize`, or by LMDeploy's `/encode`, without start markers; `undefined` if the
 * server has neither.
 */
async function countText({ api, root }: ServerPaths, model: string, text: string): Promise<number | undefined> {
  // Those of vLLM and SGLang, and of llama.cpp; each ignores the other's.
  const body: Fields = {
    model,
    prompt: text,
    "add_special_tokens": false,
    content: text,
    "add_special": false,
    "parse_special": true,
  };
  const { count, tokens } = (await root("/tokenize", body)).fields;
  const counted = wholeOf(count) ?? lengthOf(tokens);
  return counted ?? lengthOf((await api("/encode", { input: text, add_bos: false })).fields["input_ids"]);
}

/** The length of a list that is not empty. */
function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) && value.length > 0 ? value.length : undefined;
}
