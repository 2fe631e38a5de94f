import { deepEqual, equal, match, ok } from "node:assert/strict";
import { dirname } from "node:path";
import ts from "typescript";
import { parse } from "yaml";
import { cases } from "../_cases.ts";
import { inFolder } from "../_folder.ts";
import { serveSimulated } from "../serve/serve_command.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { COMMANDS } from "@/lib/cli/commands.ts";
import { NIAH, openMaterials } from "@/lib/mod.ts";
import { output } from "./_bundles.ts";
import { packLibrary } from "./package.ts";
import project from "../../deno.json" with { type: "json" };

const SCRIPT = `import { allFound, NIAH, openMaterials, type Sample } from "${project.name}";
import * as everything from "${project.name}";

const materials = await openMaterials({ tokenizer: "o200k_base" });
const sample: Sample = NIAH.make({ keys: 8 }).sample({ length: 4096, seed: "42", index: 0, materials });
// @ts-expect-error -- knobs are typed
const score: string = allFound.grade(\`It is \${sample.references[0]}.\`, sample).score.value;
console.log(JSON.stringify([sample.id, sample.sha256, score, typeof everything.BENCHMARKS]));
`;

/** Asks a server, resumes, reads and writes files, and draws. */
const TOUR = `import { cpSync, statSync } from "node:fs";
import * as fathom from "${project.name}";

const model = await fathom.openModel({ model: "sim:ideal", baseUrl: process.argv[2] });
const ask = (samples) => {
  const study = fathom.checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples });
  return fathom.runStudy(study, { name: "asked", model });
};
await ask(2);
const { replies } = await ask(3);
cpSync("results/runs/asked", "results/runs/copied", { recursive: true });
const { replies: records } = await fathom.readScoredRun("copied");
const rows = fathom.summarise(replies);
const figure = fathom.scoreCurves(rows, { title: "Scores", origin: "simulated" });
await fathom.saveFigure(figure, "scores.svg");
const drawn = await fathom.saveFigure(figure, "scores.png").then(() => "drawn", ({ message }) => message);
const [measured] = await fathom.openMeasured({ benchmark: "cdme", model: "gemma-3-270m" });
console.log(JSON.stringify({
  scores: replies.map(({ score }) => score.value),
  records: records.length,
  runs: await fathom.listRuns({ folder: "results/runs" }),
  isDrawn: statSync("scores.svg").size > 1000,
  png: drawn === "drawn" ? statSync("scores.png").size > 1000 : drawn,
  isMeasured: measured.replies.length > 0,
  isEscaped: new RegExp("^" + RegExp.escape("a-b (c)") + "$", "u").test("a-b (c)"),
}));
`;

const ROOT = new URL("../../", import.meta.url);
const PAGE = await Deno.readTextFile(new URL("docs/library.md", ROOT));

/** The example of the package's page, and what the page shows that it prints. */
const [, EXAMPLE, PRINTED] = /```js\n(.+?)```\n\nIt prints:\n\n```\n(.+?)```/s.exec(PAGE)!;

/** The size of an installation that `npx` may download. */
const MAX_INSTALLED_BYTES = 40e6;

Deno.test("the package runs under Deno and Node, with types and the shell, from its own files alone", {
  ignore: cases(true, false),
}, async (t) => {
  await inFolder(async (folder) => {
    const tarball = await packLibrary(`${folder}/dist`);
    match(tarball, /\/fathom-long-context-\d+\.\d+\.\d+\.tgz$/);
    const { dependencies, peerDependencies, exports, bin } = JSON.parse(
      await Deno.readTextFile(`${folder}/dist/package/package.json`),
    );
    // It brings along what it needs; no version of what it does not is a range.
    equal(dependencies, undefined);
    deepEqual(Object.values<string>(peerDependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version)), []);
    for (const path of [...Object.values<string>(exports["."]), bin.fathom]) {
      await Deno.stat(`${folder}/dist/package/${path}`);
    }
    match(
      await Deno.readTextFile(`${folder}/dist/package/THIRD-PARTY-LICENSES.txt`),
      /\nopenai \d.* \(Apache-2\.0\)\n/,
    );

    const place = `${folder}/user`;
    await Deno.mkdir(place);
    await Deno.writeTextFile(`${place}/package.json`, '{ "type": "module" }');
    await output("npm", ["install", "--silent", "--offline", tarball], place);
    await Deno.writeTextFile(`${place}/example.mjs`, EXAMPLE!);
    await Deno.writeTextFile(`${place}/tour.mjs`, TOUR);
    await Deno.writeTextFile(`${place}/sample.ts`, SCRIPT);

    await t.step("it is small", async () => {
      ok(await bytesBelow(`${place}/node_modules`) < MAX_INSTALLED_BYTES);
    });

    await t.step("TypeScript: strict, with all types checked, and none of Node", () => {
      const program = ts.createProgram([`${place}/sample.ts`], {
        ...{ strict: true, skipLibCheck: false, noEmit: true, types: [] },
        ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 },
      });
      const faults = ts.getPreEmitDiagnostics(program);
      deepEqual(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")), []);
    });

    await t.step("Deno: the samples of the checkout, their scores, and the shell", async () => {
      const flags = ["run", "--quiet", "--no-lock", `--allow-read=${folder}`, "--allow-env"];
      const out = await output(Deno.execPath(), [...flags, "--check", "sample.ts"], place);
      const materials = await openMaterials({ tokenizer: "o200k_base" });
      const { id, sha256 } = NIAH.make({ keys: 8 }).sample({ length: 4096, seed: "42", index: 0, materials });
      deepEqual(JSON.parse(out), [id, sha256, 1, "object"]);
      match(await output(Deno.execPath(), [...flags, "node_modules/.bin/fathom", "tasks", "vt"], place), /hops/);
    });

    const tour = async (node: string): Promise<unknown> => {
      const server = await serveSimulated({
        profile: "ideal",
        study: checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 3 }),
      });
      try {
        return JSON.parse(await output(node, ["tour.mjs", server.url], place));
      } finally {
        await server.close();
      }
    };
    const nodes = await Promise.all([22, 24].map(findNode));
    for (const [at, version] of [22, 24].entries()) {
      const node = nodes[at];
      const skipped = node === undefined ? ` (skipped: fetch it with npx --yes node@${version} --version)` : "";
      await t.step({
        name: `Node ${version}: the example of its page, a server asked, files, the commands${skipped}`,
        ignore: node === undefined,
        fn: async () => {
          await Deno.remove(`${place}/results`, { recursive: true }).catch(() => {});
          equal(await output(node!, ["example.mjs"], place), PRINTED);
          deepEqual(await tour(node!), {
            scores: [1, 1, 1],
            records: 3,
            runs: ["asked", "copied", "first"],
            isDrawn: true,
            png:
              "Cannot draw the picture as its renderer and fonts must be installed beside Fathom: npm install @resvg/resvg-js @expo-google-fonts/inter @expo-google-fonts/zcool-xiaowei pdfkit svg-to-pdfkit",
            isMeasured: true,
            isEscaped: true,
          });
          await useShell(node!, place);
          await useAction(node!, { place, tarball });
        },
      });
    }

    const node = nodes.find((found) => found !== undefined);
    await t.step({
      name: "a PNG is drawn once its renderer and fonts are installed",
      ignore: node === undefined,
      fn: async () => {
        // A folder above, where Node looks too: from the cache, as nothing is fetched.
        const imports = Object.fromEntries(
          Object.entries(project.imports).filter(([name]) => Object.hasOwn(peerDependencies, name.replace(/\/$/, ""))),
        );
        await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ imports, nodeModulesDir: "auto" }));
        await Deno.copyFile(new URL("deno.lock", ROOT), `${folder}/deno.lock`);
        await output(Deno.execPath(), ["install", "--quiet"], folder);
        await Deno.remove(`${place}/results`, { recursive: true });
        equal((await tour(node!) as { readonly png: unknown }).png, true);
      },
    });
  });
});

/** Tries a command of each kind as `npx` starts them, in a folder with the runs `asked` and `copied`. */
async function useShell(node: string, place: string): Promise<void> {
  const fathom = async (...words: readonly string[]): Promise<{ code: number; out: string; notes: string }> => {
    const { code, stdout, stderr } = await new Deno.Command(`${place}/node_modules/.bin/fathom`, {
      args: [...words],
      ...{ cwd: place, env: { NO_COLOR: "1", PATH: `${dirname(node)}:${Deno.env.get("PATH")}` } },
    }).output();
    const [out, notes] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { code, out: out!, notes: notes! };
  };
  const succeed = async (...words: readonly string[]): Promise<string> => {
    const { code, out, notes } = await fathom(...words);
    equal(code, 0, notes);
    return out;
  };
  const refuse = async (code: number, message: RegExp, ...words: readonly string[]): Promise<void> => {
    const refused = await fathom(...words);
    equal(refused.code, code);
    match(refused.notes.trimEnd(), message);
    // One line, and no stack.
    equal(refused.notes.trimEnd().split("\n").length, 1, refused.notes);
  };
  const help = await succeed("--help");
  for (const { usage } of COMMANDS) ok(help.includes(usage), usage);
  equal(await succeed("--version"), `${project.version}\n`);
  match(await succeed("tasks", "vt"), /hops/);
  const words = ["generate", "--tasks", "niah_single_1,vt", "--lengths", "1K,2K", "--samples", "3"];
  const lines = await succeed(...words);
  equal(lines.trimEnd().split("\n").length, 12);
  equal(await succeed(...words, "--workers", "2"), lines);
  await succeed("generate", "--tasks", "vt", "--lengths", "1K", "--format", "lm-eval", "--out", "harness");
  await Deno.stat(`${place}/harness/fathom_tasks.py`);
  const asking = ["run", "--tasks", "niah_single_1,vt", "--lengths", "1K,2K", "--samples", "3"];
  match(await succeed(...asking, "--model", "sim:gpt-4", "--name", "one"), /niah_single_1/);
  await succeed(...asking, "--model", "sim:yi-34b", "--name", "two");
  match(await succeed("report", "one"), /Effective length/i);
  await Deno.stat(`${place}/results/runs/one/figures/score-by-length.svg`);
  match(await succeed("report"), /one .*done/);
  match(await succeed("report", "measured/gemma-3-270m/cdme", "--no-figures"), /Gemma/i);
  match(
    await succeed("compare", "one", "two"),
    /^Against sim:gpt-4: sim:yi-34b shows no (?:loss|difference) \(.*\)\.$/m,
  );
  await succeed("view", "one", "--out", "one.html");
  match(await Deno.readTextFile(`${place}/one.html`), /^<!DOCTYPE html>/i);
  await succeed("verify", "one");
  await succeed("export", "one", "--out", "one.csv");
  match(await succeed("plan", "--samples", "5"), /^Precision of 5 samples/);
  await succeed("doctor", "--model", "sim:gpt-4");
  await refuse(2, /^fathom: unknown command 'reprot' \(Did you mean report\?\)$/, "reprot");
  await refuse(2, /^fathom: "sim:gpt4" is unknown; did you mean sim:gpt-4\?/, ...asking, "--model", "sim:gpt4");
  await refuse(2, /^fathom: "absent" is unknown/, "report", "absent");
  await refuse(2, /^fathom: Cannot write the file /, ...words, "--out", "one.html/lines.jsonl");
  await refuse(
    2,
    /^fathom: .* endpoint must be reachable/,
    "doctor",
    "--model",
    "m",
    "--base-url",
    "http://127.0.0.1:9/v1",
  );
}

/** Runs the step of the example of an action that certifies a change, on the runs `one` and `two`. */
async function useAction(
  node: string,
  { place, tarball }: { readonly place: string; readonly tarball: string },
): Promise<void> {
  const action = parse(await Deno.readTextFile(new URL("docs/examples/certify-action/action.yml", ROOT)));
  const { run, env } = action.runs.steps.find(({ id }: { readonly id?: string }) => id === "certify");
  const given = { PACKAGE: tarball, BASE_RUN: "one", CHANGE_RUN: "two", MARGIN: "2", ARGUMENTS: "--error 0.05 --json" };
  const { code, stderr } = await new Deno.Command("bash", {
    args: ["--noprofile", "--norc", "-eo", "pipefail", "-c", run],
    ...{ cwd: place, stdout: "null", stderr: "piped" },
    env: {
      ...Object.fromEntries(Object.keys(env).map((name) => [name, ""])),
      ...given,
      ...{ GITHUB_OUTPUT: "output.txt", GITHUB_STEP_SUMMARY: "summary.md", "npm_config_offline": "true" },
      ...{ NO_COLOR: "1", PATH: `${dirname(node)}:${Deno.env.get("PATH")}` },
    },
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  equal(
    await Deno.readTextFile(`${place}/output.txt`),
    "verdict=not enough data\nfails=undecided\n",
    new TextDecoder().decode(stderr),
  );
  const summary = await Deno.readTextFile(`${place}/certificate/summary.md`);
  match(summary, /Not enough data on .+ against /);
  equal(await Deno.readTextFile(`${place}/summary.md`), `${summary}\n`);
  match(await Deno.readTextFile(`${place}/certificate/junit.xml`), /<testsuite/);
  for (const file of ["output.txt", "summary.md"]) await Deno.remove(`${place}/${file}`);
}

/** The Node of a version that npm keeps in its cache; nothing is fetched. */
async function findNode(version: number): Promise<string | undefined> {
  const args = ["--offline", "--yes", `--package=node@${version}`, "--", "node", "--print", "process.execPath"];
  return (await output("npx", args, ".").catch(() => undefined))?.trim();
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    bytes += isDirectory ? await bytesBelow(path) : (await Deno.lstat(path)).size;
  }
  return bytes;
}
