import { mkdir, readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { defined, type Fields, writeWhole } from "@/lib/base/mod.ts";
import type { Address } from "./address.ts";
import { EndlessReply, endWith, readBody, requestSender, type SendRequest } from "./client.ts";
import { type CheckedOptions, REPLY_SECONDS } from "./endpoint_options.ts";
import type { BatchLine, BatchServer, BeginOptions, ServerBatch } from "./model.ts";
import { fieldsOf, listOf, parseJson } from "./json.ts";
import type { Reply } from "./reply.ts";
import { judgeHiddenError, type Outcome, readReply } from "./protocols/protocol.ts";
import { type FailedOutcome, judgeServerError } from "./protocols/refusals.ts";
import { judgeError, judgeResponse } from "./send.ts";
import type { Sample } from "@/lib/generators/mod.ts";

/** A batch server could not be reached, or refused a request. */
export class BatchError extends Error {
  /** Makes the error; `isPassing` if the same request may succeed later. */
  constructor(message: string, readonly isPassing: boolean) {
    super(message);
  }
}

/** Time limit for a file, in milliseconds. */
const FILE_MS = 3_600_000;

/** The errors of the network, of a time limit (a DOMException) and of a reply that is none. */
const REMOTE_ERRORS = [TypeError, SyntaxError, EndlessReply, DOMException];

interface BatchRequest extends NonNullable<Parameters<SendRequest>[1]> {
  readonly timeoutMs?: number;
}

interface BatchParts extends Pick<CheckedOptions, "protocol" | "headers" | "timeoutSeconds" | "thinkingMarks"> {
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
  const send = requestSender(address, headers);
  async function call<Got = Fields>(
    path: string,
    { signal, timeoutMs = 1000 * timeoutSeconds, ...request }: BatchRequest,
    read = async (response: Response): Promise<Got> => fieldsOf(await readBody(response)) as Got,
  ): Promise<Got> {
    const asked = `${address.shown}${path}`;
    signal?.throwIfAborted();
    let failed: FailedOutcome;
    try {
      const response = await send(path, { ...request, signal: endWith(AbortSignal.timeout(timeoutMs), signal) });
      if (response.ok) return await read(response);
      failed = await judgeResponse(response, asked);
    } catch (error) {
      signal?.throwIfAborted();
      // Other errors are those of this machine, such as a full disk.
      if (!REMOTE_ERRORS.some((kind) => error instanceof kind)) throw error;
      failed = judgeError(error, asked);
    }
    const { canRetry, busy, failure, message } = failed;
    const isUnknown = failure === "not_found" && /^\/(files|batches)$/.test(path);
    const hint = isUnknown ? ": that server has no batches, as OpenAI's have them" : "";
    // A new upload can be unknown for a moment.
    const isPassing = canRetry || busy !== undefined || /cannot find file/i.test(message);
    throw new BatchError(`${parts.redact(message)}${hint}`, isPassing);
  }
  async function find(file: string, { signal, refused = [] }: BeginOptions): Promise<ServerBatch | undefined> {
    let after: string | undefined;
    for (;;) {
      const page = await call("/batches", { query: { limit: "100", ...defined({ after }) }, signal });
      const batches = listOf(page["data"]).map(readBatch);
      const found = batches.find((batch) => batch.file === file && !refused.includes(batch.id));
      after = batches.at(-1)?.id;
      if (found !== undefined || page["has_more"] !== true || after === undefined) return found;
    }
  }
  return {
    check: async (signal) => void await call("/batches", { query: { limit: "1" }, signal }),
    lineOf: (id, sample) =>
      JSON.stringify({ "custom_id": id, method: "POST", url: endpoint, body: parts.bodyOf(sample) }),
    read(text): BatchLine | undefined {
      const line = fieldsOf(parseJson(text));
      const id = line["custom_id"];
      if (typeof id !== "string") return undefined;
      const outcome = readBatchLine(line, parts);
      return { id, reply: outcome && parts.toReply(outcome), ...defined({ time: timeOf(line) }) };
    },
    async upload(path, signal): Promise<string> {
      const body = new FormData();
      body.set("purpose", "batch");
      const bytes = await readFile(path) as Uint8Array<ArrayBuffer>;
      body.set("file", new File([bytes], basename(path), { type: "application/jsonl" }));
      return String((await call("/files", { body, signal, timeoutMs: FILE_MS }))["id"]);
    },
    async begin(file, labels, options = {}): Promise<ServerBatch> {
      const { signal, isTried = false } = options;
      // A batch may have begun although the reply was lost.
      const before = isTried ? await find(file, options) : undefined;
      if (before !== undefined) return before;
      const body = { "input_file_id": file, endpoint, "completion_window": "24h", metadata: labels };
      return readBatch(await call("/batches", { body, signal }));
    },
    look: async (id, signal) => readBatch(await call(`/batches/${id}`, { signal })),
    cancel: async (id, signal) => readBatch(await call(`/batches/${id}/cancel`, { body: {}, signal })),
    save: (file, path, signal) =>
      call(`/files/${file}/content`, { signal, timeoutMs: FILE_MS }, async ({ body }) => {
        await mkdir(dirname(path), { recursive: true });
        await writeWhole(path, body ?? "");
      }),
  };
}

const FULL_QUEUE = /token_limit_exceeded|enqueued token limit/i;

function readBatch(batch: Fields): ServerBatch {
  const { completed, failed } = fieldsOf(batch["request_counts"]);
  const outputs = [batch["output_file_id"], batch["error_file_id"]];
  const status = batch["status"] as ServerBatch["status"];
  return {
    id: String(batch["id"]),
    file: String(batch["input_file_id"]),
    status,
    begun: new Date(1000 * (Number(batch["created_at"]) || 0)).toISOString(),
    answered: Number(completed ?? 0),
    failed: Number(failed ?? 0),
    outputs: outputs.filter((id): id is string => typeof id === "string" && id !== ""),
    ...(status === "failed" ? { refusal: readRefusal(listOf(fieldsOf(batch["errors"])["data"])) } : {}),
  };
}

function readRefusal(errors: readonly Fields[]): NonNullable<ServerBatch["refusal"]> {
  const texts = errors.map(({ code, line, message }) =>
    `${typeof line === "number" ? `line ${line}: ` : ""}${message ?? code ?? "no message"}`
  );
  const message = texts.slice(0, 5).join("; ") || "no reason was given";
  const isFull = errors.some(({ code, message: text }) => FULL_QUEUE.test(`${code} ${text}`));
  const [, limit] = /limit:\s*([\d,]+) enqueued/i.exec(message) ?? [];
  return { message, isFull, ...defined({ mostTokens: limit && Number(limit.replaceAll(",", "")) || undefined }) };
}

/** Reads the outcome in a line of a batch's output; `undefined` if the batch ended before the request was tried. */
function readBatchLine(
  { response, error }: Fields,
  { protocol, thinkingMarks }: Pick<CheckedOptions, "protocol" | "thinkingMarks">,
): Outcome | undefined {
  const { status_code: code, body } = fieldsOf(response);
  const status = Number.isInteger(code) ? code as number : 200;
  const { error: inner = error, code: errorCode } = fieldsOf(error);
  if (/^batch_(expired|cancelled)$/.test(String(errorCode))) return undefined;
  const place = "in the batch";
  if (status >= 400) return judgeServerError({ status, body: error ?? body, label: `HTTP ${status} ${place}` });
  // Of a request without a response, and of every failed request in vLLM's files.
  if (error !== null && error !== undefined) return judgeHiddenError(inner, {}, place);
  // All servers with batches name why a reply ended.
  return readReply(body, protocol, { namesReasons: true, marks: thinkingMarks });
}

function timeOf({ response }: Fields): string | undefined {
  const body = fieldsOf(fieldsOf(response)["body"]);
  const created = body["created"] ?? body["created_at"];
  return typeof created === "number" && created > 0 ? new Date(1000 * created).toISOString() : undefined;
}
