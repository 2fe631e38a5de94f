import { deepEqual, equal, match, throws } from "node:assert/strict";
import { code, notebook, prose, tagged } from "./_cells.ts";
import { isTagged } from "@/lib/jupyter/notebook.ts";
import { declaredParameters, injectParameters, parametersName, readParameters } from "@/lib/jupyter/parameters.ts";

const source = [
  'const model: string = "sim:ideal"; // a name',
  'const baseUrl = ""; // http://127.0.0.1:8000/v1, or empty',
  "const lengths = [4096, 8192]; // tokens",
  "const samples = 1_000; // per task",
  "const isLive = false;",
  "const half = 1 / 2;",
].join("\n");
const sample = notebook(prose("# Title"), tagged("parameters", source), code("model"));

Deno.test("declaredParameters() names what the tagged cell binds, each with its kind", () => {
  deepEqual(declaredParameters(sample), {
    model: "string",
    baseUrl: "string",
    lengths: "list",
    samples: "number",
    isLive: "boolean",
    half: "number",
  });
});

Deno.test("parametersName() is short and its own, however many models are named", () => {
  equal(parametersName({ run: "first", samples: 5 }), "run=first.samples=5");
  equal(parametersName({ baseUrl: "http://127.0.0.1:8000/v1" }), "endpoint");
  const models = Array.from({ length: 15 }, (_, at) => `organisation-${at}/a-model-with-a-long-name`);
  const names = [models, models.toReversed(), models.slice(1), [...models, "模型"], [...models, "型模"]].map((list) =>
    parametersName({ model: list.join(","), lengths: [4096] })
  );
  equal(new Set(names).size, names.length);
  names.forEach((name) => match(name, /^model=organisation-[\w.,=-]+-[0-9a-f]{12}$/));
  deepEqual(names.map(({ length }) => length), names.map(() => 100));
  equal(parametersName({ model: models.join(","), lengths: [4096] }), names[0]);
});

Deno.test("injectParameters() puts one tagged cell right after the parameters", () => {
  const { cells } = injectParameters(sample, { samples: "5", isLive: "true", lengths: "[512]" });
  equal(cells.length, 4);
  equal(cells[2]?.source, "const samples = 5;\nconst isLive = true;\nconst lengths = [512];");
  equal(isTagged(cells[2] ?? code(""), "injected-parameters"), true);
});

Deno.test("injectParameters() twice leaves one injected cell, the later one", () => {
  const once = injectParameters(sample, { samples: 5 });
  const { cells } = injectParameters(once, { samples: 7 });
  deepEqual(cells.filter((cell) => isTagged(cell, "injected-parameters")).map((cell) => cell.source), [
    "const samples = 7;",
  ]);
});

Deno.test("injectParameters() keeps text as text, whatever it looks like, and quotes what could end it", () => {
  equal(injectParameters(sample, { model: "42" }).cells[2]?.source, 'const model = "42";');
  equal(injectParameters(sample, { model: 'a"; throw 1; "' }).cells[2]?.source, 'const model = "a\\"; throw 1; \\"";');
});

Deno.test("injectParameters() refuses a name that the notebook does not declare", () => {
  throws(() => injectParameters(sample, { sampels: 5 }), {
    name: "RangeError",
    message:
      'Cannot set a parameter as its name must be one of model, baseUrl, lengths, samples, isLive, half: current value is "sampels"',
  });
});

Deno.test("injectParameters() refuses a value of another kind", () => {
  throws(() => injectParameters(sample, { samples: "many" }), {
    name: "TypeError",
    message: 'Cannot set samples as its value must be a number: current value is "many"',
  });
});

Deno.test("readParameters() gives the flags that were given and what is set, and nothing else", () => {
  deepEqual(readParameters({ model: "mine", models: "/own/models.yaml", set: ["samples=5"] }), {
    model: "mine",
    models: "/own/models.yaml",
    samples: "5",
  });
  deepEqual(readParameters({ model: undefined, baseUrl: undefined, set: undefined }), {});
});
