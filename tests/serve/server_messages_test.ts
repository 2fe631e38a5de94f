import { deepEqual, equal, match, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { type ServeOptions, serveSimulated } from "./serve_command.ts";
import { answerRequest, type ServerSettings } from "./server_messages.ts";

const JSON_TYPE = { "content-type": "application/json" };
const NEEDLE = "One of the special magic numbers for calm-river is: 1234567.\n" +
  "What is the special magic number for calm-river mentioned in the provided text?";

type Server = Awaited<ReturnType<typeof serveSimulated>>;

/** Runs a test against a server of its own. */
async function withServer(options: ServeOptions, test: (server: Server) => Promise<void>): Promise<void> {
  const server = await serveSimulated(options);
  try {
    await test(server);
  } finally {
    await server.close();
  }
}

/** Asks a server by chat; extra fields and headers go into the request. */
function ask(url: string, content: string, { fields = {}, headers = {}, signal }: {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
} = {}): Promise<Response> {
  // Bytes, as fetch gives a text a content type of its own.
  const body = new TextEncoder().encode(
    JSON.stringify({ model: "ideal", messages: [{ role: "user", content }], ...fields }),
  );
  const asked = { method: "POST", headers: { ...JSON_TYPE, ...headers }, body };
  return fetch(`${url}/chat/completions`, signal === undefined ? asked : { ...asked, signal });
}

/** Whether a server still answers as it should. */
async function checkAnswers(url: string): Promise<void> {
  const { choices } = await (await ask(url, NEEDLE)).json();
  equal(choices[0].message.content, "1234567.");
}

/** Sends bytes over a connection of its own, and gives the first line of the response. */
async function sendRaw(port: number, text: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(text));
  const buffer = new Uint8Array(4096);
  const size = await connection.read(buffer) ?? 0;
  return new TextDecoder().decode(buffer.subarray(0, size)).split("\r\n")[0]!;
}

Deno.test.each([
  ["no origin", 200, {}],
  ["an origin on this machine", 200, { origin: "http://localhost:3000" }],
  ["JSON of a stated character set", 200, { "content-type": "application/json; charset=utf-8" }],
  ["another site's origin", 403, { origin: "https://evil.example" }],
  ["an origin that only begins like this machine", 403, { origin: "http://127.0.0.1.evil.example" }],
  ["the origin of a file or a sandbox", 403, { origin: "null" }],
  ["plain text", 415, { "content-type": "text/plain" }],
  ["a form", 415, { "content-type": "application/x-www-form-urlencoded" }],
  ["a type that only begins like JSON", 415, { "content-type": "application/jsonp" }],
  ["no type", 415, { "content-type": "" }],
] as [string, number, Record<string, string>][])(
  "serveSimulated() answers a request with %s by status %d",
  async (_name, status, headers) => {
    await withServer({ profile: "ideal" }, async ({ url }) => {
      const reply = await ask(url, NEEDLE, { headers });
      deepEqual([reply.status, (await reply.text()).length > 0], [status, true]);
    });
  },
);

/** Characters of a prompt that no reader was made for. */
const MANY = cases(200_000, 1_000_000);

Deno.test.each([
  ["a document in one line", `You are a helpful AI bot\n${"a".repeat(cases(MANY, 7 * MANY))}\nWhat are b?`],
  ["a document without a question", `You are a helpful AI bot\n${"a b. ".repeat(MANY / 5)}`],
  ["one letter", "a".repeat(MANY)],
  ["white space", " ".repeat(MANY)],
  ["lines", "\n".repeat(MANY)],
  ["brackets", '{"a": ['.repeat(MANY / 7)],
])("serveSimulated() answers a long prompt of %s, and goes on", async (_name, content) => {
  await withServer({ profile: "ideal" }, async ({ url }) => {
    const reply = await ask(url, content);
    deepEqual([reply.status, (await reply.json()).object], [200, "chat.completion"]);
    await checkAnswers(url);
  });
});

Deno.test("serveSimulated() answers an error of its own with status 500, and goes on", async () => {
  const message = "Maximum call stack size exceeded";
  const fail = (): never => {
    throw new RangeError(message);
  };
  const request = { method: "GET", path: "/v1/models", host: "localhost", body: () => Promise.resolve("") };
  const settings = {
    get profiles(): readonly string[] {
      return fail();
    },
  };
  const none = { authorization: undefined, origin: undefined, contentType: undefined };
  const reply = await answerRequest({ ...request, ...none }, settings as unknown as ServerSettings);
  deepEqual([reply?.status, (await reply?.json()).error.type], [500, "server_error"]);
});

Deno.test.each(["//", "/v1//models", "http://[", "*"])("serveSimulated() answers the address %s", async (path) => {
  await withServer({ profile: "ideal" }, async ({ port, url }) => {
    const first = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    match(first, /^HTTP\/1\.1 40[04] /);
    equal((await fetch(`${url}/models`)).status, 200);
  });
});

Deno.test("serveSimulated() goes on where a client leaves in the middle of a streamed reply", async () => {
  await withServer({}, async ({ url }) => {
    const needles = Array.from({ length: 4000 }, (_, at) => `One of the special magic numbers for ${at} is: ${at}.\n`);
    const leave = new AbortController();
    const fields = { model: "parrot", n: 128, stream: true };
    const reply = await ask(url, needles.join("") + NEEDLE, { fields, signal: leave.signal });
    equal(reply.status, 200);
    equal((await reply.body!.getReader().read()).done, false);
    leave.abort();
    await checkAnswers(url);
  });
});

Deno.test("serveSimulated() refuses as many replies as would not fit in memory, and goes on", async () => {
  await withServer({}, async ({ url }) => {
    const needles = Array.from(
      { length: 80_000 },
      (_, at) => `One of the special magic numbers for ${at} is: ${at}.\n`,
    );
    const reply = await ask(url, needles.join("") + NEEDLE, { fields: { model: "parrot", n: 128 } });
    deepEqual([reply.status, (await reply.json()).error.param], [400, "n"]);
    await checkAnswers(url);
  });
});

/** Prompts whose facts lead to one another in a circle, or each to two others. */
const names = Array.from({ length: 40 }, (_, at) => `A${String.fromCharCode(65 + at)}`);
Deno.test.each([
  ["a circle of variables", "VAR A = 12345 VAR B = VAR A VAR A = VAR B ".repeat(3)],
  [
    "variables that branch",
    names.slice(0, 26).map((name, at) => `VAR ${name} = ${at === 0 ? 12345 : names[at - 1]} `.repeat(3)).join(""),
  ],
])("serveSimulated() answers a prompt with %s, and goes on", async (_name, lines) => {
  await withServer({ profile: "ideal" }, async ({ url }) => {
    const question = "\nQuestion: Find all variables that are assigned the value 12345 in the text above.";
    const reply = await ask(url, lines + question);
    equal(reply.status, 200);
    ok((await reply.text()).length < 10_000);
    await checkAnswers(url);
  });
});
