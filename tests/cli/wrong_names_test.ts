import { equal, match, ok } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { shell } from "./_shell.ts";
import { nearestName, valueFirst } from "@/lib/cli/wrong_names.ts";

const TASK = "Cannot make the task as its name must be one of vt, cwe, fwe";
const RUN = "Cannot read the run as its name must be that of a recorded run (first, second and 3 more";
const LETTERS = "a, b, c, d, e, f, g, h, i, j, k, l";

Deno.test.each([
  [`${TASK}: current value is "vtt"`, `"vtt" is unknown; did you mean vt? ${TASK}`],
  [`${TASK}: current value is "other"`, `"other" is unknown. ${TASK}`],
  [`${RUN}): current value is "x"`, `"x" is unknown. ${RUN}: fathom report lists all)`],
  [
    `Cannot make the tasks as each must be one of ${LETTERS}, m, n: current value is "x"`,
    `"x" is unknown. Cannot make the tasks as each must be one of ${LETTERS} and 2 more: fathom tasks lists all`,
  ],
  // Ranges, flags, numbers, and files without a likeness stay as they are.
  ...[
    'Cannot plan as depth must be in [0, 1]: current value is "2"',
    'Cannot certify as --change-run must be another run, or --self be given: current value is "first"',
    "Cannot pick a reply as its length must be one of 1K, 2K: current value is 4096",
    'Cannot read as it must be YAML: current value is "/no/x" (there is nothing of that name)',
  ].map((message) => [message, message]),
] as [string, string][])("valueFirst() of %s", (message, wanted) => equal(valueFirst(message), wanted));

Deno.test("nearestName() takes two neighbours that changed places for one mistake", () => {
  equal(nearestName("cew", ["vt", "cwe", "fwe"]), "cwe");
  equal(nearestName("gpt-4o-mnii", ["gpt-4.1-mini", "gpt-5-mini"]), "gpt-4.1-mini");
  equal(nearestName("foo", ["vt", "cwe", "fwe"]), undefined);
});

Deno.test.each([
  ["a task", "generate --tasks nihg_single_1 --lengths 1K", "niah_single_1"],
  ["a benchmark", "tasks rulre", "ruler"],
  ["a run", "show measured/gemma-3-270m/mrrc", "measured/gemma-3-270m/mrcr"],
  ["a task of a run", "show measured/gemma-3-270m/mrcr --task mrcr_2_needels", "mrcr_2_needles"],
  ["a knob", "generate --tasks niah --lengths 1K --set haystakc=noise", "haystack"],
  ["the value of a knob", "generate --tasks niah --lengths 1K --set haystack=nosie", "noise"],
  ["a choice of a flag", "run --adaptive --rule contiguosu", "contiguous"],
  ["an option of an endpoint", "run --model m --api anthropci", "anthropic"],
  ["a corpus", "data fetch sqaud-dev-2.0", "squad-dev-2.0"],
  ["an encoding", "tasks vt --tokenizer cl10k_base", "cl100k_base"],
  ["a chat template", "tasks vt --chat-template meta-caht", "meta-chat"],
  ["a simulated reader", "run --model sim:idael", "sim:ideal"],
  ["a study", "plan data/studies/kamrdat.yaml", "data/studies/kamradt.yaml"],
  ["a study without its folder", "run --study kamradt", "data/studies/kamradt.yaml"],
])("the name of %s with a slip is answered by the one that was meant, before any list", async (_, words, meant) => {
  const { code, err } = await shell(...words.split(" "));
  equal(code, 2);
  const [first] = err.at(-1)!.split("?");
  match(first!, /^fathom: (?:"[^"]+" is unknown|There is no "[^"]+"); did you mean [^ ]+$/);
  ok(first!.endsWith(` ${meant}`), err.at(-1));
});

Deno.test("a key of a study with a slip is answered too", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/own.yaml`, "tasks: [vt]\nlenghts: [1024]\n");
    const { err } = await shell("plan", `${folder}/own.yaml`);
    match(err.at(-1)!, /^fathom: "lenghts" is unknown; did you mean lengths\? Cannot read /);
  });
});
