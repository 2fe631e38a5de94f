import { deepEqual, equal } from "node:assert/strict";
import { smallHeader } from "./_fakes.ts";
import type { RunManifest } from "@/lib/runs/mod.ts";
import { runOverview } from "@/lib/runs/run_overview.ts";

const manifest: RunManifest = {
  ...{ format: 1, name: "first", fathom: "0.1.0", started: "2026-01-02T03:04:05Z" },
  ...smallHeader(),
  samples: { count: 12, sha256: "abc" },
};

const said = (what: string, from = manifest): string | undefined =>
  runOverview(from).find((line) => line.what === what)?.said;

Deno.test("runOverview() says whatever decides samples and answers", () => {
  deepEqual(
    ["Run", "Model", "Settings", "Suite", "Tasks", "Lengths", "Samples", "Seed", "Tokenizer"].map((what) => said(what)),
    [
      "first",
      "fake (measured)",
      "temperature = 0",
      "fake-1",
      "sum, other",
      "512, 1024 tokens, answer room included",
      "3 of each task at each length, numbers 0 to 2; 12 answered",
      "s",
      "cl100k_base",
    ],
  );
});

Deno.test("runOverview() does not tell when the run was made, which decides nothing", () => {
  equal(JSON.stringify(runOverview(manifest)).includes("2026-01-02"), false);
});

Deno.test("runOverview() says so where no setting is told, and names each suite once", () => {
  equal(said("Settings", { ...manifest, settings: {} }), "none told");
  const [sum] = Object.values(manifest.tasks);
  equal(
    said("Suite", { ...manifest, tasks: { a: sum!, b: { ...sum!, suite: "other-2" }, c: sum! } }),
    "fake-1, other-2",
  );
});
