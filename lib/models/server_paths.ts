import type { Address, RequestHeaders } from "./address.ts";
import { limitTime, requestSender } from "./client.ts";
import { readBody, replyRoom } from "./reply_body.ts";
import type { ChatTemplate } from "@/lib/generators/mod.ts";
import type { CheckedOptions } from "./endpoint_options.ts";
import { type Fields, fieldsOf } from "./json.ts";

/** The reply of one path of a server. */
export interface PathReply {
  /** The JSON object of its body; empty after an error. */
  readonly fields: Fields;
  /** Left out if nothing came. */
  readonly headers?: Headers;
}

/** Asks a path of a server, with a body by POST. It never rejects. */
type AskPath = (path: string, body?: Fields) => Promise<PathReply>;

/** The paths of a server. */
export interface ServerPaths {
  /** Those of its API, such as `/models` after `/v1`. */
  readonly api: AskPath;
  /** Those beside `/v1`. */
  readonly root: AskPath;
}

/** The parts of an open endpoint that ask its server for more than replies. */
export interface ServerParts {
  readonly address: Address;
  /** The headers of every request. */
  readonly headers: RequestHeaders;
  readonly options: CheckedOptions;
  readonly template: ChatTemplate;
}

/** Time limits in milliseconds. */
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
          signal: limitTime(isCount ? LIMIT_MS.count : LIMIT_MS.fact, signal),
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
