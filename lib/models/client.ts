import type OpenAI from "openai";
import type { Address } from "./address.ts";
import type { CheckedOptions } from "./endpoint_options.ts";
import { plainFetch } from "./plain_fetch.ts";

/** How requests to a server are made. */
export interface ClientOptions extends Pick<CheckedOptions, "headers"> {
  readonly apiKey?: string | undefined;
  /** The time until a reply begins, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * How often the package sends a request again that failed for a moment.
   *
   * @default {0}
   */
  readonly retries?: number;
  /** The most bytes of a reply that are read. */
  readonly mostBytes?: number;
  /** The most time until a server takes a connection, in milliseconds. */
  readonly connectMs?: number;
}

/** Opens OpenAI's package for one address, without what it would read from the environment or add by itself. */
export async function openClient(address: Address, options: ClientOptions): Promise<OpenAI> {
  const { apiKey, headers, timeoutMs, retries = 0, mostBytes, connectMs } = options;
  // Imported here, as most of whoever imports this room send nothing.
  const { default: OpenAI } = await import("openai");
  return new OpenAI({
    baseURL: address.url,
    apiKey: apiKey ?? "none",
    // Nulls keep the package from reading these from the environment, which no record would show.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    fetch: plainFetch([...SENT_HEADERS, ...Object.keys(headers)], { mostBytes, connectMs }),
    maxRetries: retries,
    timeout: timeoutMs,
    // A name and password in the address replace the key; without either there is no such header.
    defaultHeaders: { authorization: address.authorization ?? (apiKey ? `Bearer ${apiKey}` : null), ...headers },
  });
}

const SENT_HEADERS: readonly string[] = ["accept", "authorization", "content-type", "user-agent"];
