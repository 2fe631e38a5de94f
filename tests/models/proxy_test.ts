import { equal, match } from "node:assert/strict";
import process from "node:process";
import { judgeError, judgeResponse } from "@/lib/models/send.ts";

const NAMES = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap((name) => [name, name.toUpperCase()]);

/** Does something with variables of proxies, and no others. */
async function withProxies<T>(variables: Readonly<Record<string, string>>, use: () => T): Promise<Awaited<T>> {
  const before = NAMES.map((name) => [name, process.env[name]] as const);
  try {
    for (const name of NAMES) delete process.env[name];
    Object.assign(process.env, variables);
    return await use();
  } finally {
    for (const name of NAMES) delete process.env[name];
    for (const [name, value] of before) if (value !== undefined) process.env[name] = value;
  }
}

Deno.test.each([
  ["no proxy", "http://127.0.0.1:8000/v1", {}, ""],
  [
    "a proxy",
    "http://127.0.0.1:8000/v1",
    { HTTP_PROXY: "http://proxy" },
    " (HTTP_PROXY sends calls to a proxy: NO_PROXY=127.0.0.1 asks the server directly)",
  ],
  [
    "one of all protocols",
    "https://lab.example/v1",
    { all_proxy: "http://proxy", HTTP_PROXY: "http://other" },
    " (all_proxy sends calls to a proxy: NO_PROXY=lab.example asks the server directly)",
  ],
  ["a host that is asked directly", "http://lab.example/v1", { HTTP_PROXY: "x", NO_PROXY: "a, lab.example" }, ""],
  ["all hosts asked directly", "http://lab.example/v1", { HTTP_PROXY: "x", no_proxy: "*" }, ""],
] as [string, string, Record<string, string>, string][])(
  "judgeError() names the variable of a proxy: %s",
  async (_name, asked, variables, wanted) => {
    const { message } = await withProxies(variables, () => judgeError(new Error("reset"), asked));
    equal(message, `The connection to ${asked} failed: reset${wanted}`);
  },
);

Deno.test("judgeError() names how a certificate is added that is not known", () => {
  const { message } = judgeError(new TypeError("invalid peer certificate: UnknownIssuer"), "https://127.0.0.1:1/v1");
  match(message, /UnknownIssuer \(the certificate of a proxy .* DENO_CERT=FILE/);
});

Deno.test.each([
  ["a page of a proxy", new Response("<html><body>Bad gateway</body></html>", { status: 502 }), true],
  ["a proxy that asks for a login", Response.json({ error: "login" }, { status: 407 }), true],
  ["a server", Response.json({ error: { message: "busy" } }, { status: 503 }), false],
])("judgeResponse() names the variable of a proxy in a reply of %s", async (_name, response, isNamed) => {
  const judge = (): ReturnType<typeof judgeResponse> => judgeResponse(response, "http://lab.example/v1");
  const { message } = await withProxies({ HTTP_PROXY: "http://proxy" }, judge);
  equal(/HTTP_PROXY/.test(message), isNamed);
});
