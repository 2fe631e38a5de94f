import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { recordRun, smallHeader, withFolder } from "../asking/_fakes.ts";
import { listRuns, readRun, repairRun, verifyRun } from "@/lib/records/mod.ts";
import { openStore } from "@/lib/records/store.ts";
import { readManifest } from "@/lib/studies/mod.ts";

/** Records a run of twelve samples in a folder, then lets a test at its files. */
async function withRun(
  test: (run: { readonly folder: string; readonly records: string; readonly manifest: string }) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    await recordRun(folder);
    await test({ folder, records: `${folder}/run/records.jsonl`, manifest: `${folder}/run/manifest.json` });
  });
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await Deno.writeTextFile(path, change(await Deno.readTextFile(path)));
}

async function warnings(folder: string): Promise<readonly string[]> {
  return (await readRun("run", { folder })).notes.filter((note) => note.startsWith("Warning"));
}

Deno.test("a run that is as it was recorded has no fault, and neither have those that come with Fathom", async () => {
  await withRun(async ({ folder }) => {
    const { records, answered, faults, notes } = await verifyRun("run", { folder });
    deepEqual([records, answered, faults, notes], [12, 12, [], []]);
    deepEqual(await warnings(folder), []);
  });
  for (const name of (await listRuns()).filter((name) => name.startsWith("measured/"))) {
    deepEqual((await verifyRun(name)).faults, [], name);
    deepEqual((await readRun(name)).notes, [], name);
  }
});

Deno.test.each([
  [
    "an answer was edited",
    (text: string) => text.replace(/"text":"[^"]*"/, '"text":"better"'),
    /changed since the run/,
  ],
  ["answers were cut off", (text: string) => text.split("\n").slice(0, 5).join("\n") + "\n", /records were cut/],
  ["an answer was left out", (text: string) => text.split("\n").slice(1).join("\n"), /records were cut/],
  [
    "the model was renamed in a line",
    (text: string) => text.replace('"model":"fake"', '"model":"fame"'),
    /record's model must be/,
  ],
] as [string, (text: string) => string, RegExp][])(
  "a run of which %s says so wherever it is read, and when it is asked on",
  async (_name, change, wanted) => {
    await withRun(async ({ folder, records }) => {
      await edit(records, change);
      match((await warnings(folder)).join("\n"), wanted);
      equal((await verifyRun("run", { folder })).faults.length > 0, true);
      await recordRun(folder);
      // What is asked again does not make good what was changed.
      match((await warnings(folder)).join("\n"), /its records were changed|record's model must be/);
    });
  },
);

Deno.test("a run without a hash of its records, as of before there was one, is held against its answered samples", async () => {
  await withRun(async ({ folder, records, manifest }) => {
    await edit(manifest, (text) => JSON.stringify({ ...JSON.parse(text), records: undefined }));
    deepEqual(await warnings(folder), []);
    await edit(records, (text) => text.replace(/"sha256":"[^"]*"/, '"sha256":"0"'));
    match((await warnings(folder))[0]!, /its answered samples are others than those that were recorded/);
    await edit(records, (text) => text.split("\n").slice(2).join("\n"));
    match((await warnings(folder))[0]!, /answers are missing: 10 of 12/);
  });
});

Deno.test("a run that goes on, or that was killed, has records more than its manifest and no fault", async () => {
  await withRun(async ({ folder, records }) => {
    await edit(records, (text) => text + text.split("\n")[0] + "\n");
    deepEqual(await warnings(folder), []);
    const { faults, notes } = await verifyRun("run", { folder });
    deepEqual([faults, notes.length], [[], 2]);
  });
});

Deno.test.each([
  [
    "length",
    '"length":512',
    '"length":"512"',
    /line 1: length must be a whole number of at least 0: current value is "512"/,
  ],
  ["references", /"references":\[[^\]]*\]/, '"references":"7"', /line 1: references must be a list of texts/],
  ["reply.text", /"text":"[^"]*"/, '"text":{"a":1}', /line 1: reply.text must be a text/],
  ["reply.kind", '"kind":"answer"', '"kind":"guess"', /reply.kind must be answer or failure/],
  ["latency", /"latencyMs":[^,}]*/, '"latencyMs":null', /reply.latencyMs must be a number: current value is null/],
] as [string, string | RegExp, string, RegExp][])(
  "a record whose %s has another type is refused with the number of its line",
  async (_name, from, to, wanted) => {
    await withRun(async ({ folder, records }) => {
      await edit(records, (text) => text.replace(from, to));
      await rejects(readRun("run", { folder }), { name: "SyntaxError", message: wanted });
      match((await verifyRun("run", { folder })).faults[0]!, wanted);
    });
  },
);

Deno.test.each([
  ["name", "../../../etc/passwd"],
  ["name", "file:///etc"],
  ["name", "a\u001b[2J"],
  ["model", 7],
  ["origin", "real"],
  ["tasks", { sum: "easy" }],
  ["samples", []],
] as [string, unknown][])("a manifest whose %s is %j is refused", async (name, value) => {
  await withRun(async ({ folder, manifest }) => {
    await edit(manifest, (text) => JSON.stringify({ ...JSON.parse(text), [name]: value }));
    await rejects(readRun("run", { folder }), {
      name: "SyntaxError",
      message: new RegExp(`must be the manifest of a run: ${name}(\\.\\w+)? must be `),
    });
  });
});

Deno.test("a copied run is called by its own folder, says what it was, and writes nothing to the original", async () => {
  await withRun(async ({ folder }) => {
    await Deno.mkdir(`${folder}/copy`);
    for (const file of ["records.jsonl", "manifest.json"]) {
      await Deno.copyFile(`${folder}/run/${file}`, `${folder}/copy/${file}`);
    }
    const { manifest, notes } = await readRun("copy", { folder });
    deepEqual([manifest.name, notes], ["copy", ['its folder was copied or renamed: it was "run"']]);
  });
});

Deno.test("repairRun() keeps what it cuts and replaces in files beside, and the run says what was found", async () => {
  await withRun(async ({ folder, records }) => {
    const lines = (await Deno.readTextFile(records)).split("\n");
    await Deno.writeTextFile(records, [lines[0], "<html>", ...lines.slice(1, 4), lines[5]!.slice(0, 40)].join("\n"));
    const { before, kept } = await repairRun("run", { folder });
    deepEqual(before.faults.slice(0, 2), [
      "line 2: it must be JSON: current value is <html>",
      "line 6 was cut short",
    ]);
    deepEqual(kept.map((path) => path.slice(folder.length)), [
      "/run/manifest-before-repair-1.txt",
      "/run/records-cut-1.txt",
    ]);
    equal(await Deno.readTextFile(kept[1]!), `<html>\n${lines[5]!.slice(0, 40)}\n`);
    const { faults, notes, answered } = await verifyRun("run", { folder });
    deepEqual([faults, answered], [[], 4]);
    match(
      notes.at(-1)!,
      /^repaired \d{4}-\d\d-\d\d: line 2: it must be JSON: current value is <html>; line 6 was cut short; /,
    );
    match((await readRun("run", { folder })).notes.join(), /repaired/);
    // Nothing is wrong any more, so nothing is done; then the missing samples can be asked.
    deepEqual((await repairRun("run", { folder })).kept, []);
    await recordRun(folder);
    deepEqual([(await readRun("run", { folder })).records.length, await warnings(folder)], [12, []]);
    equal((await readManifest(`${folder}/run`))!.repairs?.length, 1);
  });
});

Deno.test("repairRun() keeps what each repair cut in a file of its own", async () => {
  await withRun(async ({ folder, records }) => {
    const kept: string[] = [];
    for (const cut of ["<html>", "<body>"]) {
      await edit(records, (text) => `${text}${cut}\n`);
      kept.push((await repairRun("run", { folder })).kept.at(-1)!);
    }
    deepEqual(await Promise.all(kept.map((path) => Deno.readTextFile(path))), ["<html>\n", "<body>\n"]);
    equal((await verifyRun("run", { folder })).notes.filter((note) => note.startsWith("repaired")).length, 2);
  });
});

Deno.test("repairRun() leaves runs that come with Fathom as they are, and those that are being written", async () => {
  await rejects(repairRun("measured/gemma-3-270m/cdme"), /Cannot repair the run as it must be one of/);
  await withRun(async ({ folder, records }) => {
    await edit(records, (text) => `${text}{"sample"`);
    const store = await openStore("run", smallHeader(), { folder });
    await rejects(repairRun("run", { folder }), /one process at a time must write it/);
    await store.close();
  });
});

Deno.test.each([
  ["broken and ended", (text: string) => `${text}<html>\n`, "line 13: it must be JSON: current value is <html>"],
  ["broken without an end", (text: string) => `${text}<html>`, "line 13 was cut short"],
  [
    "whole without an end",
    (text: string) => text.replace("\n", "\n<html>\n").trimEnd(),
    "line 2: it must be JSON: current value is <html>",
  ],
])("verifyRun() says of a file whose last line is %s which line is wrong", async (_name, change, wanted) => {
  await withRun(async ({ folder, records }) => {
    await edit(records, change);
    equal((await verifyRun("run", { folder })).faults[0], wanted);
  });
});
