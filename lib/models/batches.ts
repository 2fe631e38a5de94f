import { mkdir, readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { defined, type Fields, once, writeWhole } from "@/lib/base/mod.ts";
import type { Address } from "./address.ts";
import { endWith, openClient } from "./client.ts";
import { type CheckedOptions, REPLY_SECONDS } from "./endpoint_options.ts";
import { fieldsOf, parseJson } from "./json.ts";
import type { Reply } from "./reply.ts";
import { judgeHiddenError, type Outcome, type Protocol, readReply } from "./protocols/protocol.ts";
import { judgeServerError } from "./protocols/refusals.ts";
import { judgeThrown } from "./send.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import type OpenAI from "openai";

/** A batch server could not be reached, or refused a request. */
export class BatchError extends Error {
  /** Makes the error; `isPassing` if the same request may succeed later. */
  constructor(message: string, readonly isPassing: boolean) {
    super(message);
  }
}

/** A batch as its server reports it. */
export interface ServerBatch {
  readonly id: string;
  /** As OpenAI names it, such as `in_progress`. */
  readonly status: string;
  /** When the server began it, in ISO 8601. */
  readonly begun: string;
  /** The number of answered requests. */
  readonly answered: number;
  /** The number of failed requests. */
  readonly failed: number;
  /** The files of replies and of failures. */
  readonly outputs: readonly string[];
  /** Only with the status `failed`: whether its queue is full, so that it may be accepted later, and that queue's prompt tokens. */
  readonly refusal?: { readonly message: string; readonly isFull: boolean; readonly mostTokens?: number };
}

/** A line of a batch's output. */
export interface BatchLine {
  readonly id: string;
  /** `undefined` if the batch ended before the request was tried. */
  readonly reply: Reply | undefined;
  /** The time of the reply, in ISO 8601, if the line has it. */
  readonly time?: string;
}

/** The batches of a server: requests in a file, answered within a day. */
export interface BatchServer {
  /** Rejects if the server has no batches, or cannot be reached. */
  check(signal?: AbortSignal): Promise<void>;
  /** Returns the request of a sample as a line of a batch file, without a line break. */
  lineOf(id: string, sample: Sample): string;
  /** Reads a line of a batch's output; `undefined` if it is none. */
  read(line: string): BatchLine | undefined;
  /** Uploads a file of requests and returns its id. */
  upload(path: string, signal?: AbortSignal): Promise<string>;
  /**
   * Begins a batch.
   *
   * @param isTried Whether a batch may have begun with the file before: the server is then asked first.
   */
  begin(file: string, labels: Readonly<Record<string, string>>, options?: {
    readonly signal?: AbortSignal | undefined;
    readonly isTried?: boolean;
  }): Promise<ServerBatch>;
  /** Returns the state of a batch. */
  look(id: string, signal?: AbortSignal): Promise<ServerBatch>;
  /** Ends a batch; its answers so far stay. */
  cancel(id: string, signal?: AbortSignal): Promise<ServerBatch>;
  /** Writes a file of the server to disk, atomically. */
  save(file: string, path: string, signal?: AbortSignal): Promise<void>;
}

/** Time limit for a file, in milliseconds. */
const FILE_MS = 3_600_000;

interface BatchParts extends Pick<CheckedOptions, "protocol" | "headers" | "timeoutSeconds"> {
  readonly address: Address;
  /** Returns the JSON body of the request of a sample. */
  readonly bodyOf: (sample: Sample) => Fields;
  /** Makes the reply of a request, without secrets. */
  readonly toReply: (outcome: Outcome) => Reply;
  readonly redact: (text: string) => string;
}

/** Opens the batches of a server, if its protocol has any; sends nothing. */
export function openBatches(parts: BatchParts): BatchServer | undefined {
  const { address, protocol, headers, timeoutSeconds = REPLY_SECONDS.atOnce } = parts;
  const { batchEndpoint: endpoint } = protocol;
  if (endpoint === undefined) return undefined;
  const open = once(() => openClient(address, headers));
  async function call<Got>(
    use: (client: OpenAI, options: { readonly signal: AbortSignal }) => PromiseLike<Got>,
    signal?: AbortSignal,
    limitMs = 1000 * timeoutSeconds,
  ): Promise<Got> {
    signal?.throwIfAborted();
    try {
      return await use(await open(), { signal: endWith(AbortSignal.timeout(limitMs), signal) });
    } catch (error) {
      signal?.throwIfAborted();
      const { canRetry, busy, failure, message } = await judgeThrown(error, address.shown);
      const hint = failure === "not_found" ? ": perhaps that server has no batches" : "";
      // A new upload can be unknown for a moment.
      const isPassing = canRetry || busy !== undefined || /cannot find file/i.test(message);
      throw new BatchError(`${parts.redact(message)}${hint}`, isPassing);
    }
  }
  return {
    check: async (signal) => void await call(({ batches }, options) => batches.list({ limit: 1 }, options), signal),
    lineOf: (id, sample) =>
      JSON.stringify({ "custom_id": id, method: "POST", url: endpoint, body: parts.bodyOf(sample) }),
    read(text): BatchLine | undefined {
      const line = fieldsOf(parseJson(text));
      const id = line["custom_id"];
      if (typeof id !== "string") return undefined;
      const outcome = readBatchLine(line, protocol);
      return { id, reply: outcome && parts.toReply(outcome), ...defined({ time: timeOf(line) }) };
    },
    async upload(path, signal): Promise<string> {
      const bytes = await readFile(path) as Uint8Array<ArrayBuffer>;
      const file = new File([bytes], basename(path), { type: "application/jsonl" });
      return (await call(({ files }, options) => files.create({ purpose: "batch", file }, options), signal, FILE_MS))
        .id;
    },
    begin: (file, labels, { signal, isTried = false } = {}) =>
      call(async ({ batches }, options) => {
        // A batch may have begun although the reply was lost. One that the server refused begins again.
        for await (const batch of isTried ? batches.list({ limit: 100 }, options) : []) {
          if (batch.input_file_id === file && batch.status !== "failed") return readBatch(batch);
        }
        const body = { "input_file_id": file, endpoint, "completion_window": "24h", metadata: labels } as const;
        return readBatch(await batches.create(body, options));
      }, signal),
    look: (id, signal) => call(({ batches }, options) => batches.retrieve(id, options).then(readBatch), signal),
    cancel: (id, signal) => call(({ batches }, options) => batches.cancel(id, options).then(readBatch), signal),
    async save(file, path, signal): Promise<void> {
      const download = async ({ files }: OpenAI, options: object): Promise<string> =>
        await (await files.content(file, options)).text();
      const replies = await call(download, signal, FILE_MS);
      await mkdir(dirname(path), { recursive: true });
      await writeWhole(path, replies);
    },
  };
}

function readBatch(batch: OpenAI.Batch): ServerBatch {
  const { id, status, created_at: created = 0, request_counts: counts } = batch;
  return {
    id,
    status,
    begun: new Date(1000 * created).toISOString(),
    answered: counts?.completed ?? 0,
    failed: counts?.failed ?? 0,
    outputs: [batch.output_file_id, batch.error_file_id].filter((each) => typeof each === "string"),
    ...(status === "failed" ? { refusal: readRefusal(batch.errors?.data ?? []) } : {}),
  };
}

function readRefusal(errors: readonly OpenAI.BatchError[]): NonNullable<ServerBatch["refusal"]> {
  const texts = errors.map(({ code, line, message }) =>
    `${typeof line === "number" ? `line ${line}: ` : ""}${message ?? code ?? "no message"}`
  );
  const message = texts.slice(0, 5).join("; ") || "no reason was given";
  const full = /token_limit_exceeded|enqueued token limit/i;
  const isFull = errors.some(({ code, message: text }) => full.test(`${code} ${text}`));
  const [, limit] = /limit:\s*([\d,]+) enqueued/i.exec(message) ?? [];
  return { message, isFull, ...defined({ mostTokens: limit && Number(limit.replaceAll(",", "")) || undefined }) };
}

/** Reads the outcome in a line of a batch's output; `undefined` if the batch ended before the request was tried. */
function readBatchLine({ response, error }: Fields, protocol: Protocol): Outcome | undefined {
  const { status_code: code, body } = fieldsOf(response);
  const status = Number.isInteger(code) ? code as number : 200;
  const { error: inner = error, code: errorCode } = fieldsOf(error);
  if (/^batch_(expired|cancelled)$/.test(String(errorCode))) return undefined;
  const place = "in the batch";
  if (status >= 400) return judgeServerError({ status, body: error ?? body, label: `HTTP ${status} ${place}` });
  // Of a request without a response, and of every failed request in vLLM's files.
  if (error !== null && error !== undefined) return judgeHiddenError(inner, {}, place);
  // All servers with batches name why a reply ended.
  return readReply(body, protocol, { namesReasons: true });
}

function timeOf({ response }: Fields): string | undefined {
  const body = fieldsOf(fieldsOf(response)["body"]);
  const created = body["created"] ?? body["created_at"];
  return typeof created === "number" && created > 0 ? new Date(1000 * created).toISOString() : undefined;
}
