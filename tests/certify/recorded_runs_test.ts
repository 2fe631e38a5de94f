import { deepEqual, equal, throws } from "node:assert/strict";
import { smallHeader, withFolder } from "../asking/_fakes.ts";
import type { Model, ModelSettings, Reply, ServerReport } from "@/lib/models/mod.ts";
import { checkSettings } from "@/lib/certify/arms.ts";
import type { ArmServer } from "@/lib/certify/design.ts";
import { type CertificateRuns, readCertificateRuns } from "@/lib/certify/mod.ts";
import {
  findServers,
  noteServerChanges,
  replyChanges,
  serverChanges,
  serverDifferences,
  watchArms,
} from "@/lib/certify/servers.ts";
import type { RunRecord } from "@/lib/records/mod.ts";
import type { RunHeader } from "@/lib/studies/mod.ts";

const NAMES = { base: { name: "f16" }, change: { name: "q4" } };
const SERVER = { address: "a:1/v1", software: "llama.cpp b1", model: "m", weights: "/m.gguf" };

Deno.test("serverDifferences() names each fact that both servers gave and that differs", () => {
  const now = { address: "b:1/v1", software: "llama.cpp b2", model: "n", weights: "/n.gguf" };
  const same = { base: SERVER, change: SERVER };
  deepEqual(serverDifferences(NAMES, same, same), []);
  for (const [fact, is] of Object.entries(now)) {
    const was = SERVER[fact as keyof typeof SERVER];
    const text = (arm: string): string => `the server of ${arm} changed: its ${fact} was ${was} and then ${is}`;
    deepEqual(serverDifferences(NAMES, same, { base: SERVER, change: { ...SERVER, [fact]: is } }), [text("q4")]);
    deepEqual(serverDifferences(NAMES, same, { base: { [fact]: is }, change: {} }), [text("f16")]);
    deepEqual(serverDifferences(NAMES, { base: {}, change: {} }, { base: { [fact]: is }, change: now }), []);
  }
  equal(serverDifferences(NAMES, same, { base: now, change: now }).length, 8);
});

Deno.test("findServers() knows the address that a model is asked at, and what its server reports of itself", async () => {
  const modelOf = (report?: Partial<ServerReport>, settings = {}): { model: Pick<Model, "settings" | "probe"> } => ({
    model: { settings, ...(report && { probe: () => Promise.resolve({ report: report as ServerReport }) }) },
  });
  const report = { software: "vLLM 0.11", served: ["m"], weights: "/m.gguf" };
  deepEqual(await findServers({ base: modelOf(report, { baseUrl: "http://a/v1" }), change: modelOf() }), {
    base: { address: "http://a/v1", software: "vLLM 0.11", model: "m", weights: "/m.gguf" },
    change: {},
  });
  // Which of several models it is, a server does not report.
  const several = await findServers({ base: modelOf({ served: ["m", "n"] }), change: modelOf({ served: [] }) });
  deepEqual(several, { base: {}, change: {} });
});

/** Runs whose first one of each arm was asked at an address. */
function earlierAt(address: string | undefined, changes: readonly string[] = []): CertificateRuns {
  const run = { manifest: { settings: address === undefined ? {} : { baseUrl: address } } };
  const runs = address === undefined ? {} : { calibration: run, change: run };
  return { changes, runs } as unknown as CertificateRuns;
}

Deno.test("serverChanges() adds to earlier changes how servers differ, and refuses another address", () => {
  const arm = (server: ArmServer) => ({ name: "x", model: "m", server });
  const before = { base: arm(SERVER), change: arm(SERVER) };
  const servers = { base: SERVER, change: { ...SERVER, software: "llama.cpp b2" } };
  const changed = "the server of q4 changed: its software was llama.cpp b1 and then llama.cpp b2";
  const given = { arms: NAMES, earlier: earlierAt(undefined, ["earlier"]), before, servers };
  deepEqual(serverChanges("x", given), ["earlier", changed]);
  // Designs of earlier versions have no servers, but their runs have addresses.
  const old = { base: { name: "x", model: "m" }, change: { name: "x", model: "m" } };
  for (const design of [old, undefined]) {
    deepEqual(serverChanges("x", { ...given, before: design, earlier: earlierAt("a:1/v1") }), []);
    deepEqual(serverChanges("x", { ...given, before: design, earlier: earlierAt(undefined) }), []);
    throws(() => serverChanges("x", { ...given, before: design, earlier: earlierAt("c:1/v1") }), RangeError);
  }
  throws(() => serverChanges("x", { ...given, servers: { ...servers, change: { address: "b:1/v1" } } }), {
    name: "RangeError",
    message: 'Cannot resume the certificate in "x" as q4 must be at a:1/v1, as before: current value is b:1/v1; ' +
      "a command without --name asks the servers that run now",
  });
});

function answer(servedModel?: string, fingerprint?: string): Reply {
  const facts = { ...(servedModel && { servedModel }), ...(fingerprint && { fingerprint }) };
  return { kind: "answer", text: "", finishReason: "stop", latencyMs: 1, attempts: 1, ...facts };
}

const FAILED = { ...answer("z"), kind: "failure" } as Reply;
const MODEL_CHANGED = "the server of f16 changed: its served model was m and then n";
const BUILD_CHANGED = "the server of f16 changed: its fingerprint was b1 and then b2";

Deno.test.each([
  ["none", [], []],
  ["equal facts", [answer("m", "b1"), answer("m", "b1")], []],
  ["facts that one lacks", [answer("m"), answer(undefined, "b1"), answer("m", "b1")], []],
  ["a failed call, which has no server", [answer("m"), FAILED], []],
  ["another model", [answer("m"), answer("n")], [MODEL_CHANGED]],
  ["another one twice, and back", [answer("m"), answer("n"), answer("n"), answer("m")], [MODEL_CHANGED]],
  ["another build", [answer("m", "b1"), answer("m", "b2")], [BUILD_CHANGED]],
  ["both", [answer("m", "b1"), answer("n", "b1"), answer("m", "b2")], [MODEL_CHANGED, BUILD_CHANGED]],
] as [string, Reply[], string[]][])("replyChanges() of %s", (_name, replies, wanted) => {
  const records = replies.map((reply, at) => ({ reply, time: `2026-01-0${at + 1}` }) as RunRecord);
  deepEqual(replyChanges("f16", records), wanted);
  // Records are in the order of the plan; their times count.
  deepEqual(replyChanges("f16", records.toReversed()), wanted);
});

Deno.test("watchArms() compares replies with the first that each arm has recorded, in all of its runs", () => {
  const runOf = (...replies: readonly Reply[]) => ({ records: replies.map((reply) => ({ reply })) });
  const design = NAMES as unknown as Parameters<typeof watchArms>[0];
  for (const name of ["calibration", "base", "again"]) {
    const runs = { [name]: runOf(FAILED, answer("m")), change: runOf(answer("c", "b1")) };
    const watch = watchArms(design, { runs } as unknown as CertificateRuns);
    deepEqual([watch.base(answer("m")), watch.base(answer("n"))], [undefined, MODEL_CHANGED]);
    equal(watch.change(answer("d")), "the server of q4 changed: its served model was c and then d");
    equal(watch.change(answer("c", "b1")), undefined);
  }
  const fresh = watchArms(design, { runs: {} });
  deepEqual([fresh.base(answer("m")), fresh.base(answer("n"))], [undefined, MODEL_CHANGED]);
});

Deno.test("readCertificateRuns() of a folder without runs has the changes that were noted, and no times", async () => {
  await withFolder(async (folder) => {
    await noteServerChanges(folder, ["one", "two"]);
    await noteServerChanges(folder, ["three\u001b[2J"]);
    const { runs, faults, notes, recorded, changes } = await readCertificateRuns(folder, undefined);
    deepEqual([runs, faults, notes, recorded], [{}, [], [], { count: 0, from: "", to: "" }]);
    deepEqual([changes.length, changes.slice(0, 2), changes[2]!.includes("\u001b")], [3, ["one", "two"], false]);
  });
});

Deno.test("checkSettings() refuses settings that differ, but for the model's own and those that are the change", () => {
  const given = { model: "a", baseUrl: "http://a", profile: "p", temperature: 0, thinkingTokens: 9 };
  const base = smallHeader({ model: "a", settings: given });
  const of = (changes: ModelSettings): RunHeader => smallHeader({ model: "b", settings: { ...given, ...changes } });
  checkSettings(base, of({ baseUrl: "http://b", profile: "q" }), []);
  checkSettings(base, of({ temperature: 1, thinkingTokens: 8 }), ["thinkingTokens", "temperature"]);
  throws(() => checkSettings(base, of({ temperature: 1, thinkingTokens: 8 }), ["temperature"]), {
    name: "RangeError",
    message: "Cannot compare base and change as they must be asked with the same settings, unless --differs names " +
      "thinkingTokens as the change: current value of setting thinkingTokens is 9 and 8",
  });
  throws(() => checkSettings(base, of({ temperature: 1, thinkingTokens: 8 }), ["Tokens"]), /temperature, thinking/);
});
