import type { Fields } from "@/lib/base/mod.ts";
import { renderMessages, renderText } from "./chat_templates.ts";
import type { Address, RequestHeaders } from "./address.ts";
import { endWith, requestSender } from "./client.ts";
import { readBody, replyRoom } from "./reply_body.ts";
import { type ChatTemplate, type Prompt, type Sample, turnsOf } from "@/lib/generators/mod.ts";
import type { CheckedOptions, Delay } from "./endpoint_options.ts";
import { fieldsOf, wholeOf } from "./json.ts";

export interface PathReply {
  /** The JSON object of its body; empty after an error. */
  readonly fields: Fields;
  /** Left out if nothing came. */
  readonly headers?: Headers;
}

/** Asks a path of a server, with a body by POST. It never rejects. */
type AskPath = (path: string, body?: Fields) => Promise<PathReply>;

export interface ServerPaths {
  /** Those of its API, such as `/models` after `/v1`. */
  readonly api: AskPath;
  /** Those beside `/v1`. */
  readonly root: AskPath;
}

/** The parts of an open endpoint that ask its server for more than replies. */
export interface ServerParts {
  readonly address: Address;
  readonly headers: RequestHeaders;
  readonly options: CheckedOptions;
  readonly template: ChatTemplate;
}

const LIMIT_MS = { fact: 5_000, count: 30_000 };

/** Limits replies to 16 MiB: a list of hundreds of models, or the tokens of a long prompt. */
const REPLY_TOKENS = 2 ** 18;

export function openPaths({ address, headers, options: { protocol } }: ServerParts, signal?: AbortSignal): ServerPaths {
  const url = new URL(address.url);
  url.pathname = url.pathname.replace(/\/v\d+\/?$/, "");
  const asker = (place: { readonly url: string }): AskPath => {
    const send = requestSender(place, headers);
    return async (path, body) => {
      const isCount = path === "/tokenize" || path === protocol.countPath;
      try {
        const response = await send(path, {
          body,
          signal: endWith(AbortSignal.timeout(isCount ? LIMIT_MS.count : LIMIT_MS.fact), signal),
        });
        const value = await readBody(response, replyRoom(REPLY_TOKENS).take).catch(() => undefined);
        return { fields: response.ok ? fieldsOf(value) : {}, headers: response.headers };
      } catch {
        return { fields: {} };
      }
    };
  };
  return { api: asker(address), root: asker({ url: url.href }) };
}

/** The number of times that a count is requested, and the wait in between. */
const COUNTS = { attempts: 3, waitMs: 1000 };

/** Counts the prompt of a sample in the server's tokens, with those of its template; `undefined` if it does not count. */
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

export function sentText(prompt: Prompt, { options: { protocol, answerPrefix }, template }: ServerParts): string {
  if (!protocol.hasChatTemplate) return renderText(prompt, template);
  return renderMessages(prompt, { template, answerPrefix }).map(({ content }) => content).join("");
}

/** Counts a text by `/tokenize`, or by LMDeploy's `/encode`, without start markers; `undefined` without either. */
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

function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) && value.length > 0 ? value.length : undefined;
}
