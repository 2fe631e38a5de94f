import { deepEqual, equal } from "node:assert/strict";
import {
  correlationStudy,
  type ModelReplies,
  openPublished,
  publishedCorrelationStudy,
  studyStability,
} from "@/lib/benchmarks/ruler/mod.ts";
import type { RunRecord } from "@/lib/models/mod.ts";

const published = publishedCorrelationStudy(await openPublished());

function members(models: number, samples: number): readonly ModelReplies[] {
  return Array.from({ length: models }, (_, model) => ({
    model: `m${model}`,
    replies: ["vt", "vt_2_chains", "cwe", "fwe"].flatMap((task, place) =>
      [4096, 8192, 16_384].flatMap((length, step) =>
        Array.from({ length: samples }, (_, index) => {
          const value = 0.5 + 0.4 * Math.sin(place * 2 + model * 3 + step * (1 + place) + index / 9);
          return { task, length, value, failed: false, noAnswer: false, record: { index } as RunRecord };
        })
      )
    ),
  }));
}

Deno.test("studyStability() draws again what there is enough of", () => {
  const kindsOf = (models: number, samples: number) => {
    const asked = members(models, samples);
    const study = correlationStudy(asked, { published, seed: "1", replicates: 20 });
    return studyStability(asked, { study, seed: "1", replicates: 20 }).map(({ resample }) => resample);
  };
  deepEqual(kindsOf(3, 2), ["samples", "columns", "models"]);
  deepEqual(kindsOf(1, 2), ["samples", "columns"]);
  deepEqual(kindsOf(3, 1), []);
});

Deno.test("studyStability() of the samples is what the study says of itself", () => {
  const asked = members(3, 2);
  const study = correlationStudy(asked, { published, seed: "1", replicates: 50 });
  equal(
    studyStability(asked, { study, seed: "1", replicates: 50 })[0]?.withCategories.score,
    study.stability?.withCategories.score,
  );
});
