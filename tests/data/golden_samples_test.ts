import { equal } from "node:assert/strict";
import { openTestMaterials } from "../generators/_materials.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import type { Family, Materials, Sample, Task } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { ENCODING_NAMES, type EncodingName } from "@/lib/text/mod.ts";

// Every sample is a pure function of its recipe, so its text never changes within a version of its suite. Here stand the
// hashes of a few samples of every task. To record those of a new task, or of a suite's new version:
// deno test -A tests/data/golden_samples_test.ts -- --update

const isUpdate = Deno.args.includes("--update");
const opened = new Map<EncodingName, Promise<Materials>>();

/** Opens materials once for all benchmarks. */
function open(encoding: EncodingName): Promise<Materials> {
  const materials = opened.get(encoding) ?? openTestMaterials(encoding);
  opened.set(encoding, materials);
  return materials;
}

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

/** Each named task in every encoding, at a length, seed and index of its own; then each knob at each of its other choices. */
function* listSamples(family: Family): Generator<Golden> {
  for (const name of family.tasks) {
    const task = family.task(name);
    for (const [place, encoding] of ENCODING_NAMES.entries()) {
      const length = 8192 * 2 ** (place % 2) + place;
      yield { name, task, encoding, length, seed: `golden ${place}`, index: 7 * place, templateName: "base" };
    }
    yield { name, task, encoding: "cl100k_base", length: 8192, seed: "Ł", index: 1, templateName: "meta-chat" };
  }
  for (const [knob, { choices = [] }] of Object.entries(family.knobs)) {
    for (const choice of choices.slice(1)) {
      const task = tryMake(family, { [knob]: choice });
      if (task === undefined) continue;
      const name = `${family.name} ${knob}=${choice}`;
      yield { name, task, encoding: "cl100k_base", length: 16_384, seed: "42", index: 3, templateName: "base" };
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
  const [materials, template] = [await open(encoding), chatTemplate(templateName)];
  return task.sample({ length, seed, index, materials, template });
}

/** What is wrong with hashes, each by the name of its sample. */
function compare(golden: ReadonlyMap<string, string>, made: ReadonlyMap<string, string>): string[] {
  const changed = [...made].filter(([name, hash]) => golden.has(name) && golden.get(name) !== hash);
  const added = [...made.keys()].filter((name) => !golden.has(name));
  const gone = [...golden.keys()].filter((name) => !made.has(name));
  return [
    ...changed.map(([name]) => `the text of "${name}" changed: raise its suite's version, see CHANGELOG.md`),
    ...added.map((name) => `"${name}" is not recorded: record it with --update`),
    ...gone.map((name) => `"${name}" is recorded and no longer made`),
  ];
}

for (const { name: benchmark, families } of BENCHMARKS) {
  Deno.test(`${benchmark} makes the samples that it has always made`, async () => {
    const path = new URL(`golden_samples/${benchmark}.txt`, import.meta.url);
    const made = new Map<string, string>();
    for (const golden of families.flatMap((family) => [...listSamples(family)])) {
      const { name, encoding, length, index, templateName } = golden;
      const { suite, promptTokens, sha256 } = await makeSample(golden);
      made.set(
        [suite, name, encoding, length, index, templateName].join(" / "),
        `${promptTokens} ${sha256.slice(0, 16)}`,
      );
    }
    if (isUpdate) await Deno.writeTextFile(path, [...made].map(([name, hash]) => `${name} / ${hash}\n`).join(""));
    const lines = await Deno.readTextFile(path).then((text) => text.trimEnd().split("\n"), () => []);
    const golden = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" / ")), line.split(" / ").at(-1)!]));
    equal(compare(golden, made).join("\n"), "");
  });
}

Deno.test("compare() tells a changed text from a new one and from one that is gone", () => {
  const golden = new Map([["ruler-2 / vt", "4000 aa"], ["ruler-2 / cwe", "4000 bb"], ["ruler-2 / fwe", "4000 cc"]]);
  const made = new Map([["ruler-2 / vt", "4000 aa"], ["ruler-2 / cwe", "4000 dd"], ["ruler-2 / qa_1", "4000 ee"]]);
  equal(
    compare(golden, made).join("\n"),
    'the text of "ruler-2 / cwe" changed: raise its suite\'s version, see CHANGELOG.md\n' +
      '"ruler-2 / qa_1" is not recorded: record it with --update\n' +
      '"ruler-2 / fwe" is recorded and no longer made',
  );
});
