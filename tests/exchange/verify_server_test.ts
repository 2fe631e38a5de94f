import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { request } from "node:http";
import { type LocalServer, openVerifier, serveVerifier, type Verifier, VERIFY_LIMITS } from "@/lib/exchange/mod.ts";

const ITEM = { references: ["17"], scorer: "all", reply: "17" };

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown> & { readonly error?: { readonly code: string; readonly message: string } };
}

/** Sends a request with headers that `fetch` would not send, such as another host. */
function send(
  { url }: LocalServer,
  { path = "/verify", method = "POST", headers = {}, body = JSON.stringify(ITEM) }: {
    readonly path?: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers: { "content-type": "application/json", ...headers } });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.on("data", (part) => text += part);
      response.on("end", () => resolve({ status: response.statusCode!, body: JSON.parse(text) }));
    });
    sent.end(method === "POST" ? body : undefined);
  });
}

async function withServer(use: (server: LocalServer) => Promise<void>): Promise<void> {
  const server = await serveVerifier(await openVerifier());
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

Deno.test("POST /verify scores a reply, or a list in its order with an error in the place of a wrong item", async () => {
  await withServer(async (server) => {
    const one = await send(server, {});
    deepEqual([one.status, one.body["score"], one.body["reward"]], [200, 1, 1]);
    const items = [ITEM, { reply: 3 }, { ...ITEM, reply: "18" }];
    const { status, body } = await send(server, { body: JSON.stringify(items) });
    const list = body as unknown as readonly Answered["body"][];
    deepEqual([status, list.map(({ score, error }) => score ?? error?.code)], [200, [1, "invalid_request", 0]]);
  });
});

Deno.test("GET /health and POST /seed_session answer", async () => {
  await withServer(async (server) => {
    const { status, body } = await send(server, { path: "/health", method: "GET" });
    deepEqual([status, body["status"]], [200, "ok"]);
    deepEqual(await send(server, { path: "/seed_session" }), { status: 200, body: {} });
  });
});

const REFUSED = [
  ["another site's origin", 403, { headers: { origin: "https://evil.example" } }],
  ["an origin that only begins like this machine", 403, { headers: { origin: "http://127.0.0.1.evil.example" } }],
  ["the origin of a file or a sandbox", 403, { headers: { origin: "null" } }],
  ["another host", 403, { headers: { host: "evil.example:8124" } }],
  ["plain text", 415, { headers: { "content-type": "text/plain" } }],
  ["a type that only begins like JSON", 415, { headers: { "content-type": "application/jsonp" } }],
  ["another path", 404, { path: "/score" }],
  ["another method", 404, { method: "GET" }],
  ["broken JSON", 400, { body: "{" }],
  ["a wrong item", 400, { body: "{}" }],
  ["too many items", 413, { body: JSON.stringify(Array(VERIFY_LIMITS.items + 1).fill(0)) }],
] as const;

for (const [what, wanted, sent] of REFUSED) {
  Deno.test(`the server refuses ${what} with status ${wanted}`, async () => {
    await withServer(async (server) => {
      const { status, body } = await send(server, sent);
      equal(status, wanted);
      equal(typeof body.error?.code, "string");
      match(body.error!.message, /\S/);
      // It goes on.
      equal((await send(server, {})).status, 200);
    });
  });
}

Deno.test("the server refuses a body that is too long with status 413", async () => {
  await withServer(async (server) => {
    const body = JSON.stringify({ ...ITEM, reply: "x".repeat(VERIFY_LIMITS.bytes) });
    const refused = await send(server, { body }).catch((error) => error);
    // The connection can be closed before the answer is read.
    if (!(refused instanceof Error)) equal(refused.status, 413);
    equal((await send(server, {})).status, 200);
  });
});

Deno.test("the server accepts this machine's other names, and names a port that is taken", async () => {
  await withServer(async (server) => {
    const { port } = new URL(server.url);
    for (const host of [`localhost:${port}`, "[::1]:9", "127.0.0.1"]) {
      equal((await send(server, { headers: { host } })).status, 200, host);
    }
    const again = serveVerifier(await openVerifier(), { port: Number(port) });
    await rejects(again, new RegExp(`Cannot serve as 127\\.0\\.0\\.1 and port must be free to listen on: .* ${port}`));
  });
});

const PIECE = "x".repeat(2 ** 20);

/** Sends the headers of a body and a part of it, and leaves it unfinished. */
async function sendPart({ url }: LocalServer, mebibytes: number): Promise<{
  readonly connection: Deno.TcpConn;
  readonly isRefused: boolean;
}> {
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const head =
    `POST /verify HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${VERIFY_LIMITS.bytes}\r\n\r\n`;
  const encoder = new TextEncoder();
  try {
    await writeAll(connection, encoder.encode(head));
    const piece = encoder.encode(PIECE);
    for (let sent = 0; sent < mebibytes; sent++) await writeAll(connection, piece);
    return { connection, isRefused: false };
  } catch {
    return { connection, isRefused: true };
  }
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
}

Deno.test("unfinished bodies of many connections hold bounded memory, and leave room for small ones", async () => {
  await withServer(async (server) => {
    const sent = [];
    for (let at = 0; at < 5; at++) sent.push(await sendPart(server, 62));
    const { status } = await send(server, {});
    for (const { connection } of sent) connection.close();
    // What the first three leave is 70 MiB, of which a body may have half.
    deepEqual(sent.map(({ isRefused }) => isRefused), [false, false, false, true, true]);
    equal(status, 200);
  });
});

/** A verifier whose items take milliseconds of the thread. */
function slowVerifier(milliseconds: number): { readonly verifier: Verifier; readonly count: () => number } {
  let count = 0;
  const verify = (): Promise<never> => {
    count++;
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
    return Promise.resolve({ score: 1 } as never);
  };
  return { verifier: { verify }, count: () => count };
}

Deno.test("GET /health answers between the items of lists, and a list ends when its client goes", async () => {
  const { verifier, count } = slowVerifier(60);
  const server = await serveVerifier(verifier);
  const leaving = new AbortController();
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(Array(500).fill(0));
  const lists = Array.from(
    { length: 4 },
    () => fetch(`${server.url}/verify`, { method: "POST", headers, body, signal: leaving.signal }).catch(() => null),
  );
  while (count() < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  const before = count();
  equal((await send(server, { path: "/health", method: "GET" })).status, 200);
  // A few turns of each of the four lists, which have 2,000 items.
  ok(count() - before < 60, `${count() - before} items`);
  leaving.abort();
  await Promise.all(lists);
  await server.close();
  ok(count() < 100, `${count()} items`);
});
