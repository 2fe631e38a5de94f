import { deepEqual, equal, match, notEqual, rejects } from "node:assert/strict";
import { asKilled, fakeModel, smallHeader, smallPlan, withFolder } from "../asking/_fakes.ts";
import type { ModelSettings, ServerReport } from "@/lib/models/mod.ts";
import { readRun, type RunRecord, type RunStore } from "@/lib/records/mod.ts";
import type { RunHeader } from "@/lib/studies/mod.ts";
import { runPlan } from "@/lib/asking/run_plan.ts";
import { openStore } from "@/lib/records/store.ts";

const answer = { kind: "answer", text: "512", finishReason: "stop", latencyMs: 1, attempts: 1 } as const;

function record(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    ...{ sample: `fake-1/sum/512/s/${changes.index ?? 0}`, sha256: "abc", suite: "fake-1", task: "sum", length: 512 },
    ...{ index: 0, seed: "s", promptTokens: 492, references: ["512"], scoring: "all", model: "fake" },
    ...{ origin: "measured", settings: { temperature: 0 }, reply: answer, fathom: "0" },
    ...{ time: "2026-01-01T00:00:00.000Z", ...changes },
  };
}

async function writeRun(folder: string, records: readonly RunRecord[]): Promise<void> {
  const store = await openStore("run", smallHeader(), { folder });
  for (const each of records) await store.append(each);
  await store.close();
}

function outcomes(store: RunStore): unknown[] {
  return [0, 1, 2].map((index) => store.outcome({ suite: "fake-1", task: "sum", length: 512, index }));
}

Deno.test("openStore() keeps the first server beside all else that its manifest has", async () => {
  await withFolder(async (folder) => {
    const servers = ["a", "b"].map((address) => ({ address, time: "2026" }) as ServerReport);
    for (const reports of [[], servers, servers.toReversed()]) {
      const store = await openStore("run", smallHeader(), { folder });
      for (const report of reports) store.keepServer(report);
      await store.append(record());
      await store.close();
    }
    const { server, tasks, origin } = JSON.parse(await Deno.readTextFile(`${folder}/run/manifest.json`));
    deepEqual([server?.address, tasks, origin], ["a", smallHeader().tasks, "measured"]);
  });
});

Deno.test("openStore() finds answers and failures again, and an answer stands", async () => {
  await withFolder(async (folder) => {
    const reply = { kind: "failure", failure: "timeout", message: "", latencyMs: 1, attempts: 1 } as const;
    await writeRun(folder, [record({ reply }), record(), record({ reply }), record({ index: 1, reply })]);
    const store = await openStore("run", smallHeader(), { folder });
    deepEqual(outcomes(store), ["answer", "failure", undefined]);
    await store.close();
  });
});

Deno.test("openStore() leaves out a last line that was cut short, tells it, and writes on from there", async () => {
  await withFolder(async (folder) => {
    await writeRun(folder, [record(), record({ index: 1 })]);
    const path = `${folder}/run/records.jsonl`;
    const whole = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, whole.slice(0, -20));
    await asKilled(folder);
    const store = await openStore("run", smallHeader(), { folder });
    match(store.notes[0]!, /records\.jsonl" was cut short: it is left out, and its sample counts as not asked$/);
    deepEqual(outcomes(store), ["answer", undefined, undefined]);
    await store.append(record({ index: 2 }));
    await store.close();
    const { records, notes } = await readRun("run", { folder });
    deepEqual([records.map(({ index }) => index), notes], [[0, 2], []]);
  });
});

Deno.test("openStore() keeps a whole last record of which only the line break is missing", async () => {
  await withFolder(async (folder) => {
    await writeRun(folder, [record(), record({ index: 1 })]);
    const path = `${folder}/run/records.jsonl`;
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).trimEnd());
    const store = await openStore("run", smallHeader(), { folder });
    deepEqual([outcomes(store), store.notes], [["answer", "answer", undefined], []]);
    await store.append(record({ index: 2 }));
    await store.close();
    equal((await readRun("run", { folder })).records.length, 3);
  });
});

Deno.test("openStore() names the number of a line that holds no record", async () => {
  await withFolder(async (folder) => {
    await writeRun(folder, [record(), record({ index: 1 })]);
    const path = `${folder}/run/records.jsonl`;
    const [first, second] = (await Deno.readTextFile(path)).split("\n");
    await Deno.writeTextFile(path, `${first}\n{"sample": 1}\n${second}\n`);
    const error = {
      name: "SyntaxError",
      message: /must be a record: line 2: sample must be a text: current value is 1; `fathom verify` lists/,
    };
    await rejects(openStore("run", smallHeader(), { folder }), error);
    await rejects(readRun("run", { folder }), error);
  });
});

Deno.test.each(
  [
    ["another model", { model: "other" }, /as its model must be "fake": current value is "other"\. Use the/],
    [
      "a chat template of the same name with another text",
      { template: { ...smallHeader().template, after: " Be brief." } },
      /as its template after must be "": current value is " Be brief\."\. The text of that chat template has changed since: the run can be read as before, and asked on under another name/,
    ],
    ["another setting", { settings: { temperature: 1 } }, /as its setting temperature must be 0: current value is 1\./],
    [
      "a setting more",
      { settings: { temperature: 0, top: 1 } },
      /as its setting top must be none: current value is 1\./,
    ],
    [
      "another seed",
      { study: { ...smallHeader().study, seed: "t" } },
      /as its seed must be "s": current value is "t"\./,
    ],
    [
      "other essays",
      { materials: { ...smallHeader().materials, essays: "mine-01" } },
      /as its material essays must be "essays_en": current value is "mine-01"\./,
    ],
    [
      "another suite",
      { tasks: { sum: { suite: "fake-2", scoring: "all", options: {} } } },
      /as its task sum's suite must be "fake-1": current value is "fake-2"\./,
    ],
    [
      "another knob",
      { tasks: { sum: { suite: "fake-1", scoring: "all", options: { hops: 2 } } } },
      /as its task sum's hops must be none: current value is 2\./,
    ],
  ] as [string, Parameters<typeof smallHeader>[0], RegExp][],
)("openStore() does not go on with %s", async (_name, changes, message) => {
  await withFolder(async (folder) => {
    await writeRun(folder, [record()]);
    await rejects(openStore("run", smallHeader(changes), { folder }), { name: "RangeError", message });
  });
});

Deno.test("openStore() goes on with more samples, lengths and tasks, and its manifest tells all of them", async () => {
  await withFolder(async (folder) => {
    await writeRun(folder, [record()]);
    const header = smallHeader();
    const study = { ...header.study, tasks: [{ task: "third" }], lengths: [2048], samples: 9 };
    const tasks = { third: { suite: "fake-1", scoring: "all", options: {} } } as const;
    const store = await openStore("run", { ...header, study, tasks }, { folder });
    await store.append(record({ task: "third" }));
    await store.close();
    const { manifest } = await readRun("run", { folder });
    deepEqual(manifest.study.tasks.map(({ task }) => task), ["sum", "other", "third"]);
    deepEqual([manifest.study.lengths, manifest.study.samples], [[512, 1024, 2048], 9]);
    deepEqual(Object.keys(manifest.tasks), ["sum", "other", "third"]);
  });
});

Deno.test("openStore() lets one process at a time add to a run", async () => {
  await withFolder(async (folder) => {
    await writeRun(folder, [record()]);
    const store = await openStore("run", smallHeader(), { folder });
    await rejects(
      openStore("run", smallHeader(), { folder }),
      /as one process at a time must write it: another one has it open/,
    );
    await store.close();
    await (await openStore("run", smallHeader(), { folder })).close();
  });
});

Deno.test("openStore() takes null or the default of an endpoint's option for one that a run of before it existed lacks", async () => {
  await withFolder(async (folder) => {
    await writeRun(folder, [record()]);
    const resume = async (settings: ModelSettings): Promise<void> =>
      await (await openStore("run", smallHeader({ settings }), { folder })).close();
    await resume({ temperature: 0, newOption: null });
    await resume({ temperature: 0, thinkingTokens: 0, continueFlags: false });
    await rejects(
      resume({ temperature: 0, thinkingTokens: 5 }),
      /as its setting thinkingTokens must be 0: current value is 5\./,
    );
    await rejects(resume({ temperature: null }), /as its setting temperature must be 0: current value is none\./);
  });
});

Deno.test("openStore() resumes at another address only where that is meant", async () => {
  await withFolder(async (folder) => {
    const at = (baseUrl: string): RunHeader => smallHeader({ settings: { temperature: 0, baseUrl } });
    const store = await openStore("run", at("http://node1:8000/v1"), { folder });
    await runPlan(smallPlan(), { model: fakeModel(), store }).finally(store.close);
    const moved = at("http://node2:8000/v1");
    await rejects(openStore("run", moved, { folder }), {
      message:
        'Cannot resume run "run" as its setting baseUrl must be "http://node1:8000/v1", unless --name names it or `fathom resume run --base-url` gives another: current value is "http://node2:8000/v1"',
    });
    await (await openStore("run", moved, { folder, anyAddress: true })).close();
    await rejects(openStore("run", smallHeader(), { folder, anyAddress: true }), /current value is none/);
  });
});

Deno.test("openStore() does not add to records without a manifest, nor take a manifest that is none", async () => {
  await withFolder(async (folder) => {
    await writeRun(folder, [record()]);
    await Deno.writeTextFile(`${folder}/run/manifest.json`, "{}");
    await rejects(openStore("run", smallHeader(), { folder }), {
      name: "SyntaxError",
      message: /manifest\.json" as it must be the manifest of a run: format must be given: current value is none$/,
    });
    await Deno.remove(`${folder}/run/manifest.json`);
    await rejects(openStore("run", smallHeader(), { folder }), {
      name: "RangeError",
      message: 'Cannot resume run "run" as a manifest.json must be beside its records: there is none',
    });
  });
});

Deno.test("the hash of a run's samples is the same in any order, and another for other samples", async () => {
  await withFolder(async (folder) => {
    const hashOf = async (order: readonly number[]): Promise<string> => {
      await writeRun(folder, order.map((index) => record({ index })));
      const { manifest } = await readRun("run", { folder });
      await Deno.remove(`${folder}/run`, { recursive: true });
      equal(manifest.samples.count, order.length);
      return manifest.samples.sha256;
    };
    equal(await hashOf([0, 1, 2]), await hashOf([2, 0, 1]));
    notEqual(await hashOf([0, 1, 2]), await hashOf([0, 1]));
  });
});

Deno.test("openStore() opens a shard while another one begins the run", async () => {
  await withFolder(async (folder) => {
    const first = await openStore("run", smallHeader(), { folder, shard: { index: 1, of: 2 } });
    // The cut line takes longer to read than the other shard takes for its manifest and its first record.
    await Deno.mkdir(`${folder}/run`);
    await Deno.writeTextFile(`${folder}/run/records.2-of-2.jsonl`, `{"text":"${" ".repeat(2e7)}`);
    const opening = openStore("run", smallHeader(), { folder, shard: { index: 2, of: 2 } });
    await first.append(record());
    await first.sync();
    const second = await opening;
    await second.append(record({ index: 1 }));
    await Promise.all([first.close(), second.close()]);
    const { records } = await readRun("run", { folder });
    deepEqual(records.map(({ index }) => index), [0, 1]);
  });
});
