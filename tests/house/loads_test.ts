import { deepEqual } from "node:assert/strict";
import { listLoaded, roomOf } from "./_rules.ts";
import { readSources } from "./_source.ts";

const lib = readSources("lib");

/** The rooms that a sample needs. */
const OF_SAMPLES = ["base", "random", "text", "scorers", "generators", "models", "simulated", "benchmarks", "studies"];

/** The rooms that a run needs beside them. */
const OF_RUNS = ["statistics", "records", "asking"];

/** The rooms that show a run. */
const OF_REPORTS = ["figures", "reports"];

Deno.test.each([
  ["lib/cli/generate_command.ts", [...OF_SAMPLES, "cli"]],
  ["lib/cli/run_command.ts", [...OF_SAMPLES, ...OF_RUNS, ...OF_REPORTS, "cli"]],
  ["lib/cli/report_command.ts", [...OF_SAMPLES, ...OF_RUNS, ...OF_REPORTS, "cli"]],
  ["lib/cli/certify_command.ts", [...OF_SAMPLES, ...OF_RUNS, ...OF_REPORTS, "certify", "cli"]],
  ["lib/mod.ts", [...OF_SAMPLES, ...OF_RUNS, ...OF_REPORTS, "certify", "exchange"]],
] as [string, string[]][])("%s loads these rooms at its start, and no papers", (entry, rooms) => {
  const loaded = listLoaded(lib, entry).flatMap((path) => roomOf(path)?.split("/")[0] ?? []);
  deepEqual([...new Set(loaded)].sort(), rooms.toSorted());
});
