/**
 * What asking costs this process beside making the samples: CPU time a sample, calls in flight, memory.
 *
 * `deno task bench:asking` starts a server without delay in a process of its own, then one process that only makes the samples and
 * one that asks them; their difference is the runner's own. With `memory` it asks 64 prompts of 131,072 tokens at a time of a
 * server that answers none before all are there.
 */
import { cpuUsage } from "node:process";
import { openEndpoint } from "@/lib/models/mod.ts";
import { checkStudy, openStudy, planStudy, type Study } from "@/lib/studies/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { listSamples } from "@/lib/studies/plan.ts";
import { makeSample } from "@/lib/asking/make_sample.ts";

const AT_ONCE = 64;
const [role = "time", address = ""] = Deno.args;

function studyOf({ length, samples }: { readonly length: number; readonly samples: number }): Study {
  return checkStudy({ tasks: ["niah_single_2"], lengths: [length], samples });
}

/** Answers at once, or only when so many are there; says its port, then how many were there at most when it is asked for that. */
function serve(together: number): void {
  let [inside, most] = [0, 0];
  let waiting: (() => void)[] = [];
  const event = (delta: unknown, finish: string | null): string =>
    `data: ${JSON.stringify({ model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const usage = { choices: [], usage: { prompt_tokens: 4000, completion_tokens: 2 } };
  const stream = `${event({ content: " 17" }, null)}${event({ content: "." }, "stop")}data: ${
    JSON.stringify(usage)
  }\n\ndata: [DONE]\n\n`;
  Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(port),
  }, async (request) => {
    if (request.method === "GET") return Response.json(most);
    most = Math.max(most, ++inside);
    await request.body?.pipeTo(new WritableStream());
    if (together > 0) {
      await new Promise<void>((go) => {
        waiting.push(go);
        if (waiting.length < together) return;
        for (const each of waiting) each();
        waiting = [];
      });
    }
    inside--;
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  });
}

/** Prints the CPU time since a mark, in milliseconds, and the most memory so far, in MB. */
function tell(mark: NodeJS.CpuUsage): void {
  const { user, system } = cpuUsage(mark);
  const [, peak = "0"] = /VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status")) ?? [];
  console.log(JSON.stringify({ cpuMs: (user + system) / 1000, peakMb: Number(peak) / 1024 }));
}

async function generate(study: Study): Promise<void> {
  const opened = await openStudy(study);
  const plan = planStudy(opened, openEndpoint({ baseUrl: "http://127.0.0.1:1", model: "m" }));
  const samples = [...listSamples(plan)];
  makeSample(plan, samples[0]!);
  const mark = cpuUsage();
  for (const sample of samples) makeSample(plan, sample);
  tell(mark);
}

async function ask(study: Study): Promise<void> {
  const folder = await Deno.makeTempDir();
  const opened = await openStudy(study);
  const model = openEndpoint({ baseUrl: address, model: "m" });
  makeSample(planStudy(opened, model), [...listSamples(planStudy(opened, model))][0]!);
  // The packages that asking needs are loaded before it is timed.
  if (study === STUDIES.time) await model.probe!([], { count: () => 1 });
  const mark = cpuUsage();
  const { summary } = await runStudy(study, { name: "bench", model, folder, opened, concurrency: AT_ONCE });
  if (summary.answered !== summary.total) throw new Error(`${summary.answered} of ${summary.total} answered`);
  tell(mark);
  await Deno.remove(folder, { recursive: true });
}

const STUDIES = {
  time: studyOf({ length: 4096, samples: 10_000 }),
  memory: studyOf({ length: 131_072, samples: AT_ONCE }),
};

interface Told {
  readonly cpuMs: number;
  readonly peakMb: number;
}

async function run(...words: readonly string[]): Promise<Told> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-prompt",
      "--v8-flags=--max-semi-space-size=4",
      new URL(import.meta.url).pathname,
      ...words,
    ],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${words.join(" ")} failed`);
  return JSON.parse(new TextDecoder().decode(stdout).trim().split("\n").at(-1)!);
}

/** Starts a server, asks, and prints what it took. */
async function measure(kind: keyof typeof STUDIES): Promise<void> {
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL(import.meta.url).pathname, "serve", kind],
    stdout: "piped",
  }).spawn();
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const port = (await reader.read()).value!.trim();
  const url = `http://127.0.0.1:${port}`;
  const { lengths: [length], samples } = STUDIES[kind];
  for (let time = 0; time < (kind === "time" ? 2 : 1); time++) {
    const made = await run("generate", kind);
    const asked = await run("ask", `${url}/v1`, kind);
    const atOnce = await (await fetch(url)).json();
    const own = (asked.cpuMs - made.cpuMs) / samples;
    console.log(
      `${samples} samples of ${length} tokens: ${own.toFixed(2)} ms of CPU each beside ${
        (made.cpuMs / samples).toFixed(2)
      } ms to make it; ${atOnce} at a time; ${asked.peakMb.toFixed(0)} MB at most, ${
        made.peakMb.toFixed(0)
      } MB to make them`,
    );
  }
  server.kill();
  await reader.cancel();
  await server.status;
}

if (role === "serve") serve(address === "memory" ? AT_ONCE : 0);
else if (role === "generate") await generate(STUDIES[address as "time"]);
else if (role === "ask") await ask(STUDIES[Deno.args[2] as "time"]);
else await measure(role as "time");
