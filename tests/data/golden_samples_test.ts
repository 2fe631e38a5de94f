import { deepEqual, equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { cases } from "../_cases.ts";
import { openFreshMaterials, openTestMaterials } from "../generators/_materials.ts";
import { makeSample as makeShortSample } from "../models/_ruler.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { identify } from "@/lib/generators/family.ts";
import type { Family, Sample, Task } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { PROFILE_NAMES } from "@/lib/simulated/mod.ts";
import { openProfile } from "@/lib/simulated/profiles.ts";
import { answerAs } from "@/lib/simulated/reader.ts";
import { ENCODING_NAMES, type EncodingName } from "@/lib/text/mod.ts";

// Every sample is a pure function of its recipe, so its text never changes within a version of its suite, and neither does its
// id. The files have tokens, hash of the text and hash of the id of a few samples of every task. To add those of a new task, or
// of a suite's new version: deno task record

const isUpdate = Deno.args.includes("--update");
const RECORD = "record them with `deno task record`";

/** A sample, by what it is made of. */
interface Golden {
  readonly name: string;
  readonly task: Task;
  readonly encoding: EncodingName;
  readonly length: number;
  readonly seed: string;
  readonly index: number;
  readonly templateName: string;
}

/**
 * Each named task in every encoding, at a length, seed and index of its own; then each knob at each of its other choices, and three
 * questions. An earlier version that knobs still make is listed too.
 */
function* listSamples(family: Family): Generator<Golden> {
  // Without tasks of its own it needs texts that do not come with Fathom.
  if (family.tasks.length === 0) return;
  const versions = [{}, ...(family.earlier === undefined ? [] : [family.earlier.knobs])];
  const named = family.tasks.flatMap((name) => versions.map((knobs) => ({ name, task: family.task(name, knobs) })));
  for (const { name, task } of named) {
    for (const [place, encoding] of ENCODING_NAMES.entries()) {
      const length = 8192 * 2 ** (place % 2) + place;
      yield { name, task, encoding, length, seed: `golden ${place}`, index: 7 * place, templateName: "base" };
    }
    yield { name, task, encoding: "cl100k_base", length: 8192, seed: "Ł", index: 1, templateName: "meta-chat" };
  }
  for (const [knob, { choices = [] }] of Object.entries(family.knobs)) {
    for (const choice of knob === "questions" ? [3] : choices.slice(1)) {
      for (const knobs of versions) {
        const task = tryMake(family, { ...knobs, [knob]: choice });
        if (task === undefined) continue;
        const name = `${family.name} ${knob}=${choice}`;
        yield { name, task, encoding: "cl100k_base", length: 16_384, seed: "42", index: 3, templateName: "base" };
      }
    }
  }
}

/** Makes a task with one knob turned; `undefined` where the family wants others turned with it. */
function tryMake(family: Family, knobs: Readonly<Record<string, string | number>>): Task | undefined {
  try {
    return family.make(knobs);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function makeSample({ task, encoding, length, seed, index, templateName }: Golden): Promise<Sample> {
  const [materials, template] = [await openTestMaterials(encoding), chatTemplate(templateName)];
  return task.sample({ length, seed, index, materials, template });
}

/** Leaves out samples of several turns in a template that has no text for them. */
function passOverTurns(error: Error): undefined {
  if (!error.message.startsWith("Cannot send a prompt of several turns")) throw error;
}

/** What is wrong with hashes, each by the name of its sample. */
function compare(golden: ReadonlyMap<string, string>, made: ReadonlyMap<string, string>): string[] {
  const changed = [...made].filter(([name, hash]) => golden.has(name) && golden.get(name) !== hash);
  const isIdAlone = (name: string): boolean => textPart(golden.get(name)!) === textPart(made.get(name)!);
  const added = [...made.keys()].filter((name) => !golden.has(name));
  const gone = [...golden.keys()].filter((name) => !made.has(name));
  return [
    ...changed.map(([name]) =>
      isIdAlone(name)
        ? `the id of "${name}" changed, its text did not: leave a new knob's default out of the id`
        : `the text of "${name}" changed: leave a new knob's default out of the seed path, or raise the suite's version (CHANGELOG.md)`
    ),
    ...added.map((name) => `"${name}" is not recorded: record it with \`deno task record\``),
    ...gone.map((name) => `"${name}" is recorded and no longer made`),
  ];
}

function textPart(recorded: string): string {
  return recorded.split(" ").slice(0, 2).join(" ");
}

/** What an update records: new samples are added, those no longer made dropped, and no recorded hash is ever changed. */
function update(golden: ReadonlyMap<string, string>, made: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...made].map(([name, hash]) => [name, golden.get(name) ?? hash]));
}

async function readGolden(path: URL): Promise<Map<string, string>> {
  const lines = await Deno.readTextFile(path).then((text) => text.trimEnd().split("\n"), () => []);
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" / ")), line.split(" / ").at(-1)!]));
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** Hashes of replies to the suites: runs and notebooks contain them. */
const REPLIES = new URL("simulated_replies.json", import.meta.url);
const replies: Record<string, string> = JSON.parse(await Deno.readTextFile(REPLIES));

function hashReplies(families: readonly Family[]): string {
  const hash = createHash("sha256");
  for (const task of families.flatMap((family) => family.tasks.map((name) => family.task(name)))) {
    const sample = makeShortSample(task, 8192);
    for (const profile of PROFILE_NAMES) {
      hash.update(JSON.stringify([sample.id, profile, answerAs(openProfile(profile), sample)]));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

for (const { name: benchmark, families } of BENCHMARKS.filter(({ tasks }) => tasks.length > 0)) {
  Deno.test(`${benchmark} makes the samples that it has always made`, async () => {
    const path = new URL(`golden_samples/${benchmark}.txt`, import.meta.url);
    const made = new Map<string, string>();
    for (const golden of families.flatMap((family) => [...listSamples(family)])) {
      const { name, encoding, length, index, templateName } = golden;
      const sample = await makeSample(golden).catch(passOverTurns);
      if (sample === undefined) continue;
      const { id, suite, promptTokens, sha256 } = sample;
      made.set(
        [suite, name, encoding, length, index, templateName].join(" / "),
        `${promptTokens} ${sha256.slice(0, 16)} ${shortHash(id)}`,
      );
    }
    const golden = await readGolden(path);
    const recorded = isUpdate ? update(golden, made) : golden;
    if (isUpdate) await Deno.writeTextFile(path, [...recorded].map(([name, hash]) => `${name} / ${hash}\n`).join(""));
    equal(compare(recorded, made).join("\n"), "");
    if (isUpdate && (golden.size === 0 || replies[benchmark] === undefined)) {
      replies[benchmark] = hashReplies(families);
      await Deno.writeTextFile(REPLIES, `${JSON.stringify(replies, null, 2)}\n`);
    }
  });

  Deno.test(`simulated readers give the replies to ${benchmark} that they have always given`, () => {
    equal(hashReplies(families), replies[benchmark], `raise SIMULATION_VERSION; those of a new suite: ${RECORD}`);
  });
}

Deno.test("data/least_lengths.json has the least length of every benchmark's own tasks in every encoding", async () => {
  const path = new URL("../../data/least_lengths.json", import.meta.url);
  const tasks = BENCHMARKS.flatMap(({ families }) => families)
    .flatMap((family) => family.tasks.map((name) => family.task(name)));
  const found: Record<string, Record<string, number>> = JSON.parse(await Deno.readTextFile(path));
  for (const encoding of isUpdate ? ENCODING_NAMES : cases(["cl100k_base"] as const, ENCODING_NAMES)) {
    const materials = await openFreshMaterials(encoding);
    found[encoding] = Object.fromEntries(tasks.map((task) => [identify(task), task.leastLength(materials)]));
  }
  if (isUpdate) await Deno.writeTextFile(path, `${JSON.stringify(found, null, 2)}\n`);
  deepEqual(JSON.parse(await Deno.readTextFile(path)), found, RECORD);
  deepEqual(Object.keys(found).sort(), [...ENCODING_NAMES].sort());
});

Deno.test("compare() tells a changed text or id from a new sample and one that is gone; update() changes no hash", () => {
  const golden = new Map([["vt", "4000 aa 1"], ["niah", "4000 ff 2"], ["cwe", "4000 bb 3"], ["fwe", "4000 cc 4"]]);
  const made = new Map([["vt", "4000 aa 1"], ["niah", "4000 ff 9"], ["cwe", "4000 dd 3"], ["qa_1", "4000 ee 5"]]);
  deepEqual(
    [...update(golden, made)],
    [["vt", "4000 aa 1"], ["niah", "4000 ff 2"], ["cwe", "4000 bb 3"], ["qa_1", "4000 ee 5"]],
  );
  equal(
    compare(golden, made).join("\n"),
    'the id of "niah" changed, its text did not: leave a new knob\'s default out of the id\n' +
      "the text of \"cwe\" changed: leave a new knob's default out of the seed path, or raise the suite's version (CHANGELOG.md)\n" +
      '"qa_1" is not recorded: record it with `deno task record`\n' +
      '"fwe" is recorded and no longer made',
  );
});
