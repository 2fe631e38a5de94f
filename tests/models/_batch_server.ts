import { fakeServer } from "./_fake_server.ts";

/** How the fake treats what it is given. */
export interface BatchServerOptions {
  /** What a request comes to: a reply's text, an error, or `expired` where it is not tried. */
  readonly answer?: (id: string, body: Readonly<Record<string, unknown>>, batch: number) => BatchOutcome;
  /** How many looks a batch takes until it is over. */
  readonly looks?: number;
  /** The most tokens that may be queued, and how those of a request are counted. */
  readonly mostTokens?: number;
  readonly tokensOf?: (body: Readonly<Record<string, unknown>>) => number;
  /** Plays what goes wrong: a response in place of doing what was asked, or `gone`, where that was done and nobody hears of it. */
  readonly disturb?: (call: BatchCall) => Response | "gone" | undefined;
}

/** What one request of a batch came to. */
export type BatchOutcome = string | { readonly status: number; readonly message: string } | "expired";

/** A request that the fake got. */
export interface BatchCall {
  readonly method: string;
  readonly path: string;
}

/** A fake of OpenAI's files and batches, written after their reference; what matters of it stands in memory. */
export interface FakeBatchServer extends AsyncDisposable {
  readonly url: string;
  /** Every call, in order. */
  readonly calls: readonly BatchCall[];
  /** The files that were uploaded, by their ids: their lines. */
  readonly inputs: ReadonlyMap<string, readonly BatchRequest[]>;
  readonly batches: readonly FakeBatch[];
}

interface BatchRequest {
  readonly "custom_id": string;
  readonly method: string;
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface FakeBatch {
  readonly id: string;
  readonly "input_file_id": string;
  readonly endpoint: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly "created_at": number;
  status: string;
  looksLeft: number;
  "output_file_id"?: string;
  "error_file_id"?: string;
  errors?: unknown;
  "request_counts": { total: number; completed: number; failed: number };
}

const NOT_DONE = ["validating", "in_progress", "cancelling"];

/** Starts the fake; batches are answered after some looks. */
export function fakeBatchServer(options: BatchServerOptions = {}): FakeBatchServer {
  const { answer = () => "ok", looks = 1, mostTokens = Infinity, disturb = () => undefined } = options;
  const { tokensOf = () => 1 } = options;
  const calls: BatchCall[] = [];
  const texts = new Map<string, string>();
  const inputs = new Map<string, readonly BatchRequest[]>();
  const batches: FakeBatch[] = [];
  const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const save = (text: string): string => {
    const id = `file-${texts.size + 1}`;
    texts.set(id, text);
    return id;
  };
  const sizeOf = ({ input_file_id: file }: FakeBatch): number =>
    inputs.get(file)!.reduce((sum, { body }) => sum + tokensOf(body), 0);
  const validate = (batch: FakeBatch): void => {
    const queued = batches.filter((other) => other !== batch && NOT_DONE.includes(other.status)).map(sizeOf);
    if (queued.reduce((sum, count) => sum + count, sizeOf(batch)) <= mostTokens) return;
    batch.status = "failed";
    batch.errors = {
      object: "list",
      data: [{
        code: "token_limit_exceeded",
        line: null,
        message: `Enqueued token limit reached for m in organization org-1. Limit: ${
          mostTokens.toLocaleString("en-US")
        } enqueued tokens. Please try again once some in_progress batches have been completed.`,
      }],
    };
  };
  const finish = (batch: FakeBatch): void => {
    const number = batches.indexOf(batch) + 1;
    const rows = inputs.get(batch.input_file_id)!.map(({ custom_id: id, body }) => {
      const got = batch.status === "cancelling" ? "expired" : answer(id, body, number);
      return { id, got };
    });
    const good = rows.filter(({ got }) => typeof got === "string" && got !== "expired");
    const bad = rows.filter(({ got }) => typeof got !== "string");
    const untried = rows.filter(({ got }) => got === "expired");
    const responseOf = (status: number, body: unknown): object => ({ "status_code": status, "request_id": "r", body });
    if (good.length > 0) {
      // The order of the output is not that of the input.
      batch.output_file_id = save(lines(
        good.toReversed().map(({ id, got }) => ({
          ...{ id: `batch_req_${id}`, "custom_id": id, error: null },
          response: responseOf(200, completion(batch.endpoint, got as string)),
        })),
      ));
    }
    const code = batch.status === "cancelling" ? "batch_cancelled" : "batch_expired";
    const errors = [
      ...bad.map(({ id, got }) => {
        const { status, message } = got as { readonly status: number; readonly message: string };
        return { id: `e_${id}`, "custom_id": id, error: null, response: responseOf(status, { error: { message } }) };
      }),
      ...untried.map(({ id }) => ({ id: `e_${id}`, "custom_id": id, response: null, error: { code, message: code } })),
    ];
    if (errors.length > 0) batch.error_file_id = save(lines(errors));
    batch.request_counts = { total: rows.length, completed: good.length, failed: errors.length };
    batch.status = batch.status === "cancelling" ? "cancelled" : untried.length > 0 ? "expired" : "completed";
  };
  const look = (batch: FakeBatch): FakeBatch => {
    if (!NOT_DONE.includes(batch.status)) return batch;
    if (batch.status === "validating") batch.status = "in_progress";
    if (--batch.looksLeft <= 0) finish(batch);
    return batch;
  };
  const serve = async (request: Request, path: string): Promise<Response> => {
    const [, of, id, rest] = /^\/v1\/(files|batches)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? [];
    if (request.method === "POST" && of === "files" && id === undefined) {
      const form = await request.formData();
      if (form.get("purpose") !== "batch") return refusal(400, "purpose must be batch");
      const text = await (form.get("file") as File).text();
      const file = save(text);
      inputs.set(file, text.trimEnd().split("\n").map((line) => JSON.parse(line)));
      return Response.json({ id: file, object: "file", purpose: "batch", bytes: text.length });
    }
    if (request.method === "POST" && of === "batches" && id === undefined) {
      const body = await request.json();
      if (!inputs.has(body.input_file_id)) return refusal(400, `Cannot find file ${body.input_file_id}`);
      const total = inputs.get(body.input_file_id)!.length;
      const batch: FakeBatch = {
        ...{ id: `batch_${batches.length + 1}`, ...body, object: "batch", "created_at": 1_790_000_000 },
        ...{ status: "validating", looksLeft: looks, "request_counts": { total, completed: 0, failed: 0 } },
      };
      batches.push(batch);
      validate(batch);
      return Response.json(batch);
    }
    if (of === "batches" && id === undefined) {
      return Response.json({ object: "list", data: batches.toReversed(), "has_more": false });
    }
    const batch = batches.find((each) => each.id === id);
    if (of === "batches" && batch !== undefined && rest === undefined) return Response.json(look(batch));
    if (of === "batches" && batch !== undefined && rest === "cancel") {
      if (NOT_DONE.includes(batch.status)) batch.status = "cancelling";
      return Response.json(batch);
    }
    if (of === "files" && rest === "content" && texts.has(id!)) return new Response(texts.get(id!)!);
    return refusal(404, `No such ${of}: ${id}`);
  };
  const server = fakeServer(async (request) => {
    const { pathname: path } = new URL(request.url);
    const call = { method: request.method, path };
    calls.push(call);
    const wrong = disturb(call);
    if (wrong instanceof Response) return wrong;
    const response = await serve(request, path);
    return wrong === "gone" ? refusal(401, "the reply is lost") : response;
  });
  return { ...server, calls, inputs, batches };
}

function refusal(status: number, message: string): Response {
  return Response.json({ error: { message, type: "invalid_request_error", code: null } }, { status });
}

function completion(endpoint: string, text: string): object {
  const choice = endpoint.endsWith("chat/completions") ? { message: { role: "assistant", content: text } } : { text };
  return {
    ...{ id: "c", object: "chat.completion", created: 1_790_000_100, model: "m-2026" },
    choices: [{ index: 0, ...choice, "finish_reason": "stop" }],
    usage: { "prompt_tokens": 100, "completion_tokens": 5, "prompt_tokens_details": { "cached_tokens": 40 } },
  };
}
