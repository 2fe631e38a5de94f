import { deepEqual, equal, match } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { inFolder } from "../_folder.ts";
import { serveSimulated } from "../serve/serve_command.ts";
import { NIAH, openMaterials } from "@/lib/mod.ts";
import { PACKAGE_NAME, packLibrary } from "./package.ts";
import project from "../../deno.json" with { type: "json" };

const SCRIPT = `import { allFound, NIAH, openMaterials, type Sample } from "./${PACKAGE_NAME}/lib/mod.js";

const materials = await openMaterials({ tokenizer: "o200k_base" });
const sample: Sample = NIAH.make({ keys: 8 }).sample({ length: 4096, seed: "42", index: 0, materials });
// @ts-expect-error -- knobs are typed
const score: string = allFound.grade(\`It is \${sample.references[0]}.\`, sample).score.value;
console.log(JSON.stringify([sample.id, sample.sha256, score]));
`;

/** Asks a server, resumes, reads and writes files, and draws. */
const TOUR = `import { statSync, writeFileSync } from "node:fs";
import * as fathom from "${PACKAGE_NAME}";

const model = await fathom.openModel({ model: "sim:ideal", baseUrl: process.argv[2] });
const ask = (samples) => {
  const study = fathom.checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples });
  return fathom.runStudy(study, { name: "asked", model });
};
await ask(2);
const { replies } = await ask(3);
writeFileSync("asked.zip", (await fathom.bundleRun("asked")).content);
const { records } = await fathom.importRun("asked.zip", { name: "bundled" });
const rows = fathom.summarise(replies);
await fathom.saveFigure(fathom.scoreCurves(rows, { title: "Scores", origin: "simulated" }), "scores.png");
const [measured] = await fathom.openMeasured({ benchmark: "cdme", model: "gemma-3-270m" });
console.log(JSON.stringify({
  scores: replies.map(({ score }) => score.value),
  records,
  runs: await fathom.listRuns({ folder: "results/runs" }),
  isDrawn: statSync("scores.png").size > 1000,
  isMeasured: measured.replies.length > 0,
  isEscaped: new RegExp("^" + RegExp.escape("a-b (c)") + "$", "u").test("a-b (c)"),
}));
`;

const PAGE = await Deno.readTextFile(new URL("../../docs/library.md", import.meta.url));

/** The example of the package's page, and what the page shows that it prints. */
const [, EXAMPLE, PRINTED] = /```js\n(.+?)```\n\nIt prints:\n\n```\n(.+?)```/s.exec(PAGE)!;

Deno.test("the package works under Deno and Node, with types, from its own files alone", {
  ignore: cases(true, false),
}, async (t) => {
  await inFolder(async (folder) => {
    match(await packLibrary(folder), /\/fathom-long-context-\d+\.\d+\.\d+\.tgz$/);
    const place = `${folder}/${PACKAGE_NAME}`;
    const { dependencies, exports } = JSON.parse(await Deno.readTextFile(`${place}/package.json`));
    equal(dependencies["js-tiktoken"], "1.0.21");
    // No version is a range, and the door is there with its types.
    deepEqual(Object.values<string>(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version)), []);
    for (const path of Object.values<string>(exports["."])) await Deno.stat(`${place}/${path}`);

    await t.step("Deno: the samples of the checkout, and their scores", async () => {
      await Deno.writeTextFile(`${folder}/sample.ts`, SCRIPT);
      // The packages that it stands on come from here, as nothing is fetched; Fathom's own files do not.
      const imports = Object.fromEntries(Object.entries(project.imports).filter(([name]) => name !== "@/"));
      await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ imports }));
      const args = ["run", "--quiet", "--check", "--no-lock", `--allow-read=${folder}`, "--allow-env", "sample.ts"];
      const out = await output(Deno.execPath(), args, folder);
      const materials = await openMaterials({ tokenizer: "o200k_base" });
      const { id, sha256 } = NIAH.make({ keys: 8 }).sample({ length: 4096, seed: "42", index: 0, materials });
      deepEqual(JSON.parse(out), [id, sha256, 1]);
      await Deno.remove(`${folder}/deno.json`);
    });

    await Deno.copyFile(new URL("../../deno.lock", import.meta.url), `${place}/deno.lock`);
    await output(Deno.execPath(), ["install", "--quiet", "--node-modules-dir=auto"], place);
    await Deno.writeTextFile(`${place}/example.mjs`, EXAMPLE!);
    await Deno.writeTextFile(`${place}/tour.mjs`, TOUR);
    for (const version of [22, 24]) {
      const node = await findNode(version);
      const skipped = node === undefined ? ` (skipped: fetch it with npx --yes node@${version} --version)` : "";
      await t.step({
        name: `Node ${version}: the example of its page, a server asked, files read and written${skipped}`,
        ignore: node === undefined,
        fn: async () => {
          await Deno.remove(`${place}/results`, { recursive: true }).catch(() => {});
          equal(await output(node!, ["example.mjs"], place), PRINTED);
          const server = await serveSimulated({ profile: "ideal" });
          try {
            deepEqual(JSON.parse(await output(node!, ["tour.mjs", server.url], place)), {
              scores: [1, 1, 1],
              records: 3,
              runs: ["asked", "bundled", "first"],
              isDrawn: true,
              isMeasured: true,
              isEscaped: true,
            });
          } finally {
            await server.close();
          }
        },
      });
    }
  });
});

/** The Node of a version that npm keeps in its cache; nothing is fetched. */
async function findNode(version: number): Promise<string | undefined> {
  const args = ["--offline", "--yes", `--package=node@${version}`, "--", "node", "--print", "process.execPath"];
  return (await output("npx", args, ".").catch(() => undefined))?.trim();
}

async function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, { args: [...args], cwd, env: { NO_COLOR: "1" } })
    .output();
  equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
