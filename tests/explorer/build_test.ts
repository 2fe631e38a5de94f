import { ok } from "node:assert/strict";
import { buildScript, SCRIPTS } from "./build.ts";
import { ROOT } from "../package/_bundles.ts";

for (const script of SCRIPTS) {
  Deno.test(`${script.file} is the script that its client makes`, async () => {
    const [committed, built] = [await Deno.readTextFile(`${ROOT}/${script.file}`), await buildScript(script)];
    ok(committed === built, `${script.file} is older than its client: deno task build-explorer`);
  });
}
