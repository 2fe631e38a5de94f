import { ok } from "node:assert/strict";
import { buildExplorer, SCRIPT } from "./build.ts";

Deno.test("the committed script of the explorer is the one that its client makes", async () => {
  const [committed, built] = [await Deno.readTextFile(SCRIPT), await buildExplorer()];
  ok(committed === built, "lib/reports/explorer/explorer.min.js is older than its client: deno task build-explorer");
});
