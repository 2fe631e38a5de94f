import { deepEqual, equal, match } from "node:assert/strict";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { shell, spawn, withRunName } from "./_shell.ts";
import { inFolder } from "../_folder.ts";
import { asKilled } from "../asking/_fakes.ts";
import { chatReply, type PlayServer, playServer } from "../models/_play_server.ts";
import { serveSimulated } from "../serve/serve_command.ts";

/** Cuts a run to its first records, as if it had been killed there. */
async function kill(name: string, records: number): Promise<void> {
  const path = `${RUNS_FOLDER}/${name}/records.jsonl`;
  const lines = (await Deno.readTextFile(path)).split("\n");
  await Deno.writeTextFile(path, `${lines.slice(0, records).join("\n")}\n`);
  await asKilled(RUNS_FOLDER, name);
}

async function samplesOf(name: string): Promise<readonly string[]> {
  const text = await Deno.readTextFile(`${RUNS_FOLDER}/${name}/records.jsonl`);
  return text.trimEnd().split("\n").map((line): string => JSON.parse(line).sample).sort();
}

Deno.test.each([
  ["a simulated reader", ["--tasks", "vt,niah_single_1", "--set", "chains=2", "--model", "sim:gpt-4", "--seed", "7"]],
  ["a search", ["--tasks", "vt", "--model", "sim:gpt-4", "--adaptive", "--threshold", "50"]],
] as [string, string[]][])(
  "fathom resume asks what is left of a run of %s, by its name alone",
  async (_name, flags) => {
    await withRunName(async (name) => {
      const first = await shell("run", ...flags, "--lengths", "1K,2K", "--samples", "3", "--name", name);
      equal(first.code, 0, first.err.join("\n"));
      const asked = await samplesOf(name);
      await kill(name, 2);
      const resumed = await shell("resume", name);
      equal(resumed.code, 0, resumed.err.join("\n"));
      deepEqual(await samplesOf(name), asked);
      equal(resumed.out, first.out);
      match(resumed.err.join("\n"), new RegExp(`${name}: ${asked.length} of ${asked.length} answered`));
    });
  },
);

Deno.test("fathom resume finds server and settings of a run again", async () => {
  await using server = await serveSimulated({ profile: "mute" });
  await withRunName(async (name) => {
    const own = ["--base-url", server.url, "--max-tokens", "77", "--temperature", "0.5", "--template-tokens", "12"];
    const flags = ["--tasks", "vt", "--lengths", "1K", "--samples", "3", "--model", "sim:mute", ...own];
    const first = await shell("run", ...flags, "--name", name);
    equal(first.code, 0, first.err.join("\n"));
    await kill(name, 1);
    const { code, err } = await shell("resume", name);
    deepEqual([code, (await samplesOf(name)).length], [0, 3], err.join("\n"));
  });
});

Deno.test("fathom resume refuses a run that is not there, and one that Fathom did not begin here", async () => {
  const missing = await shell("resume", "no-such-run");
  deepEqual([missing.code, /its name must be that of a recorded run/.test(missing.err[0]!)], [2, true]);
  const measured = await shell("resume", "measured/gemma-3-270m/cdme");
  deepEqual([measured.code, measured.err.length], [2, 1]);
  match(measured.err[0]!, /Cannot resume the run as Fathom must have begun it in results\/runs/);
});

const KEY = "sk-0123456789abcdef-for-nobody-else";
const ASKING = ["--tasks", "vt", "--lengths", "1K", "--samples", "2", "--no-preflight"];

/** Changes the manifest of a run, as somebody does who makes a run by hand. */
async function forge(name: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const path = `${RUNS_FOLDER}/${name}/manifest.json`;
  const manifest = JSON.parse(await Deno.readTextFile(path));
  const settings = { ...manifest.settings, ...changes["settings"] as object | undefined };
  await Deno.writeTextFile(path, JSON.stringify({ ...manifest, ...changes, name, settings }));
}

/** Copies the folder of a run, as a colleague's that was unpacked. */
async function copyRun(from: string, to: string): Promise<void> {
  await Deno.mkdir(`${RUNS_FOLDER}/${to}`);
  for (const file of ["manifest.json", "records.jsonl"]) {
    await Deno.copyFile(`${RUNS_FOLDER}/${from}/${file}`, `${RUNS_FOLDER}/${to}/${file}`);
  }
}

/** Runs the command line in a process of its own, with a state folder of its own and with secrets in its environment. */
async function ask(
  state: string,
  args: readonly string[],
  secrets: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly err: string }> {
  const env = {
    XDG_STATE_HOME: state,
    OPENAI_BASE_URL: "",
    OPENAI_CUSTOM_HEADERS: "",
    OPENAI_API_KEY: KEY,
    ...secrets,
  };
  const { code, stderr } = await spawn(args, undefined, env).output();
  return { code, err: new TextDecoder().decode(stderr) };
}

/** The secrets that a server was sent. */
function stolen({ received }: PlayServer): readonly string[] {
  return received.flatMap(({ headers }) => ["authorization", "x-secret"].flatMap((name) => headers.get(name) ?? []));
}

Deno.test("a copied run gets no key sent to the address that it names, until it is confirmed", async () => {
  await using own = playServer(() => chatReply({ content: "none" }));
  await using attacker = playServer(() => chatReply({ content: "none" }));
  await withRunName((name) =>
    inFolder(async (state) => {
      const [copy, theirs, another] = [`${name}-copy`, `${name}-theirs`, `${name}-another`];
      try {
        const began = await ask(state, ["run", ...ASKING, "--model", "m", "--base-url", own.url, "--name", name]);
        equal(began.code, 0, began.err);
        await kill(name, 1);
        for (const to of [copy, theirs]) await copyRun(name, to);
        await forge(theirs, { settings: { baseUrl: attacker.url } });
        await copyRun(theirs, another);
        // The user's own run goes on without a question, and the same run at another place does not.
        const resumed = await ask(state, ["resume", name]);
        equal(resumed.code, 0, resumed.err);
        match(
          resumed.err,
          new RegExp(`^Server ${own.url}; sent from the environment: OPENAI_API_KEY \\(authorization\\)`),
        );
        equal(own.received.at(-1)!.headers.get("authorization"), `Bearer ${KEY}`);
        // To ask a run elsewhere does not confirm the address that it names.
        const elsewhere = await ask(state, ["resume", another, "--base-url", own.url]);
        equal(elsewhere.code, 0, elsewhere.err);
        const before = own.received.length;
        const refused = await Promise.all([
          ask(state, ["resume", copy]),
          ask(state, ["resume", theirs]),
          ask(state, ["resume", another]),
          ask(state, ["batch", "cancel", theirs], { OPENAI_API_KEY: "", OPENAI_CUSTOM_HEADERS: `x-secret: ${KEY}` }),
        ]);
        for (const [at, { code, err }] of refused.entries()) {
          equal(code, 2, err);
          match(err, /Cannot send OPENAI_\w+ \(.*\) to the server of run ".*" as its address, .* must be confirmed/);
          match(err, new RegExp(`add --base-url ${at === 0 ? own.url : attacker.url}\n$`));
        }
        deepEqual([own.received.length, attacker.received.length], [before, 0]);
        // Without a key, an address of this machine is asked; that confirms nothing.
        const bare = await ask(state, ["batch", "fetch", theirs], { OPENAI_API_KEY: "" });
        match(bare.err, /^Server .*; sent from the environment: nothing$/m);
        equal((await ask(state, ["resume", theirs])).code, 2);
        deepEqual(stolen(attacker), []);
        const given = await ask(state, ["resume", theirs, "--base-url", attacker.url]);
        equal(given.code, 0, given.err);
        await kill(theirs, 1);
        equal((await ask(state, ["resume", theirs])).code, 0);
        deepEqual(new Set(stolen(attacker)), new Set([`Bearer ${KEY}`]));
      } finally {
        for (const each of [copy, theirs, another]) {
          await Deno.remove(`${RUNS_FOLDER}/${each}`, { recursive: true }).catch(() => {});
        }
      }
    })
  );
});
