import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { makeSample } from "../models/_ruler.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { SIMULATION_VERSION } from "@/lib/simulated/reader.ts";

Deno.test("simulatedModel() answers as any model does, under a name and origin that say what it is", async () => {
  const model = simulatedModel("sim:ideal");
  const sample = makeSample(rulerTask("niah_single_2"), 1024);
  equal(model.name, "sim:ideal");
  equal(model.origin, "simulated");
  deepEqual(model.template, PLAIN_TEMPLATE);
  deepEqual(model.settings, { profile: "ideal", simulation: SIMULATION_VERSION });
  deepEqual(await model.ask(sample), {
    kind: "answer",
    text: sample.references[0],
    finishReason: "stop",
    latencyMs: 0,
    attempts: 1,
  });
});

Deno.test("simulatedModel() gives the same replies whatever the order and number of calls at once", async () => {
  const model = simulatedModel("chatglm");
  const samples = [0, 1, 2, 3, 4].map((index) => makeSample(rulerTask("vt"), 4096, index));
  const together = await Promise.all(samples.map((sample) => model.ask(sample)));
  const apart = [];
  for (const sample of samples.toReversed()) apart.unshift(await simulatedModel("chatglm").ask(sample));
  deepEqual(together, apart);
});

Deno.test("simulatedModel() refuses a profile that there is not", async () => {
  throws(
    () => simulatedModel("sim:gpt-9"),
    /^RangeError: Cannot open the profile as its name must be one of ideal, mute,/,
  );
  await rejects(Promise.resolve().then(() => simulatedModel("")), RangeError);
});
