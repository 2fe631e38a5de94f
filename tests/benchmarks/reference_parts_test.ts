import { equal, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../generators/_materials.ts";
import { listFamilies } from "@/lib/benchmarks/mod.ts";
import { type Answerable, checkReferences, type Scorer } from "@/lib/scorers/mod.ts";
import { referenceFault } from "@/lib/scorers/reference_parts.ts";

const materials = await openTestMaterials("cl100k_base");

/** Whether references without one of them are those of another sample, as of a list of values that is one shorter. */
function isShorterList({ parts }: Scorer, references: readonly string[], at: number): boolean {
  if (parts === undefined) return references.length > 1;
  if (parts.several === undefined || parts.lacks !== undefined) return false;
  const isRepeated = parts.several === "last"
    ? at >= parts.names.length - 1
    : at <= references.length - parts.names.length;
  return isRepeated && references.length > parts.names.length;
}

for (const family of listFamilies()) {
  Deno.test(`scorers give no score to samples of ${family.name} whose references lack a part`, () => {
    for (const name of family.tasks) {
      const task = family.task(name);
      const { scorer } = task;
      const sample = task.sample({ length: task.leastLength(materials), seed: "42", index: 0, materials });
      const { references, distractors } = sample;
      const replies = ["nonsense", "", "The hallway is best.", ...references];
      equal(referenceFault(scorer, sample), null, name);
      const refuse = (item: Answerable): void => {
        throws(() => checkReferences(scorer, item, "it"), RangeError, `${name}: ${JSON.stringify(item)}`);
        for (const reply of replies) equal(scorer.grade(reply, item).score.value, null, name);
      };
      if (scorer.needsDistractors) refuse({ references });
      for (const at of references.keys()) {
        refuse({ ...sample, references: references.with(at, " ") });
        const short: Answerable = {
          references: references.toSpliced(at, 1),
          ...(distractors === undefined ? {} : { distractors: distractors.toSpliced(at, 1) }),
        };
        if (isShorterList(scorer, references, at)) {
          const [fewer, all] = [short, sample].map((item) => scorer.grade("nonsense", item).score.value!);
          ok(fewer! <= all!, name);
        } else if (references.length > 1) refuse(short);
        else {for (const reply of replies) {
            equal(scorer.grade(reply, short).score.value, scorer.allowsEmpty ? 0 : null);
          }}
      }
    }
  });
}
