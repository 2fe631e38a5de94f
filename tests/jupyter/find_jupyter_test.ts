import { equal } from "node:assert/strict";
import { canServe } from "@/lib/jupyter/mod.ts";

Deno.test.each([
  ["what Debian 12 packages", { nbclient: "0.7.2", nbconvert: "6.5.3" }, true, false],
  ["an older nbclient", { nbclient: "0.6.8", nbconvert: "7.17.2" }, false, false],
  ["an older nbconvert", { nbclient: "0.11.0", nbconvert: "6.4.9" }, false, false],
  ["no nbconvert", { nbclient: "0.11.0" }, false, false],
  ["the classic JupyterLab", { nbclient: "0.11.0", nbconvert: "7.17.2", jupyterlab: "3.6.8" }, true, false],
  ["the pinned parts", { nbclient: "0.11.0", nbconvert: "7.17.2", jupyterlab: "4.6.6" }, true, true],
] as [string, Record<string, string>, boolean, boolean][])("canServe() judges %s", (_name, parts, runs, opens) => {
  const python = { program: "python3", version: [3, 11], parts } as const;
  equal(canServe(python, "run"), runs);
  equal(canServe(python, "lab"), opens);
});
