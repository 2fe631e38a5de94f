import { deepEqual, equal, match, ok } from "node:assert/strict";
import { shell, withRunName } from "../cli/_shell.ts";
import { makeSample } from "../models/_ruler.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { findProgram, freePort, named } from "./_project.ts";
import { MRCR_GRAMMAR } from "@/lib/benchmarks/mrcr/mrcr.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { type Answer, openEndpoint } from "@/lib/models/mod.ts";
import { readRun } from "@/lib/records/mod.ts";

const WEIGHTS_FOLDER = new URL("../../weights", import.meta.url).pathname;

const program = Deno.env.get("FATHOM_LLAMA_SERVER") ?? findProgram("llama-server");
const weights = Deno.env.get("FATHOM_GGUF") ?? findWeights();

/** The first file of weights in the folder of the checkout that git ignores. */
function findWeights(): string | undefined {
  try {
    const files = [...Deno.readDirSync(WEIGHTS_FOLDER)].map(({ name }) => name).filter((name) =>
      name.endsWith(".gguf")
    );
    return files.length === 0 ? undefined : `${WEIGHTS_FOLDER}/${files.toSorted()[0]}`;
  } catch {
    return undefined;
  }
}

interface LlamaServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Prompt tokens that it has read so far, as it counts them itself; those of its cache left out. */
  tokensRead(): Promise<number>;
}

/** Starts llama.cpp's server, and comes back once it listens; it may still be loading the model. */
async function startServer(port = freePort()): Promise<LlamaServer> {
  const options = ["-c", "2048", "-np", "1", "-t", "1", "--metrics", "--alias", "small"];
  const server = new Deno.Command(program!, {
    args: ["-m", weights!, "--host", "127.0.0.1", "--port", `${port}`, ...options],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const root = `http://127.0.0.1:${port}`;
  let isOver = false;
  const over = server.status.then(() => void (isOver = true));
  while (!isOver && !await fetch(`${root}/health`).then((reply) => reply.text()).catch(() => "")) await turn();
  ok(!isOver, `${program} does not start with ${weights}`);
  return {
    url: `${root}/v1`,
    port,
    async tokensRead(): Promise<number> {
      const metrics = await (await fetch(`${root}/metrics`)).text();
      return Number(/^llamacpp:prompt_tokens_total (\d+)/m.exec(metrics)?.[1]);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      if (!isOver) server.kill("SIGKILL");
      await over;
    },
  };
}

function turn(): Promise<void> {
  return new Promise((go) => setTimeout(go, 20));
}

/** The flags of a small run: one sample of one task, its answer cut at 12 tokens. */
function small(name: string, url: string): string[] {
  const naming = ["--name", name, "--model", "small", "--base-url", url];
  return ["run", ...naming, "--tasks", "niah_single_1", "--lengths", "320", "--samples", "1", "--max-tokens", "12"];
}

async function answers(name: string): Promise<Answer[]> {
  const { records } = await readRun(name);
  ok(records.every(({ origin }) => origin === "measured"));
  return records.map(({ reply }) => reply).filter((reply) => reply.kind === "answer");
}

/** Waits until a run has so many records. */
async function untilRecords(name: string, wanted: number): Promise<void> {
  const path = `${RUNS_FOLDER}/${name}/records.jsonl`;
  const count = (): Promise<number> =>
    Deno.readTextFile(path).then((text) => text.split("\n").length - 1).catch(() => 0);
  while (await count() < wanted) await turn();
}

const missing = {
  "no llama-server: build llama.cpp and put it on the PATH, or name it in FATHOM_LLAMA_SERVER": program === undefined,
  "no weights: put SmolLM2-135M-Instruct, or another small chat model, as .gguf into weights/, or name it in FATHOM_GGUF":
    weights === undefined,
};

Deno.test({
  name: named("fathom run, report and show work with llama.cpp's server", missing),
  ignore: program === undefined || weights === undefined,
  fn: async (t) => {
    const server = await startServer();
    try {
      await t.step("a server that has just started is waited for, and no attempt is counted", () => askAtOnce(server));
      await t.step(
        "the window, the template and the tokens are found, and what does not fit is not sent",
        () => look(server),
      );
      await t.step("usage, finish reason and text are recorded, and report and show read them", () => chat(server));
      await t.step("every message of a conversation is counted as the server counts it", () => conversation(server));
      await t.step("questions about a context that was read are taken from the cache", () => questions(server));
      await t.step("a prompt above the window is refused with a failure that says so", () => aboveWindow(server));
    } finally {
      await server[Symbol.asyncDispose]();
    }
    await t.step("a server that dies ends the run, and the same command resumes it", dies);
  },
});

async function askAtOnce({ url }: LlamaServer): Promise<void> {
  const model = openEndpoint({ baseUrl: url, model: "small", maxTokens: 2 });
  const reply = await model.ask(makeSample(rulerTask("niah_single_1"), 320, 0));
  deepEqual([reply.kind, reply.attempts], ["answer", 1], JSON.stringify(reply));
}

async function questions({ url }: LlamaServer): Promise<void> {
  const model = openEndpoint({ baseUrl: url, model: "small", maxTokens: 2 });
  const task = NIAH.task("niah_single_1", { questions: 3 });
  const uncached: number[] = [];
  for (const index of [0, 1, 2, 3]) {
    const reply = await model.ask(makeSample(task, 512, index));
    ok(reply.kind === "answer", JSON.stringify(reply));
    uncached.push(reply.promptTokens! - reply.cachedTokens!);
  }
  const [first, second, third, other] = uncached as [number, number, number, number];
  ok(Math.min(first, other) > 250 && Math.max(second, third) < 50, `${uncached}`);
}

async function look({ url, tokensRead }: LlamaServer): Promise<void> {
  const model = openEndpoint({ baseUrl: url, model: "small", answerPrefix: "assistant", maxTokens: 2 });
  const sample = makeSample(rulerTask("niah_single_1"), 320, 0);
  const { report, failure } = await model.probe!([sample], { count: () => sample.promptTokens });
  equal(failure, undefined);
  match(report.software!, /^llama\.cpp /);
  deepEqual([report.isServed, report.window, report.canTokenize], [true, 2048, true]);
  ok(report.templateTokens! > 2 && report.templateTokens! < 100, `${report.templateTokens}`);
  ok(["continued", "repeated"].includes(report.prefix!), report.prefix);
  ok(
    report.tokenRatios[sample.task]! > 0.8 && report.tokenRatios[sample.task]! < 1.4,
    `${report.tokenRatios[sample.task]}`,
  );
  const whole = await model.ask(sample);
  const counted = whole.kind === "answer" ? whole.promptTokens! : 0;
  const expected = report.templateTokens! + report.tokenRatios[sample.task]! * sample.promptTokens;
  ok(Math.abs(counted - expected) <= 3, `${counted} counted, ${expected} expected`);
  await withRunName(async (name) => {
    const before = await tokensRead();
    const { code, err } = await shell(...small(name, url), "--lengths", "4K");
    equal(code, 2);
    match(err.at(-1)!, /must fit its server's window of 2,048 tokens: .* for niah_single_1 at 4K/);
    ok(await tokensRead() - before < 1000, "only the short questions are asked");
  });
}

async function chat({ url }: LlamaServer): Promise<void> {
  await withRunName(async (name) => {
    const { code, err } = await shell(...small(name, url));
    equal(code, 0, err.join("\n"));
    const [reply] = await answers(name);
    ok(/\w/.test(reply!.text), "a real model writes words");
    ok(reply!.promptTokens! > 120 && reply!.promptTokens! < 400, `its own count: ${reply!.promptTokens}`);
    ok(reply!.completionTokens! >= 1 && reply!.completionTokens! <= 12);
    equal(reply!.finishReason, reply!.completionTokens === 12 ? "length" : "stop");
    equal(reply!.servedModel, "small");
    const report = await shell("report", name);
    equal(report.code, 0, report.err.join("\n"));
    match(report.out, /small/);
    equal((await shell("report", "failures", name)).code, 0);
    const shown = await shell("show", name, "--task", "niah_single_1");
    ok(shown.out.includes(reply!.text.trim().split("\n")[0]!.slice(0, 20)), shown.out);
  });
}

async function conversation({ url }: LlamaServer): Promise<void> {
  await withRunName(async (name) => {
    const asked = ["--tasks", "mrcr_2_needles", "--lengths", "1280,1281", "--tokenizer", weights!];
    const { code, err } = await shell(...small(name, url), ...asked);
    equal(code, 0, err.join("\n"));
    const { records, manifest } = await readRun(name);
    ok(manifest.template.messageTokens! > 2, "a template adds tokens to each message");
    const { answerRoom } = MRCR_GRAMMAR.task("mrcr_2_needles");
    for (const { reply, promptTokens, length, sample } of records) {
      ok(reply.kind === "answer", JSON.stringify(reply));
      // Every token of the prompt is the server's own, and prompt and answer room fill the length.
      equal(reply.promptTokens, promptTokens, sample);
      ok(length - promptTokens - answerRoom <= 1 && length - promptTokens - answerRoom >= 0, `${promptTokens}`);
    }
  });
}

async function aboveWindow({ url }: LlamaServer): Promise<void> {
  for (const api of ["chat", "completions"] as const) {
    const model = openEndpoint({ baseUrl: url, model: "small", api });
    const reply = await model.ask(makeSample(rulerTask("niah_single_1"), 4096, 0));
    ok(reply.kind === "failure", JSON.stringify(reply));
    deepEqual([reply.failure, reply.attempts], ["context_length", 1]);
    match(reply.message, /exceeds the available context size \(2048 tokens\)/);
  }
}

async function dies(): Promise<void> {
  await withRunName(async (name) => {
    const server = await startServer();
    const flags = [...small(name, server.url), "--concurrency", "1", "--attempts", "1", "--patience", "5"];
    const running = shell(...flags, "--samples", "50");
    await untilRecords(name, 1);
    await server[Symbol.asyncDispose]();
    const { code, err } = await running;
    equal(code, 1);
    match(err.join("\n"), /its endpoint must be reachable: .*All replies so far are recorded: ask again to resume/s);
    const { length } = await answers(name);
    await using again = await startServer(server.port);
    const resumed = await shell(...flags, "--samples", `${length + 1}`);
    match(resumed.err.join("\n"), new RegExp(`${length + 1} of ${length + 1} answered, 0 failed`));
    ok(again.port === server.port);
  });
}
