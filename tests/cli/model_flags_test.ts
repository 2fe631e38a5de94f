import { deepEqual, equal, match } from "node:assert/strict";
import { Command } from "commander";
import { shell, spawn, withRunName } from "./_shell.ts";
import { withFolder } from "../_folder.ts";
import { chatReply, playServer } from "../models/_play_server.ts";
import { addModelFlags, readModelFlags } from "@/lib/cli/model_flags.ts";
import { number } from "@/lib/generators/mod.ts";
import { ENDPOINT_OPTIONS, type EndpointOptionList } from "@/lib/models/mod.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { readModelEntries } from "@/lib/studies/model_entries.ts";

/** The options, and one that is declared here alone. */
const WITH_MIN_P: EndpointOptionList = {
  ...ENDPOINT_OPTIONS,
  minP: {
    ...number({ from: 0, to: 1 }, "the least probability of a token"),
    takes: "number",
    field: "min_p",
  },
};

function parse(...args: readonly string[]): unknown {
  const command = addModelFlags(new Command().exitOverride().configureOutput({ writeErr: () => {} }), WITH_MIN_P);
  return readModelFlags(command.parse(args, { from: "user" }).opts(), WITH_MIN_P);
}

Deno.test("an endpoint option that is declared once has a flag with help, which --help-all shows", () => {
  deepEqual(parse("--min-p", "0.2"), { model: "sim:ideal", minP: 0.2 });
  const command = addModelFlags(new Command(), WITH_MIN_P);
  equal(command.helpInformation().includes("--min-p"), false);
  for (const option of command.options) option.hidden = false;
  match(command.helpInformation(), /--min-p <number> +the least probability of a token/);
});

Deno.test("an endpoint option that is declared once is a key of an entry", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, "m: { min_p: 0.3 }");
  deepEqual((await readModelEntries(path, WITH_MIN_P)).find("m"), { minP: 0.3 });
  await Deno.remove(path);
});

Deno.test("the model's flags set its options", () => {
  const choice = parse(
    ...["--model", "m", "--chat-template", "meta-chat", "--system", "Hi", "--temperature", "none", "--stop", "a|b"],
    ..."--sampling-seed -7 --thinking-in-length --requests-per-minute 9 --timeout 0.5 --continue-flags".split(" "),
    ...["--header", "A: 1", "--header", "b: 2", "--extra-body", '{"x":1}', "--base-url", "http://h"],
  );
  const { chatTemplate, ...rest } = choice as { readonly chatTemplate: { readonly name: string } };
  equal(chatTemplate.name, "meta-chat");
  deepEqual(rest, {
    model: "m",
    baseUrl: "http://h",
    systemMessage: "Hi",
    temperature: null,
    stop: ["a", "b"],
    seed: -7,
    thinkingInLength: true,
    requestsPerMinute: 9,
    timeoutSeconds: 0.5,
    continueFlags: true,
    headers: { a: "1", b: "2" },
    extraBody: { x: 1 },
  });
});

Deno.test("a simulated reader says which options it ignores", async () => {
  const run = ["run", "--tasks", "niah_single_1", "--lengths", "1K", "--samples", "1", "--dry-run"];
  const { code, err } = await shell(...run, "--model", "sim:gpt-4", "--temperature", "1", "--sampling-seed", "7");
  deepEqual([code, err[0]], [0, "sim:gpt-4 is simulated and ignores --temperature, --sampling-seed"]);
});

Deno.test("fathom run takes a model of a file with its window and prices, and an error says what a flag takes", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(
    path,
    "m: { base_url: http://127.0.0.1:1, window: 4096, tokenizer: o200k_base, price: { input: 1000, output: 0 } }",
  );
  const run = (...args: readonly string[]): ReturnType<typeof shell> =>
    shell("run", "--tasks", "niah_single_1", "--samples", "1", "--models", path, "--model", "m", "--dry-run", ...args);
  const planned = await run("--lengths", "1024");
  equal(planned.code, 0, planned.err.join("\n"));
  equal(/1 of 1 question to ask: .* at most 0\.\d\d in the currency/.test(planned.err.join("\n")), true);
  const long = await run("--lengths", "8192");
  equal(long.code, 2);
  equal(long.err.at(-1)?.includes("each length must be at most 4096 tokens"), true);
  const wrong = await run("--lengths", "1024", "--top-p", "3");
  deepEqual([wrong.code, wrong.err.at(-1)?.includes("It must be above 0 and at most 1.")], [2, true]);
  await Deno.remove(path);
});

interface Ended {
  readonly code: number;
  readonly err: string;
}

Deno.test("a models file from elsewhere sends no variable of the environment until it is allowed, and then says so first", async () => {
  await using server = playServer(() => chatReply({ content: "none" }));
  const secrets = { AWS_SECRET_ACCESS_KEY: "aws-secret-1234", OPENAI_API_KEY: "sk-1234", OPENAI_BASE_URL: "" };
  const entry = `m: { base_url: "${server.url}", headers: { x-id: "id \${AWS_SECRET_ACCESS_KEY}" } }
bare: { base_url: "${server.url}" }`;
  await withRunName((name) =>
    withFolder({ "models.yaml": entry }, async (folder) => {
      const start = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> => {
        const { code, stderr } = await spawn(args, undefined, { ...secrets, ...env }).output();
        return { code, err: new TextDecoder().decode(stderr) };
      };
      const asking = ["run", "--tasks", "vt", "--lengths", "1K", "--samples", "1", "--models", `${folder}/models.yaml`];
      const ask = (...flags: readonly string[]): Promise<Ended> =>
        start([...asking, "--name", name, "--model", "m", ...flags]);
      const refused = await Promise.all([
        ask(),
        ask("--allow-env-var", "OPENAI_API_KEY", "--dry-run"),
        ask("--base-url", server.url),
      ]);
      for (const { code, err } of refused) {
        equal(code, 2, err);
        match(
          err,
          /as .*AWS_SECRET_ACCESS_KEY \(x-id\) must be allowed to go to http:.* add .*--allow-env-var AWS_SECRET/,
        );
      }
      equal(server.received.length, 0);
      const { code, err } = await ask("--allow-env-var", "AWS_SECRET_ACCESS_KEY", "--allow-env-var", "OPENAI_API_KEY");
      equal(code, 0, err);
      const sent = "OPENAI_API_KEY (authorization), AWS_SECRET_ACCESS_KEY (x-id)";
      equal(err.split("\n")[0], `Server ${server.url}; sent from the environment: ${sent}`);
      equal(server.received[0]!.headers.get("x-id"), "id aws-secret-1234");
      // What was asked without a key gets none later.
      await Deno.remove(`${RUNS_FOLDER}/${name}`, { recursive: true });
      const bare = await start([...asking, "--name", name, "--model", "bare"], { OPENAI_API_KEY: "" });
      equal(bare.code, 0, bare.err);
      match((await start(["resume", name])).err, /Cannot send OPENAI_API_KEY \(authorization\) to the server of run/);
    })
  );
});
