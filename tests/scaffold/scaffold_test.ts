import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { register, writeBenchmark } from "./scaffold.ts";

const REGISTRY = "lib/benchmarks/registry.ts";

async function withProject(test: (folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    await Deno.copyFile("CONTRIBUTING.md", `${folder}/CONTRIBUTING.md`);
    await Deno.mkdir(`${folder}/lib/benchmarks`, { recursive: true });
    await Deno.copyFile(REGISTRY, `${folder}/${REGISTRY}`);
    await test(folder);
  });
}

Deno.test("writeBenchmark() writes the worked example under another name, and registers it", async () => {
  await withProject(async (folder) => {
    deepEqual([...await writeBenchmark("lost_keys", folder)].sort(), [
      "data/studies/lost-keys.yaml",
      "lib/benchmarks/lost_keys/lost_keys.ts",
      REGISTRY,
      "tests/audit/_solve_lost_keys.ts",
      "tests/benchmarks/lost_keys/lost_keys_test.ts",
    ]);
    const registry = await Deno.readTextFile(`${folder}/${REGISTRY}`);
    match(registry, /^import \{ LOST_KEYS \} from "\.\/lost_keys\/lost_keys\.ts";\n/);
    match(registry, /\n {2}LOST_KEYS,\n\];/);
    const family = await Deno.readTextFile(`${folder}/lib/benchmarks/lost_keys/lost_keys.ts`);
    match(family, /suite: "lost-keys-1"/);
    match(family, /tasks: \["lost_keys_one_locker", "lost_keys_five_lockers"\]/);
    ok(!/left.?luggage/i.test(family));
  });
});

Deno.test("writeBenchmark() changes no file that exists, and refuses other names", async () => {
  await withProject(async (folder) => {
    await writeBenchmark("lost_keys", folder);
    const registry = await Deno.readTextFile(`${folder}/${REGISTRY}`);
    await rejects(writeBenchmark("lost_keys", folder), {
      name: "RangeError",
      message: /its files must not exist: "lib\/benchmarks\/lost_keys\/lost_keys\.ts" does$/,
    });
    for (const name of ["Lost", "lost keys", "../lost", "", "_lost"]) {
      await rejects(writeBenchmark(name, folder), {
        name: "RangeError",
        message: /must be words in lower case joined by _/,
      });
    }
    equal(await Deno.readTextFile(`${folder}/${REGISTRY}`), registry);
  });
});

Deno.test("register() refuses lines without a name", () => {
  let message = "";
  try {
    register("", "nothing");
  } catch (error) {
    message = String(error);
  }
  match(message, /must have an import and a name/);
});
