import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { fakeModel, withFolder } from "./_fakes.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { joinPrompt, type Model } from "@/lib/models/mod.ts";
import { checkStudy, openStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { readRun } from "@/lib/records/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { fitToServer } from "@/lib/asking/make_sample.ts";
import { remakeSample } from "@/lib/studies/open_study.ts";

/** A sample that is filled to a length in units of a few tokens. */
function sampleOf(nominal: number, unit = 7): Sample {
  const promptTokens = Math.floor((nominal - 100) / unit) * unit;
  return { length: nominal, promptTokens, answerRoom: 100, sha256: `${promptTokens}` } as unknown as Sample;
}

for (const factor of [0.6, 0.98, 1, 1.02, 1.34, 2.5]) {
  Deno.test(`fitToServer() fills a length where one of our tokens is ${factor} of the server's, never over`, async () => {
    for (const length of [512, 1000, 4096, 131_072]) {
      let counts = 0;
      const count = (sample: Sample): Promise<number> => {
        counts++;
        return Promise.resolve(Math.round(sample.promptTokens * factor) + 3);
      };
      const { sample, nominal } = await fitToServer({ length, make: (nominal) => sampleOf(nominal), count });
      const total = sample.promptTokens + sample.answerRoom;
      ok(total <= length && total > length - Math.max(16, length / 100) - 7 * factor, `${total} of ${length}`);
      equal(sample.length, length);
      // What a record keeps is enough to make it again.
      equal(sampleOf(nominal).sha256, sample.sha256);
      ok(counts <= 8, `${counts} counts`);
    }
  });
}

Deno.test("fitToServer() takes a sample as it is that does not change with its length", async () => {
  const make = (nominal: number): Sample => ({ ...sampleOf(1000), length: nominal });
  const { sample } = await fitToServer({ length: 500, make, count: () => Promise.resolve(900) });
  deepEqual([sample.promptTokens, sample.length], [900, 500]);
});

Deno.test("fitToServer() refuses a sample that is over at every length", async () => {
  let calls = 0;
  const make = (nominal: number): Sample => ({ ...sampleOf(nominal), sha256: `${calls++}` });
  await rejects(fitToServer({ length: 500, make, count: () => Promise.resolve(900) }), {
    name: "RangeError",
    message: /^Cannot fit the sample to the server's tokens as its length must be more than 500: /,
  });
});

/** A model whose server has a token for every three characters. */
function countingModel(): Model {
  return {
    ...fakeModel(),
    countTokens: ({ prompt }) => Promise.resolve(Math.ceil(joinPrompt(prompt).length / 3)),
  };
}

Deno.test("runStudy() fits samples to the server's count, and they are made again from the record alone", async () => {
  const study = checkStudy({
    tasks: ["niah_single_1", "niah_single_2"],
    lengths: [1024],
    samples: 2,
    tokenizer: "server",
  });
  await withFolder(async (folder) => {
    await runStudy(study, { name: "fitted", model: countingModel(), folder });
    const { manifest, records } = await readRun("fitted", { folder });
    equal(manifest.materials.tokenizer, "server (cl100k_base)");
    equal(records.length, 4);
    // Another machine without the server: the manifest and a record are enough.
    const opened = await openStudy(manifest.study);
    for (const record of records) {
      const { length, promptTokens, nominal } = record;
      equal(length, 1024);
      ok(promptTokens + 128 <= 1024 && promptTokens + 128 > 1024 - 50, `${promptTokens}`);
      match(record.sample, new RegExp(`/cl100k_base/base/${nominal}/`));
      const { isSame, sample, why } = remakeSample(record, { ...opened, template: manifest.template });
      ok(isSame, why);
      equal(Math.ceil(joinPrompt(sample.prompt).length / 3), promptTokens);
    }
  });
});

Deno.test("runStudy() breaks off where the server cannot count, and a fitted run resumes only as one", async () => {
  const study = checkStudy({ tasks: ["niah_single_1"], lengths: [1024], samples: 1, tokenizer: "server" });
  await withFolder(async (folder) => {
    for (
      const model of [fakeModel(), {
        ...fakeModel(),
        countTokens: () => Promise.resolve(undefined),
      }, simulatedModel("ideal")]
    ) {
      await rejects(runStudy(study, { name: "none", model, folder }), {
        name: "Error",
        message: /^Cannot count tokens by the server of model ".+" as it must answer \/tokenize/,
      });
    }
    await runStudy(study, { name: "fitted", model: countingModel(), folder });
    const plain = { ...study, tokenizer: "cl100k_base" };
    await rejects(runStudy(plain, { name: "fitted", model: countingModel(), folder }), {
      name: "RangeError",
      message: /its material tokenizer must be "server \(cl100k_base\)": current value is "cl100k_base"/,
    });
  });
});
