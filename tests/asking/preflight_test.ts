import { deepEqual, doesNotMatch, equal, match, ok, rejects, throws } from "node:assert/strict";
import { type Answers, llamaCpp, lookServer, vllm, wordCount, writes } from "../models/_look_servers.ts";
import { sumTask, withFolder } from "./_fakes.ts";
import { PLAIN_TEMPLATE, type SampleRequest } from "@/lib/generators/mod.ts";
import { type EndpointOptions, type Model, openEndpoint, type ServerReport } from "@/lib/models/mod.ts";
import { type Cell, checkStudy, type Plan, planStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { checkWindow, type Preflight, preflight, runStudy, serverTable } from "@/lib/asking/mod.ts";
import { readRun } from "@/lib/records/mod.ts";

const REPORT: ServerReport = {
  ...{ address: "http://127.0.0.1:8000/v1", time: "2026-11-22T00:00:00Z" },
  ...{ software: "llama.cpp b1", served: ["m"], isServed: true, window: 4096, templateTokens: 30 },
  ...{ canTokenize: true, tokenRatios: { sum: 1.25, other: 0.5 } },
};

/** A model whose server was found like that. */
function foundModel(report: Partial<ServerReport> = {}, changes: Partial<Model> = {}): Model {
  return {
    ...{ name: "m", origin: "measured", settings: { model: "m" }, template: PLAIN_TEMPLATE },
    ask: () => Promise.reject(new Error("nobody is to be asked")),
    probe: (samples) => Promise.resolve({ report: { ...REPORT, ...report, ...spend(samples) } }),
    ...changes,
  };
}

/** Makes the samples, as a server that counts them would have them made. */
function spend(samples: Iterable<unknown>): object {
  return [...samples].length === 0 ? { tokenRatios: {} } : {};
}

function planOf(lengths: readonly number[], tasks = [sumTask(), sumTask({ name: "other" })]): Plan {
  const study = checkStudy({ tasks: ["sum"], lengths: [...lengths], samples: 2 });
  const materials = { tokenizer: { name: "cl100k_base", count: wordCount } } as unknown as Plan["materials"];
  return planStudy({ study, tasks, materials, benchmarks: [] } as unknown as Parameters<typeof planStudy>[0], {
    template: PLAIN_TEMPLATE,
  });
}

async function lookAt(model: Model, lengths: readonly number[] = [1024]): Promise<Preflight> {
  return (await preflight(model, { plan: planOf(lengths) }))!;
}

const sum = (length: number): Cell => ({ task: sumTask(), length, least: 300 });

Deno.test("a cell needs our tokens times the measured ratio, the template's tokens, and the answer room", async () => {
  const look = await lookAt(foundModel());
  // 1,024 − 16 for the answer = 1,008 of ours, 1,260 of the model's; 30 around the prompt and 16 to answer.
  equal(look.needed(sum(1024)), 1306);
  equal(look.needed({ task: sumTask({ name: "other" }), length: 1024 }), 550);
  // A task that was not measured counts as the one that needs most.
  equal(look.needed({ task: sumTask({ name: "third" }), length: 1024 }), 1306);
});

Deno.test("a cell needs what the options of the model add: a longer budget, thinking inside, tokens that lengths count", async () => {
  const settings = { model: "m", maxTokens: 100, thinkingTokens: 500, thinkingInside: true };
  const model = foundModel({}, { settings, template: { ...PLAIN_TEMPLATE, extraTokens: 530 } });
  // 1,024 − 16 − 530 = 478 of ours, 598 of the model's; 30 around, 100 to answer, 500 to think.
  equal((await lookAt(model)).needed(sum(1024)), 598 + 30 + 100 + 500);
});

// The sample that is measured has 1,024 tokens, of which 16 are for the answer. Scaled to 4,096 tokens:
Deno.test.each([
  ["fills its length exactly", 1008, 4096 - 16],
  ["fills 95% of it", 957, 4096 - 16],
  ["fills less, as its length is counted in characters", 956, 4 * 956],
  ["passes its length", 1009, 4 * 1009],
])("a cell needs the tokens of a sample that %s", async (_name, promptTokens, ours) => {
  const task = { ...sumTask(), sample: (request: SampleRequest) => ({ ...sumTask().sample(request), promptTokens }) };
  const look = (await preflight(foundModel(), { plan: planOf([1024], [task]) }))!;
  equal(look.needed({ task, length: 4096 }), Math.ceil(1.25 * ours) + 30 + 16);
});

Deno.test("checkWindow() names the lengths that fit all tasks, where one needs more than another", async () => {
  const model = foundModel({ window: 1000 });
  const look = await lookAt(model, [4096]);
  const other = { task: sumTask({ name: "other" }), length: 4096, least: 300 };
  // 1.25 · (782 − 16) + 46 and 0.5 · (1,924 − 16) + 46 are at most 1,000.
  throws(() => checkWindow([other], look, model), /Lengths up to 1900 fit these tasks/);
  for (const cells of [[other, sum(4096)], [sum(4096), other]]) {
    throws(() => checkWindow(cells, look, model), /Lengths up to 700 fit these tasks/);
  }
});

Deno.test("checkWindow() names the cells above the window, and the lengths that fit", async () => {
  const model = foundModel();
  const look = await lookAt(model);
  checkWindow([sum(1024), sum(3200)], look, model);
  throws(() => checkWindow([sum(1024), sum(4096)], look, model), {
    name: "RangeError",
    message: 'Cannot ask model "m" as each prompt with its answer must fit its server\'s window of 4,096 tokens: ' +
      "current value is about 5,146 for sum at 4K, in the model's own tokens. Lengths up to 3200 fit these tasks; a larger " +
      "window is configured at the server",
  });
});

Deno.test("checkWindow() takes the window of the model's entry before the server's, and none where nobody says one", async () => {
  const wide = foundModel({}, { window: 8192 });
  checkWindow([sum(4096)], await lookAt(wide), wide);
  const narrow = foundModel({}, { window: 1000 });
  throws(
    () => checkWindow([sum(1024)], lookOf(REPORT, 1306), narrow),
    /must fit the window of its entry of 1,000 tokens: current value is about 1,306/,
  );
  const { window: _window, ...unsaid } = REPORT;
  checkWindow([sum(1_000_000)], lookOf(unsaid, 2_000_000), foundModel());
});

Deno.test("checkWindow() lets a prompt fill the window, and names no length below the least of a task", () => {
  checkWindow([sum(1024)], lookOf(REPORT, 4096), foundModel());
  // A prompt of 1,023 tokens needs the whole window.
  const found = { ...lookOf(REPORT, 0), needed: ({ length }: { readonly length: number }) => length + 4096 - 1023 };
  const lengths = [[1000, /Lengths up to 1000 fit these tasks/], [1001, /No length of these tasks fits/]] as const;
  for (const [least, message] of lengths) {
    throws(() => checkWindow([{ ...sum(1024), least }], found, foundModel()), message);
  }
});

function lookOf(report: ServerReport, needed: number): Preflight {
  return { report, lines: [], warnings: [], model: foundModel(report), needed: () => needed };
}

Deno.test("preflight() warns of what the user should know, and tells everything in lines", async () => {
  const model = foundModel({
    isServed: false,
    served: ["a", "b"],
    prefix: "not continued",
    streams: true,
    repeatsPrompt: true,
  });
  const { lines, warnings } = await lookAt(model);
  deepEqual(lines.map(({ what, text }) => `${what}: ${text}`), [
    "Server: http://127.0.0.1:8000/v1, llama.cpp b1",
    "Model: m: not among those served (a, b)",
    "Window: 4,096 tokens",
    "Around a prompt: 30 tokens of the server's own",
    "Answer prefix: not continued",
    "Replies: streamed",
    "Tokens: counted by the server; one of cl100k_base is 0.50 (other) to 1.25 (sum) of the model's",
    "Speed: not measured",
  ]);
  equal(warnings.length, 4);
  match(warnings[0]!, /does not list "m", but a, b: another model may answer/);
  match(warnings[1]!, /adds 30 tokens to each prompt, of which lengths count 0: --template-tokens 30 counts them all/);
  match(warnings[2]!, /not continued .* --continue-flags .* --answer-prefix appended/);
  match(warnings[3]!, /replies begin with their prompt, .*`echo` or `return_full_text`/);
  match(serverTable(await lookAt(model), model).text, /Warning/);
});

Deno.test("preflight() does not warn where all is well, and gives nothing for a simulated reader", async () => {
  const counted = foundModel({}, { template: { ...PLAIN_TEMPLATE, extraTokens: 30 } });
  deepEqual((await lookAt(counted)).warnings, []);
  equal(await preflight(simulatedModel("ideal")), undefined);
});

const STUDY = checkStudy({ tasks: ["niah_single_1"], lengths: [512, 1024], samples: 2 });

Deno.test("runStudy() keeps the first look in the manifest, and says at a resume what has changed", async () => {
  await withFolder(async (folder) => {
    const open = (baseUrl: string, options: Partial<EndpointOptions> = {}): Model =>
      openEndpoint({ baseUrl, model: "smollm2", ...options });
    const told: (readonly string[])[] = [];
    const onServer = (_look: Preflight, changes: readonly string[]): void => void told.push(changes);
    await using server = lookServer(llamaCpp());
    const model = open(server.url);
    await runStudy(STUDY, { name: "kept", model, folder, onServer });
    const { manifest: { server: first } } = await readRun("kept", { folder });
    deepEqual([first?.window, first?.software, first?.templateTokens], [8192, "llama.cpp b11434-1a2b3c4", 30]);
    ok(first!.tokenRatios["niah_single_1"]! > 0.1);
    // Nothing is left to ask, so nobody looks, and the server may be gone.
    const before = server.asked.length;
    await runStudy(STUDY, { name: "kept", model, folder, onServer });
    deepEqual([server.asked.length, told], [before, [[]]]);
    await using smaller = lookServer(llamaCpp({ window: 2048 }));
    const { settings } = open(server.url, { templateTokens: 30 });
    const other = { ...open(smaller.url, { templateTokens: 30 }), settings };
    await runStudy({ ...STUDY, samples: 3 }, { name: "kept", model: other, folder, onServer });
    deepEqual(told[1]?.slice(1), ["The server's window was 8192 when the run began, and is 2048 now"]);
    equal((await readRun("kept", { folder })).manifest.server?.window, 8192);
  });
});

Deno.test("runStudy() takes the chat template that it measured off each length, unless a number is given or the run has one", async () => {
  await withFolder(async (folder) => {
    let template = 30;
    const chat: Answers[string] = (body) => writes({ template })(body);
    await using server = lookServer({ ...llamaCpp(), "/v1/chat/completions": chat });
    const ask = async (name: string, options: Partial<EndpointOptions> = {}, samples = 1): Promise<unknown[]> => {
      const model = openEndpoint({ baseUrl: server.url, model: "smollm2", ...options });
      const onServer = (): void => {};
      const run = await runStudy({ ...STUDY, samples }, { name, model, folder, onServer });
      const { settings, template } = run.manifest;
      const longest = Math.max(...run.records.map(({ promptTokens, length }) => promptTokens - length));
      const names = new Set(run.records.map(({ sample }) => sample.includes(template.name)));
      return [settings["templateTokens"], template.extraTokens, template.name, longest <= -128, ...names];
    };
    const measured = [30, 30, "chat+extra-30", true, true];
    deepEqual(await ask("new"), measured);
    deepEqual(await ask("given", { templateTokens: 0 }), [0, 0, "chat", true, true]);
    deepEqual((await ask("bare", { api: "completions" }))[0], 0);
    // The template grows: a run stays what it was, and a new one is another.
    template = 90;
    deepEqual(await ask("new", {}, 2), measured);
    deepEqual(await ask("given", {}, 2), [0, 0, "chat", true, true]);
    deepEqual((await ask("newer"))[0], 90);
    // Without a look nothing is taken off.
    const unseen = openEndpoint({ baseUrl: server.url, model: "smollm2" });
    equal((await runStudy(STUDY, { name: "unseen", model: unseen, folder })).manifest.template.name, "chat");
  });
});

Deno.test("preflight() plans with the template that it measured, and says so before it has", async () => {
  const template = { ...PLAIN_TEMPLATE, name: "chat+extra-30", extraTokens: 30 };
  const settings = { model: "m", api: "chat" };
  const withTemplateTokens = (tokens: number): Model =>
    foundModel({}, { settings, template: { ...template, extraTokens: tokens } });
  const look = await lookAt(foundModel({}, { settings, withTemplateTokens, window: 9000 }));
  equal(look.lines[3]?.text, "30 tokens of the server's own, taken off each length");
  deepEqual([look.model.template.extraTokens, look.model.window, look.warnings], [30, 9000, []]);
  // 1,024 − 16 − 30 = 978 of ours, 1,223 of the model's; 30 around the prompt and 16 to answer.
  equal(look.needed(sum(1024)), 1223 + 30 + 16);
  const unsaid = { templateTokens: undefined, readsPerSecond: 200 } as unknown as Partial<ServerReport>;
  const { lines, model, warnings } = await lookAt(foundModel(unsaid, { settings, withTemplateTokens }));
  deepEqual([lines[3]?.text, model.template.extraTokens], ["not measured", 0]);
  match(
    warnings[0]!,
    /does not count the tokens of a prompt, .*; lengths count 0 tokens for it, or those of --template/,
  );
});

Deno.test("runStudy() refuses what does not fit before anything is sent, but not what is answered already", async () => {
  await withFolder(async (folder) => {
    await using server = lookServer(llamaCpp({ window: 700, template: 60 }));
    const model = openEndpoint({ baseUrl: server.url, model: "smollm2" });
    const run = { name: "long", model, folder, onServer: (): void => {} };
    await rejects(runStudy(STUDY, run), /must fit its server's window of 700 tokens: .* for niah_single_1 at 1K/);
    equal(server.asked.filter((path) => path === "/v1/chat/completions").length, 2);
    equal(await Deno.stat(`${folder}/long`).catch(() => null), null);
    await runStudy({ ...STUDY, lengths: [512] }, run);
    // Asked while nobody looked; afterwards only the short ones are left.
    await runStudy(STUDY, { name: "long", model, folder });
    await runStudy({ ...STUDY, lengths: [512, 1024] }, run);
  });
});

Deno.test("runStudy() ends at once where no server answers, and names the served models where the name is wrong", async () => {
  await withFolder(async (folder) => {
    const dead = openEndpoint({ baseUrl: "http://127.0.0.1:9/v1", model: "m" });
    let shown = 0;
    const run = { name: "dead", folder, onServer: (): void => void shown++ };
    await rejects(runStudy(STUDY, { ...run, model: dead }), (error: Error) => {
      match(error.message, /^Cannot ask model "m" as its endpoint must be reachable: the call failed with "/);
      doesNotMatch(error.message, /\n|in a row/);
      return error instanceof RangeError;
    });
    equal(shown, 0);
    const unknown = (): Response => Response.json({ message: "The model `m` does not exist." }, { status: 404 });
    await using server = lookServer({ ...vllm(), "/v1/chat/completions": unknown });
    const model = openEndpoint({ baseUrl: server.url, model: "m" });
    await rejects(runStudy(STUDY, { ...run, model }), /does not exist.*; it serves Qwen\/Qwen3-8B$/);
    equal(shown, 1);
  });
});

Deno.test("checkWindow() takes thinking outside the length off the server's window, and not off that of an entry", () => {
  const settings = { model: "m", thinkingTokens: 500 };
  const model = foundModel({}, { settings });
  checkWindow([sum(1024)], lookOf(REPORT, 3596), model);
  throws(() => checkWindow([sum(1024)], lookOf(REPORT, 3597), model), /its server's window of 3,596 tokens/);
  checkWindow([sum(1024)], lookOf(REPORT, 4000), { ...model, window: 4000 });
  // Thinking inside the length needs no more.
  const inside = { ...model, settings: { ...settings, thinkingInside: true } };
  checkWindow([sum(1024)], lookOf(REPORT, 4096), inside);
  throws(() => checkWindow([sum(1024)], lookOf(REPORT, 4097), inside), /window of 4,096 tokens/);
});

Deno.test("preflight() passes on what a server refuses, and that no question was answered", async () => {
  const { warnings } = await lookAt(foundModel({ adapted: ["max_completion_tokens for max_tokens", "without seed"] }));
  deepEqual(warnings.slice(0, 2).map((warning) => /requests are sent (.*)$/.exec(warning)?.[1]), [
    "max_completion_tokens for max_tokens",
    "without seed",
  ]);
  const failure = { kind: "failure", failure: "bad_request", message: "no", latencyMs: 1, attempts: 1 } as const;
  const failing = foundModel({}, { probe: () => Promise.resolve({ report: REPORT, failure }) });
  deepEqual([(await lookAt(failing)).failure, (await lookAt(failing)).error], [failure, undefined]);
});
