import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { auditSample } from "../audit/_audit_sample.ts";
import { openFullEncoder } from "../audit/_full_encode.ts";
import { openTestMaterials } from "../generators/_materials.ts";
import { writeBenchmark } from "./scaffold.ts";
import { AUDIT } from "@/docs/examples/left_luggage/solve.ts";
import { LEFT_LUGGAGE } from "@/docs/examples/left_luggage/left_luggage.ts";
import "@/docs/examples/left_luggage/left_luggage_test.ts";

const REGISTRY = "lib/benchmarks/registry.ts";
const EXAMPLE = "docs/examples/left_luggage";

async function withProject(test: (folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    for (const path of ["lib/benchmarks", EXAMPLE]) await Deno.mkdir(`${folder}/${path}`, { recursive: true });
    for (const { name } of Deno.readDirSync(EXAMPLE)) {
      await Deno.copyFile(`${EXAMPLE}/${name}`, `${folder}/${EXAMPLE}/${name}`);
    }
    await Deno.copyFile(REGISTRY, `${folder}/${REGISTRY}`);
    await test(folder);
  });
}

Deno.test("writeBenchmark() writes the worked example under another name, and registers it", async () => {
  await withProject(async (folder) => {
    deepEqual((await writeBenchmark("lost_keys", folder)).map(({ path }) => path), [
      "lib/benchmarks/lost_keys/wording.ts",
      "lib/benchmarks/lost_keys/scorer.ts",
      "lib/benchmarks/lost_keys/lost_keys.ts",
      "data/studies/lost-keys.yaml",
      "tests/audit/_solve_lost_keys.ts",
      "tests/benchmarks/lost_keys/lost_keys_test.ts",
      "docs/benchmarks/lost_keys.md",
      REGISTRY,
    ]);
    const registry = await Deno.readTextFile(`${folder}/${REGISTRY}`);
    match(registry, /\nimport \{ LOST_KEYS \} from "\.\/lost_keys\/lost_keys\.ts";\nimport type /);
    match(registry, /\n {2}LOST_KEYS,\n\];/);
    const family = await Deno.readTextFile(`${folder}/lib/benchmarks/lost_keys/lost_keys.ts`);
    match(family, /SUITE = "lost-keys-1"/);
    ok(!/left.?luggage/i.test(family));
  });
});

Deno.test("writeBenchmark() changes no file that exists, and refuses other names", async () => {
  await withProject(async (folder) => {
    await writeBenchmark("lost_keys", folder);
    const registry = await Deno.readTextFile(`${folder}/${REGISTRY}`);
    await rejects(writeBenchmark("lost_keys", folder), {
      name: "RangeError",
      message: /files must not exist: current value is "lib\/benchmarks\/lost_keys\/wording\.ts"$/,
    });
    for (const name of ["Lost", "lost keys", "../lost", "", "_lost"]) {
      await rejects(writeBenchmark(name, folder), { name: "RangeError", message: /words in lower case joined by _/ });
    }
    for (const name of ["ruler", "niah", "vt", "all"]) {
      await rejects(writeBenchmark(name, folder), {
        name: "RangeError",
        message: /must be none of a suite, family or/,
      });
    }
    equal(await Deno.readTextFile(`${folder}/${REGISTRY}`), registry);
  });
});

Deno.test("the worked example is solved from its prompts alone", async () => {
  const [materials, encode] = [await openTestMaterials("cl100k_base"), openFullEncoder("cl100k_base")];
  const tasks = LEFT_LUGGAGE.families.flatMap((family) => family.tasks.map((name) => family.task(name)));
  for (const task of [...tasks, ...AUDIT.further]) {
    const sample = task.sample({ length: 4096, seed: "42", index: 1, materials });
    deepEqual(auditSample(sample, { solve: AUDIT.solve, encode, isBudget: true, isFilled: true }), []);
  }
});

Deno.test("check-suite refuses a name that is no suite's, and lists those that are", async () => {
  const args = ["run", "--no-check", "--allow-read", "tests/scaffold/check_suite.ts", "mrrc"];
  const { code, stderr } = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } }).output();
  equal(code, 2);
  match(new TextDecoder().decode(stderr), /must be one of ruler, .*mrcr.*: current value is "mrrc"/);
});
