import { deepEqual, equal, match } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { inFolder } from "../_folder.ts";
import { NIAH, openMaterials } from "@/lib/mod.ts";
import { PACKAGE_NAME, packLibrary } from "@/lib/package/main.ts";
import project from "../../deno.json" with { type: "json" };

const SCRIPT = `import { allFound, NIAH, openMaterials, type Sample } from "./${PACKAGE_NAME}/lib/mod.js";

const materials = await openMaterials({ tokenizer: "o200k_base" });
const sample: Sample = NIAH.make({ keys: 8 }).sample({ length: 4096, seed: "42", index: 0, materials });
// @ts-expect-error -- knobs are typed
const score: string = allFound.grade(\`It is \${sample.references[0]}.\`, sample).score.value;
console.log(JSON.stringify([sample.id, sample.sha256, score]));
`;

const ALONE = "the package makes the samples of the checkout and scores them, with types, from its own files alone";

Deno.test(ALONE, { ignore: cases(true, false) }, async () => {
  await inFolder(async (folder) => {
    match(await packLibrary(`${folder}/dist`), /\/fathom-long-context-\d+\.\d+\.\d+\.tgz$/);
    await Deno.writeTextFile(`${folder}/dist/sample.ts`, SCRIPT);
    // The packages that it stands on come from here, as nothing is fetched; Fathom's own files do not.
    const imports = Object.fromEntries(Object.entries(project.imports).filter(([name]) => name !== "@/"));
    await Deno.writeTextFile(`${folder}/dist/deno.json`, JSON.stringify({ imports }));
    const args = ["run", "--quiet", "--check", "--no-lock", `--allow-read=${folder}`, "--allow-env", "sample.ts"];
    const env = { NO_COLOR: "1" };
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: `${folder}/dist`, env }).output();
    equal(new TextDecoder().decode(stderr), "");
    const materials = await openMaterials({ tokenizer: "o200k_base" });
    const { id, sha256 } = NIAH.make({ keys: 8 }).sample({ length: 4096, seed: "42", index: 0, materials });
    deepEqual(JSON.parse(new TextDecoder().decode(stdout)), [id, sha256, 1]);
    const { dependencies, exports } = JSON.parse(
      await Deno.readTextFile(`${folder}/dist/${PACKAGE_NAME}/package.json`),
    );
    equal(dependencies["js-tiktoken"], "1.0.21");
    // No version is a range, and the door is there with its types.
    deepEqual(Object.values<string>(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version)), []);
    for (const path of Object.values<string>(exports["."])) await Deno.stat(`${folder}/dist/${PACKAGE_NAME}/${path}`);
  });
});
