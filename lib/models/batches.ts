import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type OpenAI from "openai";
import { type Address, openClient } from "./client.ts";
import { type CheckedOptions, REPLY_SECONDS } from "./endpoint_options.ts";
import {
  type BatchLine,
  type BatchRefusal,
  type BatchServer,
  type BeginOptions,
  type Fields,
  isFields,
  type Reply,
  type ServerBatch,
} from "./reply.ts";
import type { Outcome, Protocol } from "./protocols/protocol.ts";
import { readReply } from "./protocols/protocol.ts";
import { PROTOCOLS } from "./protocols/protocols.ts";
import { judgeError } from "./send.ts";
import { judgeServerError } from "./server_errors.ts";
import type { Sample } from "@/lib/generators/mod.ts";

/** A batch server could not be reached, or refused a request. */
export class BatchError extends Error {
  /** Whether the same request may succeed later. */
  readonly isPassing: boolean;

  /** Makes the error; `isPassing` if the same request may succeed later. */
  constructor(message: string, { isPassing }: { readonly isPassing: boolean }) {
    super(message);
    this.isPassing = isPassing;
  }
}

/** The parts of an endpoint that its batches use. */
export interface BatchParts extends Pick<CheckedOptions, "protocol" | "headers" | "timeoutSeconds"> {
  readonly address: Address;
  /** Returns the JSON body of the request of a sample. */
  readonly bodyOf: (sample: Sample) => Fields;
  /** Makes the reply of a request, without secrets. */
  readonly toReply: (outcome: Outcome) => Reply;
  /** Removes secrets from a message. */
  readonly redact: (text: string) => string;
}

/** Bytes of a file of replies that are read. */
const MAX_BYTES = 4 * 2 ** 30;
/** Time limit for a file, in milliseconds. */
const FILE_MS = 3_600_000;
/** Retries of the package. */
const RETRIES = 5;

/** Opens the batches of a server, if its protocol has any; nothing is sent yet. */
export function openBatches(parts: BatchParts): BatchServer | undefined {
  const { address, protocol, headers, timeoutSeconds = REPLY_SECONDS.atOnce } = parts;
  const endpoint = protocol.batchEndpoint as OpenAI.BatchCreateParams["endpoint"] | undefined;
  if (endpoint === undefined) return undefined;
  const timeoutMs = 1000 * timeoutSeconds;
  // Subtle: a batch is begun once, as it may have begun although the reply was lost.
  const clientFor = ({ retries = RETRIES } = {}): Promise<OpenAI> =>
    openClient(address, { headers, timeoutMs, retries, mostBytes: MAX_BYTES });
  async function tried<Got>(
    what: string,
    ask: (client: OpenAI) => Promise<Got>,
    { signal, ...client }: { readonly signal?: AbortSignal | undefined; readonly retries?: number } = {},
  ): Promise<Got> {
    signal?.throwIfAborted();
    try {
      return await ask(await clientFor(client));
    } catch (error) {
      signal?.throwIfAborted();
      throw await explain(error, { what, asked: `${address.shown}${what}`, timeoutMs, protocol, redact: parts.redact });
    }
  }
  async function find(file: string, { signal, refused = [] }: BeginOptions): Promise<ServerBatch | undefined> {
    return await tried("/batches", async (client) => {
      for await (const batch of client.batches.list({ limit: 100 }, sending(signal))) {
        if (batch.input_file_id === file && !refused.includes(batch.id)) return readBatch(batch);
      }
      return undefined;
    }, { signal });
  }
  const look = (id: string, signal?: AbortSignal): Promise<ServerBatch> =>
    tried(`/batches/${id}`, async (client) => readBatch(await client.batches.retrieve(id, sending(signal))), {
      signal,
    });
  return {
    check: (signal) =>
      tried("/batches", async (client) => void await client.batches.list({ limit: 1 }, sending(signal)), { signal }),
    lineOf: (id, sample) =>
      JSON.stringify({ "custom_id": id, method: "POST", url: endpoint, body: parts.bodyOf(sample) }),
    read(text): BatchLine | undefined {
      const line = parseLine(text);
      const id = line?.["custom_id"];
      if (line === undefined || typeof id !== "string") return undefined;
      const outcome = readBatchLine(line, protocol);
      const time = timeOf(line);
      return {
        id,
        reply: outcome && parts.toReply(outcome),
        ...(time === undefined ? {} : { time }),
      };
    },
    upload: (path, signal) =>
      tried("/files", async (client) => {
        const file = new File([await readFile(path) as Uint8Array<ArrayBuffer>], basename(path), {
          type: "application/jsonl",
        });
        const { id } = await client.files.create({ file, purpose: "batch" }, { ...sending(signal), timeout: FILE_MS });
        return id;
      }, { signal }),
    async begin(file, labels, options = {}): Promise<ServerBatch> {
      const { signal, isTried = false } = options;
      const before = isTried ? await find(file, options) : undefined;
      if (before !== undefined) return before;
      try {
        return await tried("/batches", async (client) => {
          const body = { "input_file_id": file, endpoint, "completion_window": "24h", metadata: labels } as const;
          return readBatch(await client.batches.create(body, sending(signal)));
        }, { signal, retries: 0 });
      } catch (error) {
        if (!(error instanceof BatchError && error.isPassing)) throw error;
        const begun = await find(file, options);
        if (begun === undefined) throw error;
        return begun;
      }
    },
    look,
    cancel: (id, signal) =>
      tried(`/batches/${id}/cancel`, async (client) => readBatch(await client.batches.cancel(id, sending(signal))), {
        signal,
      }),
    save: (file, path, signal) =>
      tried(`/files/${file}/content`, async (client) => {
        const limit = AbortSignal.any([AbortSignal.timeout(FILE_MS), ...(signal === undefined ? [] : [signal])]);
        const { body } = await client.files.content(file, sending(limit));
        await mkdir(dirname(path), { recursive: true });
        await writeFile(`${path}.new`, body ?? new Uint8Array(), { signal: limit });
        await rename(`${path}.new`, path);
      }, { signal }),
  };
}

function sending(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** The request that failed. */
interface Asked {
  /** The path below the address. */
  readonly what: string;
  /** The address, as it may be shown. */
  readonly asked: string;
  readonly timeoutMs: number;
  readonly protocol: Protocol;
  readonly redact: (text: string) => string;
}

/** Explains an error of the server or the network; returns an error of this machine, such as a full disk, unchanged. */
async function explain(error: unknown, { what, redact, ...asked }: Asked): Promise<unknown> {
  const { OpenAIError } = await import("openai");
  if (!(error instanceof OpenAIError) && !(error instanceof TypeError)) return error;
  const { failure, message, canRetry, busy } = await judgeError(error, asked);
  const isUnknown = failure === "not_found" && /^\/(files|batches)$/.test(what);
  const hint = isUnknown ? ": that server has no batches, as OpenAI's have them" : "";
  // A new upload can be unknown for a moment.
  const isYoung = /cannot find file/i.test(message);
  return new BatchError(`${redact(message)}${hint}`, { isPassing: canRetry || busy !== undefined || isYoung });
}

const FULL_QUEUE = /token_limit_exceeded|enqueued token limit/i;

function readBatch(batch: OpenAI.Batch): ServerBatch {
  const { id, status, input_file_id: file, created_at: created, request_counts: counts, errors } = batch;
  const outputs = [batch.output_file_id, batch.error_file_id].filter((each) => typeof each === "string" && each !== "");
  return {
    ...{ id, file, status, begun: new Date(1000 * created).toISOString() },
    ...{ answered: counts?.completed ?? 0, failed: counts?.failed ?? 0, outputs: outputs as string[] },
    ...(status === "failed" ? { refusal: readRefusal(errors?.data ?? []) } : {}),
  };
}

function readRefusal(errors: readonly OpenAI.BatchError[]): BatchRefusal {
  const texts = errors.map(({ code, line, message }) => {
    const where = typeof line === "number" ? `line ${line}: ` : "";
    return `${where}${message ?? code ?? "no message"}`;
  });
  const message = texts.slice(0, 5).join("; ") || "no reason was given";
  const isFull = errors.some(({ code, message: text }) => FULL_QUEUE.test(`${code} ${text}`));
  const [, limit] = /limit:\s*([\d,]+) enqueued/i.exec(message) ?? [];
  return { message, isFull, ...(limit === undefined ? {} : { mostTokens: Number(limit.replaceAll(",", "")) }) };
}

function parseLine(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The code of a request that its batch did not try. */
const UNTRIED = /^batch_(expired|cancelled)$/;

/**
 * Reads the reply in a line of a batch's output, in the form of OpenAI or of vLLM's `run_batch`; `undefined` if the batch ended
 * before the request was tried.
 */
export function readBatchReply(line: Fields): Reply | undefined {
  const outcome = readBatchLine(line);
  if (outcome === undefined) return undefined;
  const facts = { latencyMs: 0, attempts: 1 };
  if (outcome.kind === "answer") return { kind: "answer", ...outcome.answer, ...facts };
  return { kind: "failure", failure: outcome.failure, message: outcome.message, ...facts };
}

function readBatchLine(line: Fields, protocol?: Protocol): Outcome | undefined {
  const { response, error } = line;
  const { status_code: code, body }: Fields = isFields(response) ? response : {};
  const status = Number.isInteger(code) ? code as number : 200;
  if (isFields(error) && UNTRIED.test(String(error["code"]))) return undefined;
  if (error !== null && error !== undefined) return judgeFailedLine(error, status >= 400 ? status : undefined);
  if (status >= 400) return judgeServerError({ status, body, label: `HTTP ${status} in the batch` });
  return readReply(body, protocol ?? findProtocol(body));
}

/** Judges an error beside the response: of a request without one, and of every failed request in vLLM's files. */
function judgeFailedLine(error: unknown, status: number | undefined): Outcome {
  const inner = isFields(error) && isFields(error["error"]) ? error["error"] : error;
  const code = isFields(inner) ? Number(inner["code"]) : NaN;
  const reported = status ?? (code >= 400 && code < 600 ? code : 500);
  return judgeServerError({ status: reported, body: error, label: `Error ${reported} in the batch` });
}

function findProtocol(body: unknown): Protocol {
  const protocols: readonly Protocol[] = Object.values(PROTOCOLS);
  return protocols.find(({ recognises }) => isFields(body) && recognises(body)) ?? PROTOCOLS.chat;
}

function timeOf({ response }: Fields): string | undefined {
  const { body }: Fields = isFields(response) ? response : {};
  const created = isFields(body) ? body["created"] ?? body["created_at"] : undefined;
  return typeof created === "number" && created > 0 ? new Date(1000 * created).toISOString() : undefined;
}
