import { deepEqual, equal, match, ok, rejects, throws } from "node:assert/strict";
import { dirname } from "node:path";
import { withFolder } from "../_folder.ts";
import { chatReply, playServer } from "../models/_play_server.ts";
import { smallSample } from "../models/_samples.ts";
import { userFolder } from "@/lib/base/mod.ts";
import { checkStudy, openModel, openStudy, planStudy, RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { MODELS_FILE, readModelEntries } from "@/lib/studies/model_entries.ts";

/** Writes a file of models and gives its path to a check. */
async function withModels(yaml: string, check: (path: string) => Promise<void>): Promise<void> {
  await withFolder({ "models.yaml": yaml }, (folder) => check(`${folder}/models.yaml`));
}

/** An environment of some variables. */
function environment(variables: Readonly<Record<string, string>> = {}): (name: string) => string | undefined {
  return (name) => variables[name];
}

const none = environment();

Deno.test("readModelEntries() reads every entry of data/models.yaml", async () => {
  const models = await readModelEntries(MODELS_FILE);
  deepEqual(models.names, [
    ...["vllm-chat", "llama-cpp-base", "gpt-4.1-mini", "gpt-5-mini", "claude-sonnet-4-5", "gemini-2.5-flash"],
    ...["vertex-gemini-2.5-flash", "reka-flash-3"],
    "provider-thinking",
  ]);
  deepEqual([models.find("gpt-5-mini")?.reasoning, models.find("claude-sonnet-4-5")?.reasoning], ["low", 4000]);
  deepEqual(models.find("gpt-4.1-mini")?.price, { input: 0.4, cachedInput: 0.1, output: 1.6 });
  equal(models.find("provider-thinking")?.reasoning, "low");
});

Deno.test("readModelEntries() takes a chat template's path from the file's folder", async () => {
  const yaml = "a: { chat_template: t.jinja }\nb: { chat_template: meta-chat }";
  await withModels(yaml, async (path) => {
    await Deno.writeTextFile(`${dirname(path)}/t.jinja`, "<user>{{ messages[0].content }}</user>");
    const { find } = await readModelEntries(path);
    deepEqual([find("a")?.chatTemplate?.before, find("a")?.chatTemplate?.after], ["<user>", "</user>"]);
    equal(find("b")?.chatTemplate?.name, "meta-chat");
  });
});

Deno.test.each([
  ["m: { temprature: 1 }", /^Cannot read model "m" in ".*" as each key must be one of base_url, .*"temprature"$/],
  [
    "m: { temperature: 3 }",
    /^Cannot read model "m" in ".*" as temperature must be in \[0, 2\], or null to leave it out: current value is 3$/,
  ],
  ["m: { window: big }", /as window must be a whole number from 1 to 1000000000: current value is "big"$/],
  [
    "m: { api: embeddings }",
    /as api must be one of chat, completions, responses, anthropic: current value is "embeddings"$/,
  ],
  ["m: { chat_template: unknown }", /as chat_template must be a name \(base, .*\), a text with/],
  ["m: { price: { input: 1 } }", /as price.output must be given: current value is none$/],
  ["m: { price: { input: -0.1, output: 2 } }", /as price.input must be at least 0: current value is -0.1$/],
  ["m: { price: { input: 1, output: 2, outputs: 3 } }", /as each key of price must be one of input, .*"outputs"$/],
  ['m: { base_url: ["http://a", 7] }', /as base_url must be /],
  ["m: { headers: { host: secret-1 } }", /as headers must be names with values: current value is not shown$/],
  ["sim:mine: {}", /as its name must not begin with "sim:": current value is "sim:mine"$/],
  ["- m", /^Cannot read the models in ".*" as it must be keys with values: current value is \["m"\]$/],
  ["m: {", /^Cannot read the models in ".*" as line 1 must be YAML: /],
] as [string, RegExp][])("readModelEntries() refuses %s", async (yaml, message) => {
  await withModels(yaml, async (path) => {
    const readAll = async (): Promise<unknown> => {
      const { names, find } = await readModelEntries(path);
      return names.map(find);
    };
    await rejects(readAll(), { message });
  });
});

Deno.test("openModel() asks the model of an entry with its settings, which the choice overrides", async () => {
  await using server = playServer(chatReply({ content: "a" }), chatReply({ content: "b" }));
  const yaml = `mine:
  base_url: ${server.url}
  model: org/served
  max_tokens: 5
  top_p: 0.5
  system_message: Be brief.
  headers: { x-key: "k-\${MY_KEY}" }
  tokenizer: o200k_base
  concurrency: 3
  price: { input: 1, output: 2 }
`;
  await withModels(yaml, async (models) => {
    const model = await openModel({ model: "mine", models, maxTokens: 7 }, {
      environment: environment({ MY_KEY: "secret-123" }),
      allowedVariables: ["MY_KEY"],
    });
    deepEqual([model.name, model.tokenizer, model.concurrency], ["mine", "o200k_base", 3]);
    deepEqual(model.price, { input: 1, cachedInput: 1, output: 2 });
    await model.ask(smallSample());
    const { body, headers } = server.received[0]!;
    deepEqual([body["model"], body["max_tokens"], body["top_p"]], ["org/served", 7, 0.5]);
    deepEqual((body["messages"] as unknown[])[0], { role: "system", content: "Be brief." });
    equal(headers.get("x-key"), "k-secret-123");
    equal(JSON.stringify(model.settings).includes("secret-123"), false);
    equal(model.settings["headers"], "x-key");
  });
});

Deno.test("openModel() keeps the secret of a header out of messages, without its Bearer too", async () => {
  await using server = playServer(() => new Response("key tok-7654321 is not known", { status: 401 }));
  const yaml = `mine: { base_url: "${server.url}", headers: { authorization: "Bearer \${MY_KEY}" } }`;
  await withModels(yaml, async (models) => {
    const keys = { MY_KEY: "tok-7654321", OPENAI_API_KEY: "sk-other-1234" };
    const given = { environment: environment(keys), allowedVariables: ["MY_KEY"] };
    const model = await openModel({ model: "mine", models }, given);
    const reply = await model.ask(smallSample());
    match(reply.kind === "failure" ? reply.message : "", /key \[key\] is not known/);
    equal(server.received[0]!.headers.get("authorization"), "Bearer tok-7654321");
  });
});

Deno.test("openModel() names the variable that an entry's header needs", async () => {
  await withModels('mine: { base_url: "http://127.0.0.1:1", headers: { x-key: "${MY_KEY}" } }', async (models) => {
    await rejects(openModel({ model: "mine", models }, { environment: none }), {
      name: "RangeError",
      message:
        'Cannot open model "mine" as MY_KEY, which its header x-key names, must be set in the environment: current value is empty',
    });
  });
});

Deno.test("openModel() lists the entries, and asks any server that is named", async () => {
  await withModels("mine: {}", async (models) => {
    await rejects(openModel({ model: "gpt-4", models }, { environment: environment({ OPENAI_API_KEY: "sk-1" }) }), {
      name: "RangeError",
      message:
        `Cannot open the model as a base URL (--base-url) must be given; the simulated reader's profile is "sim:gpt-4", or its name be one of mine in "${models}": current value is "gpt-4"`,
    });
    equal(
      (await openModel({ model: "other", models, baseUrl: "http://127.0.0.1:1/v1" }, { environment: none })).name,
      "other",
    );
  });
  await rejects(
    openModel({ model: "other" }, { environment: none }),
    /or a key \(OPENAI_API_KEY\) .*one of vllm-chat, llama-cpp-base, /,
  );
  equal((await openModel({ model: "other" }, { environment: environment({ OPENAI_API_KEY: "sk-1" }) })).name, "other");
  equal((await openModel({ model: "other" }, { environment: none, asksNothing: true })).name, "other");
});

Deno.test("planStudy() refuses lengths above the window of an entry, less what the model may think", async () => {
  const yaml = "mine: { base_url: http://127.0.0.1:1, window: 4096, thinking_tokens: 1000 }";
  await withModels(yaml, async (models) => {
    const opened = await openStudy(checkStudy({ tasks: ["niah_single_1"], lengths: [2048, 4096] }));
    const model = await openModel({ model: "mine", models }, { environment: none });
    await rejects(async () => await planStudy(opened, model), {
      name: "RangeError",
      message:
        "Cannot plan the run as each length must be at most 3096 tokens, the model's window without what it may think: current value is 4096",
    });
    const inLength = await openModel({ model: "mine", models, thinkingInLength: true }, { environment: none });
    equal(planStudy(opened, inLength).questions, 50);
  });
});

Deno.test("openModel() asks GPT-4 with its own instruction where the wording is the paper's, unless a template is given", async () => {
  const isTold = async (
    model: string,
    variant: "paper" | "2026",
    more: { chatTemplate?: string } = {},
  ): Promise<boolean> => {
    const asked = { model, baseUrl: "http://127.0.0.1:1/v1", ...more };
    const { template } = await openModel(asked, { environment: none, variant });
    return template.after === " Do not provide any explanation. Please directly give me the answer.";
  };
  equal(await isTold("gpt-4-1106-preview", "paper"), true);
  equal(await isTold("openai/gpt-4", "paper"), true);
  equal(await isTold("gpt-4-1106-preview", "2026"), false);
  equal(await isTold("my-gpt-4", "paper"), false);
  equal(await isTold("gpt-4-1106-preview", "paper", { chatTemplate: "base" }), false);
});

/** What is sent to the address of an entry: the variables of the environment, or the error. */
async function sentFor(
  models: string,
  { allowed = [], ...choice }: { readonly allowed?: readonly string[]; readonly baseUrl?: string } = {},
): Promise<string> {
  const variables = { AWS_SECRET: "a", OPENAI_API_KEY: "sk-1", OPENAI_CUSTOM_HEADERS: "x-gateway: secret" };
  const given = { environment: environment(variables), allowedVariables: allowed };
  return await openModel({ model: "m", models, ...choice }, given).then(
    ({ destination }) => destination!.variables.join(", "),
    ({ message }) => message,
  );
}

const ALL = "OPENAI_API_KEY (authorization), OPENAI_CUSTOM_HEADERS (x-gateway), AWS_SECRET (x-a)";

Deno.test.each(
  [
    [
      "nothing",
      {},
      /as OPENAI_API_KEY \(authorization\) and OPENAI_CUSTOM_HEADERS \(x-gateway\) and AWS_SECRET \(x-a\) must be allowed to go to http:\/\/127\.0\.0\.1:1, .* add --allow-env-var OPENAI_API_KEY --allow-env-var OPENAI_CUSTOM_HEADERS --allow-env-var AWS_SECRET$/,
    ],
    [
      "the key alone",
      { allowed: ["OPENAI_API_KEY"] },
      /as OPENAI_CUSTOM_HEADERS \(x-gateway\) and AWS_SECRET \(x-a\) must/,
    ],
    [
      "another address",
      { baseUrl: "http://127.0.0.1:2" },
      /as AWS_SECRET \(x-a\) must be allowed to go to http:\/\/127\.0\.0\.1:2,/,
    ],
    ["another address and the variable", { baseUrl: "http://127.0.0.1:2", allowed: ["AWS_SECRET"] }, ALL],
    ["all", { allowed: ["AWS_SECRET", "OPENAI_API_KEY", "OPENAI_CUSTOM_HEADERS"] }, ALL],
  ] as const,
)("openModel() sends what a models file from elsewhere names only as far as is given: %s", async (_, given, wanted) => {
  await withModels('m: { base_url: "http://127.0.0.1:1", headers: { x-a: "${AWS_SECRET}" } }', async (models) => {
    const sent = await sentFor(models, given);
    if (typeof wanted === "string") equal(sent, wanted);
    else match(sent, wanted);
  });
});

Deno.test("openModel() trusts models files of the project and of the user's configuration, but none among results", async () => {
  const entry = 'm: { base_url: "http://127.0.0.1:1", headers: { x-a: "${AWS_SECRET}" } }';
  const config = userFolder("config")!;
  const name = `test-${crypto.randomUUID()}`;
  const [own, results] = [`${config}/${name}.yaml`, `${RUNS_FOLDER}/${name}.yaml`];
  try {
    await Promise.all([config, RUNS_FOLDER].map((folder) => Deno.mkdir(folder, { recursive: true })));
    await Promise.all([own, results].map((place) => Deno.writeTextFile(place, entry)));
    equal((await readModelEntries(`${dirname(MODELS_FILE)}/measured/models.yaml`)).isTrusted, true);
    equal(await sentFor(own), ALL);
    match(await sentFor(results), /must be allowed/);
  } finally {
    for (const place of [own, results]) await Deno.remove(place).catch(() => {});
  }
});

Deno.test("openModel() sends no file of this machine as the chat template of a models file from elsewhere", async () => {
  await withFolder(
    { "secret": "{{ messages[0].content }} secret", "theirs/own.jinja": "{{ messages[0].content }}" },
    async (folder) => {
      await Deno.symlink(`${folder}/secret`, `${folder}/theirs/link.jinja`);
      await Deno.symlink(`${folder}/secret`, `${folder}/other.jinja`);
      const models = `${folder}/theirs/models.yaml`;
      await Deno.writeTextFile(
        models,
        ["own", "link", "../other"].map((file, at) => `m${at}: { chat_template: ${file}.jinja }`).join("\n"),
      );
      const { find } = await readModelEntries(models);
      ok(find("m0")!.chatTemplate !== undefined);
      for (const name of ["m1", "m2"]) {
        throws(
          () => find(name),
          /chat_template must be in the folder of the models file/,
        );
      }
    },
  );
});

Deno.test.each(
  [
    [
      "that of its entry",
      { model: "gpt-4.1-mini", baseUrl: "https://api.openai.com/v1" },
      {},
      "OPENAI_API_KEY (authorization)",
    ],
    ["OPENAI_BASE_URL, with its token", { model: "m", baseUrl: "http://127.0.0.1:1/v1?token=…" }, {
      OPENAI_BASE_URL: "http://127.0.0.1:1/v1?token=t",
    }, "OPENAI_API_KEY (authorization)"],
    ["OpenAI's", { model: "m", baseUrl: "https://api.openai.com/v1" }, {}, "OPENAI_API_KEY (authorization)"],
    [
      "another's",
      { model: "m", baseUrl: "http://127.0.0.1:1/v1" },
      {},
      /Cannot send OPENAI_API_KEY \(authorization\) to the server of run "r"/,
    ],
    [
      "another's, for an entry with a key of its own",
      { model: "gemini-2.5-flash", baseUrl: "https://evil.invalid/v1" },
      {},
      /Cannot send GEMINI_API_KEY \(authorization\) to/,
    ],
    [
      "OPENAI_BASE_URL, for an entry with a key of its own",
      { model: "gemini-2.5-flash", baseUrl: "https://evil.invalid/v1" },
      { OPENAI_BASE_URL: "https://evil.invalid/v1" },
      /Cannot send GEMINI_API_KEY/,
    ],
    [
      "one that a shell would run",
      { model: "m", baseUrl: "https://evil.invalid/$(id)'" },
      {},
      /add --base-url 'https:\/\/evil.invalid\/\$\(id\)%27'$/,
    ],
    ["one that begins as this machine", { model: "m", baseUrl: "http://127.0.0.1.evil.invalid/v1" }, {
      OPENAI_API_KEY: "",
    }, /Cannot send prompts to/],
    ["this machine, without a secret", { model: "m", baseUrl: "http://127.0.0.1:1/v1" }, { OPENAI_API_KEY: "" }, ""],
    ["this machine, with headers", { model: "m", baseUrl: "http://[::1]:1/v1" }, {
      OPENAI_API_KEY: "",
      OPENAI_CUSTOM_HEADERS: "a: b",
    }, /Cannot send OPENAI_CUSTOM_HEADERS \(a\) to/],
  ] as const,
)("openModel() asks a recorded address only if it is the user's: %s", async (_, choice, variables, wanted) => {
  const held = { OPENAI_API_KEY: "sk-1", GEMINI_API_KEY: "g", ...variables };
  const open = (isConfirmed: boolean): Promise<string> =>
    openModel(choice, {
      environment: (name) => environment(held)(name) || undefined,
      recordedIn: { name: "r", isConfirmed },
    }).then(({ destination }) => destination!.variables.join(", "), ({ message }) => message);
  const sent = await open(false);
  if (typeof wanted === "string") equal(sent, wanted);
  else match(sent, wanted);
  ok(!/^Cannot/.test(await open(true)));
});
