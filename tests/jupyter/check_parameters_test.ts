import { equal, rejects } from "node:assert/strict";
import { declaredParameters, injectParameters } from "@/lib/jupyter/parameters.ts";
import { parseNotebook } from "@/lib/jupyter/notebook.ts";
import { checkParameters, type NotebookParameters } from "@/lib/jupyter/mod.ts";

const RIGHT = { model: "sim:gpt-4, mine", baseUrl: "", models: "", runs: "", lengths: [4096, 8192], samples: 4 };

Deno.test("checkParameters() accepts what the notebooks have", async () => {
  await checkParameters(RIGHT);
  await checkParameters({ ...RIGHT, model: "", runs: "mine" });
  await checkParameters({
    lengths: 16,
    longest: 128_000,
    baseUrl: "http://127.0.0.1:8080/v1",
    models: "data/models.yaml",
  });
});

Deno.test.each(
  [
    [{ samples: 0 }, /samples must be a whole number from 1: current value is 0/],
    [{ samples: 2.5 }, /samples must be a whole number from 1: current value is 2\.5/],
    [{ longest: -1 }, /longest must be a whole number from 1/],
    [{ lengths: [] }, /lengths must have at least one length: current value is \[\]/],
    [{ lengths: [4096, 4096] }, /lengths must differ: current value is \[4096, 4096\]/],
    [{ lengths: [4096, NaN] }, /lengths must be a whole number from 1/],
    [{ model: " " }, /model must name a model, or runs a recorded run/],
    [{ model: "sim:gpt4" }, /its name must be one of .*gpt-4.*: current value is "sim:gpt4"/],
    [{ further: "sim:none" }, /current value is "sim:none"/],
    [{ baseUrl: "localhost:8080" }, /baseUrl must be an http address or empty: current value is "localhost:8080"/],
    [{ models: "none.yaml" }, /models must be the path of a file: there is none at "none\.yaml"/],
  ] satisfies (readonly [NotebookParameters, RegExp])[],
)("checkParameters() refuses %j", async (wrong, message) => {
  await rejects(checkParameters({ ...RIGHT, ...wrong }), message);
});

Deno.test("every notebook checks its parameters where it binds them, and where others are injected", async () => {
  for (const { name } of Deno.readDirSync("notebooks")) {
    if (!name.endsWith(".ipynb")) continue;
    const notebook = parseNotebook(await Deno.readTextFile(`notebooks/${name}`));
    const checked = declaredParameters(notebook);
    if (checked["samples"] === undefined) continue;
    const cells = injectParameters(notebook, { samples: 2 }).cells.filter(({ source }) =>
      /^const samples/m.test(source)
    );
    equal(cells.filter(({ source }) => /\nawait checkParameters\(\{ .*samples.* \}\);$/.test(source)).length, 2, name);
  }
});
