import { deepEqual, equal, match, ok } from "node:assert/strict";
import { withRunName } from "./_shell.ts";
import { fileURLToPath } from "node:url";
import { inFolder } from "../_folder.ts";
import { chatReply, type PlayServer, playServer } from "../models/_play_server.ts";
import { openRuns } from "@/lib/jupyter/mod.ts";
import { checkStudy } from "@/lib/studies/mod.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const KEY = "sk-0123456789abcdef-never-to-be-seen";
const HEADER = "a-gateway-secret-of-its-own";

/** The environment of the commands below: a key, a header with a secret, and nothing that Deno itself does not need. */
const ENVIRONMENT = {
  ...Object.fromEntries(["PATH", "HOME", "DENO_DIR"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  })),
  ...{ OPENAI_API_KEY: KEY, OPENAI_CUSTOM_HEADERS: `x-gateway: ${HEADER}`, NO_COLOR: "1" },
};

interface Ended {
  readonly code: number;
  readonly said: string;
  /** The command line of the process, as everybody on the machine can read it. */
  readonly listed: string;
}

async function withPermissions(permissions: readonly string[], words: readonly string[]): Promise<Ended> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", ...permissions, "lib/cli/main.ts", ...words],
    ...{ cwd: ROOT, env: ENVIRONMENT, clearEnv: true, stdout: "piped", stderr: "piped" },
  }).spawn();
  const listed = await Deno.readTextFile(`/proc/${process.pid}/cmdline`).catch(() => "");
  const { code, stdout, stderr } = await process.output();
  const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  return { code, said, listed };
}

/** All texts below a folder, by their names. */
async function textsBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (!isDirectory) texts.set(path, await Deno.readTextFile(path));
    else for (const [inside, text] of await textsBelow(path)) texts.set(inside, text);
  }
  return texts;
}

/** A server that echoes what it was sent: the worst that a key can meet. */
function echoServer(): PlayServer {
  return playServer((request) => {
    const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`).join(", ");
    return chatReply({ content: `You sent ${headers}` });
  });
}

/** Fails where a text, by its name, has a secret. */
function checkSecrets(texts: Iterable<readonly [where: string, text: string]>): void {
  for (const [where, text] of texts) {
    for (const secret of [KEY, HEADER]) equal(text.includes(secret), false, `${where} has a secret`);
  }
}

Deno.test("fathom run needs to read the project, write results, reach one host and read four variables; the key is seen nowhere", async () => {
  await using server = echoServer();
  await withRunName(async (name) => {
    const { host } = new URL(server.url);
    const asking = ["run", "--tasks", "niah_single_1", "--lengths", "1K", "--samples", "1", "--model", "m"];
    const run = await withPermissions(
      [
        ...["--allow-read=.", "--allow-write=results", `--allow-net=${host}`, "--ignore-env"],
        "--allow-env=OPENAI_API_KEY,ANTHROPIC_API_KEY,OPENAI_BASE_URL,OPENAI_CUSTOM_HEADERS,NO_COLOR",
      ],
      [...asking, "--base-url", server.url, "--no-preflight", "--name", name],
    );
    equal(run.code, 0, run.said);
    equal(server.received[0]!.headers.get("authorization"), `Bearer ${KEY}`);
    const elsewhere = await withPermissions(
      ["-P=ask", `--allow-net=${host}`],
      [...asking, "--base-url", "http://127.0.0.1:41998/v1", "--no-preflight", "--name", `${name}-elsewhere`],
    );
    equal(elsewhere.code, 2);
    match(elsewhere.said, /Requires net access to .*127\.0\.0\.1:41998/);
    const report = await withPermissions(["-P=files"], ["report", name]);
    equal(report.code, 0, report.said);
    match(report.said, /niah_single_1/);
    const kept = await textsBelow(`${ROOT}results/runs/${name}`);
    deepEqual([...kept.keys()].filter((path) => path.endsWith(".json")).length, 1);
    const seen = [run, elsewhere, report].flatMap(({ said, listed }) => [said, listed]);
    checkSecrets([...kept, ...seen.map((text, at): [string, string] => [`output ${at}`, text])]);
  });
});

Deno.test("neither what a notebook shows of a run nor the run's folder has the key", async () => {
  await using server = echoServer();
  const secrets = ["OPENAI_API_KEY", "OPENAI_CUSTOM_HEADERS"] as const;
  const before = secrets.map((name) => Deno.env.get(name));
  secrets.forEach((name) => Deno.env.set(name, ENVIRONMENT[name]));
  try {
    await inFolder(async (folder) => {
      const shown: string[] = [];
      const display = (bundle: unknown): Promise<void> => Promise.resolve(void shown.push(JSON.stringify(bundle)));
      const study = checkStudy({ tasks: ["niah_single_1"], lengths: [1024], samples: 1 });
      const runs = await openRuns(study, { model: "m", baseUrl: server.url, name: "echo", folder, display });
      equal(server.received.at(-1)!.headers.get("authorization"), `Bearer ${KEY}`);
      ok(shown.length > 0);
      const recorded = await Array.fromAsync(
        ["manifest.json", "records.jsonl"],
        async (file): Promise<[string, string]> => [file, await Deno.readTextFile(`${folder}/echo-m/${file}`)],
      );
      ok(recorded.some(([, text]) => text.includes("You sent")));
      checkSecrets([...recorded, ["what is shown", shown.join("\n")], ["the run", JSON.stringify(runs)]]);
    });
  } finally {
    secrets.forEach((name, at) => before[at] === undefined ? Deno.env.delete(name) : Deno.env.set(name, before[at]));
  }
});

Deno.test("commands give up what they do not need: no list of tasks is written, no report reaches a network", async () => {
  const probe = `
    import { fathom } from "@/lib/cli/main.ts";
    const silent = { write: () => Promise.resolve(), print: () => {}, note: () => {}, redraw: () => {} };
    await fathom(Deno.args, silent, { ownsProcess: true });
    const states = ["run", "net", "write"].map((name) => Deno.permissions.querySync({ name }).state);
    console.log(states.join());
  `;
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(path, probe);
  const statesAfter = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-prompt", "--config", `${ROOT}deno.json`, path, ...words],
      ...{ cwd: ROOT, stdout: "piped", stderr: "null" },
    }).output();
    return new TextDecoder().decode(stdout).trim();
  };
  // What runs programs keeps all, also where it then finds no study.
  const submitting = statesAfter("submit", "--study", "/no/such.yaml", "--slurm");
  deepEqual(await Promise.all([statesAfter("tasks", "vt"), submitting]), [
    "prompt,prompt,prompt",
    "granted,granted,granted",
  ]);
  await Deno.remove(path);
});
