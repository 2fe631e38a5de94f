import { deepEqual, equal, match, ok } from "node:assert/strict";
import process from "node:process";
import { chatReply, errorReply, playServer } from "../models/_play_server.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { shell, spawn, withRunName } from "./_shell.ts";
import { takeInterrupts } from "@/lib/asking/mod.ts";

const ASK = ["run", "--tasks", "niah_single_1,vt", "--lengths", "1K,2048", "--samples", "3"];

Deno.test("fathom run records every reply, prints the scores, and asks nothing twice when run again", async () => {
  await withRunName(async (name) => {
    const first = await shell(...ASK, "--model", "sim:ideal", "--name", name);
    equal(first.code, 0);
    match(first.out, /niah_single_1 +100\.0 +100\.0$/m);
    const records = await Deno.readTextFile(`${RUNS_FOLDER}/${name}/records.jsonl`);
    equal(records.trimEnd().split("\n").length, 12);
    const again = await shell(...ASK, "--model", "sim:ideal", "--name", name);
    equal(again.out, first.out);
    ok(again.err.some((line) => line.startsWith("0 of 12 questions to ask")));
    equal(await Deno.readTextFile(`${RUNS_FOLDER}/${name}/records.jsonl`), records);
  });
});

Deno.test("fathom run --dry-run prints tokens and price, and writes nothing", async () => {
  await withRunName(async (name) => {
    const { code, out, err } = await shell(...ASK, "--dry-run", "--name", name, "--price-in", "1", "--price-out", "2");
    deepEqual([code, out], [0, ""]);
    match(
      err.at(-1)!,
      /^12 of 12 questions to ask: [\d,]+ prompt tokens and at most 948 to answer, at most 0\.02 in the currency/,
    );
    equal(await Deno.stat(`${RUNS_FOLDER}/${name}`).catch(() => null), null);
  });
});

for (
  const [what, args, wanted] of [
    [
      "an unknown profile",
      ["--model", "sim:nobody"],
      /^fathom: "sim:nobody" is unknown\. .*its name must be one of ideal, /,
    ],
    ["a server that is not there", ["--model", "m", "--base-url", "http://127.0.0.1:9", "--attempts", "1"], /Cannot/],
    ["a run name with a path in it", ["--name", "../up"], /\.\.\/up/],
    ["a length that fits no task", ["--tasks", "vt", "--lengths", "300"], /at least \d+ tokens/],
  ] as [string, string[], RegExp][]
) {
  Deno.test(`fathom run refuses ${what} in one line, with exit code 2, and writes nothing`, async () => {
    await withRunName(async (name) => {
      const ask = ["run", "--tasks", "vt", "--lengths", "1K", "--samples", "1", "--name", name];
      const { code, err } = await shell(...ask, ...args);
      equal(code, 2, err.join("\n"));
      const said = err.filter((line) => line.startsWith("fathom: "));
      equal(said.length, 1);
      match(said[0]!, wanted);
      equal(await Deno.stat(`${RUNS_FOLDER}/${name}`).catch(() => null), null);
    });
  });
}

Deno.test("fathom run stops at Ctrl-C, says that it is unfinished, and resumes without asking twice", async () => {
  const isStopping = Promise.withResolvers<void>();
  // Two calls are answered at once; two more are under way when the run is stopped.
  await using server = playServer(async () => {
    if (server.received.length > 2) await isStopping.promise;
    return chatReply({ content: "17" });
  });
  await withRunName(async (name) => {
    const ask = ["run", "--tasks", "vt", "--lengths", "1K", "--samples", "20", "--concurrency", "2"];
    const whom = ["--model", "m", "--base-url", server.url, "--name", name, "--no-preflight"];
    const first = spawn([...ask, ...whom]);
    let said = "";
    for await (const text of first.stderr.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (/10% · 2 of 20/.test(said) && !said.includes("Stopping")) first.kill("SIGINT");
      if (said.includes("Stopping")) isStopping.resolve();
    }
    await first.stdout.cancel();
    equal((await first.status).code, 1);
    match(said, /^Warning: the tokens of the server's chat template are not measured; lengths count 0 for it/m);
    match(said, /fathom: Stopped before the end of run ".*": the same command resumes it\n$/);
    const asked = server.received.length;
    equal(asked < 20, true);
    equal((await shell(...ask, ...whom)).code, 0);
    const records = (await Deno.readTextFile(`${RUNS_FOLDER}/${name}/records.jsonl`)).trimEnd().split("\n");
    deepEqual([records.length, server.received.length], [20, 20]);
  });
});
/** Calls the listeners of a signal of this process. */
function play(signal: "SIGINT" | "SIGTERM"): void {
  process.emit(signal, signal);
}

Deno.test("fathom run ends cleanly at SIGTERM, with an exit code that says so, and is resumed", async () => {
  await using server = playServer(() => {
    if (server.received.length === 3) play("SIGTERM");
    return chatReply({ content: "17" });
  });
  await withRunName(async (name) => {
    const ask = ["run", "--tasks", "vt", "--lengths", "1K", "--samples", "5", "--concurrency", "1"];
    const whom = ["--model", "m", "--base-url", server.url, "--name", name, "--no-preflight"];
    const { code, err } = await shell(...ask, ...whom);
    equal(code, 143);
    match(
      err.at(-1)!,
      /^fathom: Stopped by SIGTERM before .*: the same command or `fathom resume test-.*` resumes it$/,
    );
    equal(server.received.length, 3);
    equal((await shell("resume", name, "--no-preflight")).code, 0);
    equal(server.received.length, 5);
  });
});

Deno.test("takeInterrupts() ends calls in flight once a termination's time is up, and at once at a second signal", async () => {
  using first = takeInterrupts(undefined, { terminations: true, graceMs: 1 });
  play("SIGTERM");
  deepEqual([first.stop.aborted, first.end.aborted, first.isTerminated()], [true, false, true]);
  await new Promise((resolve) => first.end.addEventListener("abort", resolve));
  using second = takeInterrupts(undefined, { terminations: true });
  play("SIGTERM");
  play("SIGINT");
  equal(second.end.aborted, true);
  using third = takeInterrupts();
  play("SIGINT");
  deepEqual([third.stop.aborted, third.end.aborted, third.isTerminated()], [true, false, false]);
});

Deno.test.each([
  [
    "some calls failed",
    (call: number) => call === 2,
    [],
    3,
    /^fathom: 1 of 12 questions failed: the same command asks again$/,
  ],
  [
    "call after call failed",
    () => true,
    [],
    1,
    /its calls must be answered: .*Unknown field", 10 times in a row\. All replies so far are recorded/,
  ],
  [
    "more calls failed than may",
    () => true,
    ["--max-failures", "25%"],
    1,
    /at most 3 calls may fail: current value is 4, .*HTTP 400/,
  ],
] as [string, (call: number) => boolean, string[], number, RegExp][])(
  "fathom run ends with its own exit code where %s, and prints the report",
  async (_name, fails, flags, wanted, said) => {
    let calls = 0;
    await using server = playServer(() =>
      fails(++calls) ? errorReply(400, { message: "Unknown field" }) : chatReply({ content: "7" })
    );
    await withRunName(async (name) => {
      const whom = ["--base-url", server.url, "--model", "m", "--no-preflight", "--concurrency", "1", "--name", name];
      const { code, out, err } = await shell(...ASK, ...whom, ...flags);
      equal(code, wanted, err.join("\n"));
      match(err.at(-1)!, said);
      match(out, /niah_single_1/);
    });
  },
);

Deno.test("fathom run --help fits on one screen, and --help-all shows every flag", async () => {
  const [help, all] = [(await shell("run", "--help")).out, (await shell("run", "--help-all")).out];
  const lines = help.trimEnd().split("\n");
  ok(lines.length <= 50, `${lines.length} lines`);
  for (const line of lines) ok(line.length <= 100, line);
  match(help, /--help-all +print every flag/);
  for (const flag of ["--top-p", "--extra-body", "--price-in"]) {
    ok(!help.includes(flag), flag);
    ok(all.includes(flag), flag);
  }
});

Deno.test("fathom run asks several models one after another, each in a run of its own", async () => {
  await withRunName(async (name) => {
    const ask = ["run", "--tasks", "vt", "--lengths", "1K", "--samples", "1", "--name", name];
    const { code, err } = await shell(...ask, "--model", "sim:ideal, sim:mute");
    equal(code, 0);
    const runs = ["sim-ideal", "sim-mute"].map((model) => `${name}-${model}`);
    deepEqual(err.flatMap((line) => /^(\S+): 1 of 1 answered/.exec(line)?.[1] ?? []), runs);
    for (const run of runs) await Deno.remove(`${RUNS_FOLDER}/${run}`, { recursive: true });
    const refused = await shell(...ask, "--model", "sim:ideal,sim:mute", "--json");
    match(refused.err.join("\n"), /as --json needs a single model: current value is "sim:ideal,sim:mute"/);
  });
});

Deno.test("fathom run --max-cost stops a run below its limit, keeps what came, and resumes with a higher one", async () => {
  await withRunName(async (name) => {
    const ask = ["run", "--tasks", "vt", "--lengths", "1K", "--samples", "8", "--name", name, "--json"];
    // About a prompt a coin.
    const paid = ["--price-in", "1000", "--max-cost"];
    const stopped = await shell(...ask, ...paid, "4.5USD");
    equal(stopped.code, 1);
    match(stopped.err.at(-1)!, /^fathom: Stopped at the limit of its cost: 3\.\d+ of 4\.5 is spent/);
    equal(JSON.parse(stopped.out).summary.answered, 4);
    const { code, out } = await shell(...ask, ...paid, "50");
    deepEqual([code, JSON.parse(out).summary.answered], [0, 8]);
  });
});
