import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { withFolder } from "./_fakes.ts";
import { anthropicServer, responsesServer, VENDOR, type VendorServer } from "../models/_vendor_servers.ts";
import { type Preflight, runStudy } from "@/lib/asking/mod.ts";
import { readRun } from "@/lib/records/mod.ts";
import { checkStudy, openModel } from "@/lib/studies/mod.ts";

/** The environment of a user with keys of both vendors, and an address for OpenAI's. */
const KEYS: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: VENDOR.key,
  ANTHROPIC_API_KEY: VENDOR.key,
  OPENAI_CUSTOM_HEADERS: "x-azure: secret",
};

function environment(name: string): string | undefined {
  return KEYS[name];
}

const study = checkStudy({ tasks: ["niah_single_1", "niah_single_2"], lengths: [1024], samples: 2 });

Deno.test.each([
  ["responses", responsesServer, "reasoning: low\n  thinking_tokens: 200"],
  ["anthropic", anthropicServer, "reasoning: 2000"],
] as [string, typeof responsesServer, string][])(
  "runStudy() asks a server of the protocol %s, by the entry of a models file alone",
  async (api, serve, reasoning) => {
    await using server = serve({ perMessage: 6, thinking: { text: "Look for it.", isHidden: true } });
    await withFolder(async (folder) => {
      const models = `${folder}/models.yaml`;
      await writeFile(
        models,
        `mine:\n  api: ${api}\n  base_url: ${server.url}\n  model: ${VENDOR.model}\n  ${reasoning}\n`,
      );
      const allowedVariables = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_CUSTOM_HEADERS"];
      const model = await openModel({ model: "mine", models }, { environment, allowedVariables });
      let look: Preflight | undefined;
      const onServer = (found: Preflight): void => void (look = found);
      const { summary, manifest, replies } = await runStudy(study, { name: "run", model, folder, onServer });
      deepEqual([summary.answered, summary.failed], [4, 0]);
      deepEqual(replies.map(({ value }) => value), [1, 1, 1, 1]);
      // What the server's template adds is measured, and taken off each length.
      equal(manifest.settings["templateTokens"], 6);
      ok(look!.lines.some(({ text }) => /counted by the server/.test(text)), JSON.stringify(look!.lines));
      const { records } = await readRun("run", { folder });
      ok(records.every(({ reply }) => reply.kind === "answer" && reply.reasoningTokens === 4));
      equal(JSON.stringify([manifest, records]).includes(VENDOR.key), false);
    });
  },
);

/** The headers of every request with the name of a key. */
function keysOf(server: VendorServer): readonly (string | null)[] {
  return server.received.flatMap(({ headers }) =>
    ["authorization", "x-api-key", "x-azure"].map((name) => headers.get(name))
  );
}

Deno.test("openModel() sends each vendor's key to the address that the user gave, and no other's", async () => {
  await using server = anthropicServer({ write: () => "17" });
  const urls = { ...KEYS, OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
  const read = (name: string): string | undefined => urls[name as keyof typeof urls];
  const given = await openModel({ model: VENDOR.model, api: "anthropic", baseUrl: server.url }, { environment: read });
  deepEqual(given.destination, { address: server.url, variables: ["ANTHROPIC_API_KEY (x-api-key)"], isGiven: true });
  await given.probe!([], { count: () => 1, asks: false });
  ok(server.received.length > 0);
  deepEqual(new Set(keysOf(server)), new Set([null, VENDOR.key]));
  ok(server.received.every(({ headers }) => headers.get("authorization") === null && headers.get("x-azure") === null));
  // Without an address the vendor's own is asked, not that of OPENAI_BASE_URL.
  const own = await openModel({ model: "claude", api: "anthropic" }, { environment: read });
  equal(own.destination!.address, "https://api.anthropic.com/v1");
  const bearer = await openModel({
    model: "m",
    api: "anthropic",
    baseUrl: server.url,
    headers: { authorization: "Bearer t" },
  }, {
    environment: read,
  });
  deepEqual(bearer.destination!.variables, []);
  // A thinking budget is not part of the window that samples may fill.
  equal((await openModel({ model: "claude-sonnet-4-5" }, { environment: read })).window, 196_000);
  const openai = await openModel({ model: "m", api: "responses" }, { environment: read });
  deepEqual([openai.destination!.address, openai.destination!.variables], ["http://127.0.0.1:9/v1", [
    "OPENAI_API_KEY (authorization)",
    "OPENAI_CUSTOM_HEADERS (x-azure)",
  ]]);
});

Deno.test("openModel() asks for the key of the protocol, and an entry from elsewhere may not send it", async () => {
  await withFolder(async (folder) => {
    const models = `${folder}/models.yaml`;
    await writeFile(models, "mine: { api: anthropic, base_url: http://127.0.0.1:9/v1 }\n");
    await rejects(openModel({ model: "mine", models }, { environment }), ({ message }: Error) => {
      match(message, /ANTHROPIC_API_KEY \(x-api-key\) must be allowed to go to http:\/\/127\.0\.0\.1:9\/v1/);
      return true;
    });
  });
  await rejects(openModel({ model: "none", api: "anthropic" }, { environment: () => undefined }), {
    message: /a base URL \(--base-url\) or a key \(ANTHROPIC_API_KEY\) must be given/,
  });
});
