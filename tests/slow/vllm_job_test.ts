import { equal, match } from "node:assert/strict";
import { withRunName } from "../cli/_shell.ts";
import { freePort } from "../e2e/_project.ts";
import { readRun } from "@/lib/records/mod.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";

const PROJECT = new URL("../../", import.meta.url).pathname;

/** A `vllm` that is up a second after its start, and notes what it was started with and that it was ended. */
const FAKE_VLLM = `#!/bin/bash
echo "$@" > "$WATCHED/words"
trap 'echo ended >> "$WATCHED/words"; kill $!; exit 0' TERM
sleep 1
[ "$2" = broken ] && exit 1
if [ "$2" = stuck ]; then sleep 600 & else "$DENO" run -A "$WATCHED/serve.ts" "$6" & fi
wait
`;

const SERVE = `
const answer = { choices: [{ message: { content: "17" }, finish_reason: "stop" }] };
Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.args[0]), onListen: () => {} }, async (request) => {
  if (request.method === "POST") await new Promise((go) => setTimeout(go, 200));
  return Response.json(answer);
});
`;

interface Job {
  readonly code: number;
  readonly said: string;
  /** What the fake was started with, and whether it was ended. */
  readonly words: readonly string[];
}

/** Runs the script as a cluster would, with that fake for vLLM; `onLine` sees what it says. */
async function runJob(
  name: string,
  { model = "some/model", env = {}, onSaid = () => {} }: {
    readonly model?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly onSaid?: (said: string, job: Deno.ChildProcess) => void;
  } = {},
): Promise<Job> {
  const watched = await Deno.makeTempDir({ prefix: "vllm-" });
  const port = String(freePort());
  try {
    await Deno.writeTextFile(`${watched}/vllm`, FAKE_VLLM, { mode: 0o755 });
    await Deno.writeTextFile(`${watched}/serve.ts`, SERVE);
    await Deno.symlink(Deno.execPath(), `${watched}/deno`);
    await Deno.writeTextFile(`${watched}/study.yaml`, "tasks: [vt]\nlengths: [1024]\nsamples: 40\n");
    const job = new Deno.Command("bash", {
      args: ["docs/examples/vllm_job.sh"],
      cwd: PROJECT,
      env: {
        ...{ PATH: `${watched}:${Deno.env.get("PATH")}`, WATCHED: watched, DENO: Deno.execPath(), NO_COLOR: "1" },
        ...{ MODEL: model, NAME: name, STUDY: `${watched}/study.yaml`, PORT: port, ...env },
      },
      stdout: "null",
      stderr: "piped",
    }).spawn();
    let said = "";
    for await (const text of job.stderr.pipeThrough(new TextDecoderStream())) onSaid(said += text, job);
    const { code } = await job.status;
    return { code, said, words: (await Deno.readTextFile(`${watched}/words`)).trim().split("\n") };
  } finally {
    await Deno.remove(watched, { recursive: true });
  }
}

Deno.test("the vLLM job waits for its server, runs the study, and ends the server", async () => {
  await withRunName(async (name) => {
    const { code, said, words } = await runJob(name);
    equal(code, 0, said);
    match(words[0]!, /^serve some\/model --host 127\.0\.0\.1 --port \d+ --enable-prefix-caching/);
    equal(words[1], "ended");
    equal((await readRun(name, { folder: RUNS_FOLDER })).records.length, 40);
  });
});

Deno.test.each([
  ["ends by itself", "broken", "", /^vLLM has ended$/m],
  ["never comes up", "stuck", "ended", /^vLLM is not up after 3 seconds$/m],
])("the vLLM job ends where its server %s", async (_name, model, end, wanted) => {
  const { code, said, words } = await runJob("never", { model, env: { LOADING: "3" } });
  equal(code, 1);
  match(said, wanted);
  equal(words[1] ?? "", end);
});

Deno.test("the vLLM job passes SIGTERM on, keeps what came, and resumes", async () => {
  await withRunName(async (name) => {
    let isTold = false;
    const stopped = await runJob(name, {
      onSaid(said, job): void {
        if (isTold || !/10% · \d+ of 40/.test(said)) return;
        isTold = true;
        job.kill("SIGTERM");
      },
    });
    equal(stopped.code, 143, stopped.said);
    match(stopped.said, /Stopped by SIGTERM before the end/);
    equal(stopped.words[1], "ended");
    const before = (await readRun(name, { folder: RUNS_FOLDER })).records.length;
    equal(before > 0 && before < 40, true, `${before} of 40`);
    const resumed = await runJob(name);
    equal(resumed.code, 0, resumed.said);
    equal((await readRun(name, { folder: RUNS_FOLDER })).records.length, 40);
  });
});
