import { equal, match, ok } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { shell } from "./_shell.ts";
import { nearestName, valueFirst } from "@/lib/cli/wrong_names.ts";

const TASK = "Cannot make the task as its name must be one of vt, cwe, fwe";

Deno.test.each([
  ["a near name", `${TASK}: current value is "vtt"`, `"vtt" is unknown; did you mean vt? ${TASK}`],
  ["no near name", `${TASK}: current value is "other"`, `"other" is unknown. ${TASK}`],
  [
    "a choice of a flag",
    "option '--rule <name>' argument 'stirct' is invalid. Allowed choices are published, strict.",
    '"stirct" is unknown; did you mean strict? --rule must be one of published, strict',
  ],
  [
    "a simulated reader",
    'Cannot open it as its name must be one of gpt-4, lwm: current value is "sim:gtp-4"',
    '"sim:gtp-4" is unknown; did you mean sim:gpt-4? Cannot open it as its name must be one of gpt-4, lwm',
  ],
  [
    "a list that a command has whole",
    'Cannot read the run as its name must be that of a recorded run (first, second and 3 more): current value is "x"',
    '"x" is unknown. Cannot read the run as its name must be that of a recorded run (first, second and 3 more: fathom report lists all)',
  ],
  [
    "more than twelve names",
    `Cannot make the tasks as each must be one of ${"abcdefghijklmno".split("").join(", ")}: current value is "x"`,
    '"x" is unknown. Cannot make the tasks as each must be one of a, b, c, d, e, f, g, h, i, j, k, l and 3 more: fathom tasks lists all',
  ],
] as [string, string, string][])("valueFirst() puts the value first for %s", (_, message, wanted) => {
  equal(valueFirst(message), wanted);
});

Deno.test.each([
  ["a range", 'Cannot plan as depth must be in [0, 1]: current value is "2"'],
  ["flags", 'Cannot certify as --change-run must be another run, or --self be given: current value is "first"'],
  ["a number", "Cannot pick a reply as its length must be one of 1K, 2K: current value is 4096"],
  [
    "a file without a likeness",
    'Cannot read as it must be YAML: current value is "/no/x" (there is nothing of that name)',
  ],
])("valueFirst() leaves %s as it is", (_, message) => equal(valueFirst(message), message));

Deno.test("nearestName() takes two neighbours that changed places for one mistake", () => {
  equal(nearestName("cew", ["vt", "cwe", "fwe"]), "cwe");
  equal(nearestName("gpt-4o-mnii", ["gpt-4.1-mini", "gpt-5-mini"]), "gpt-4.1-mini");
  equal(nearestName("foo", ["vt", "cwe", "fwe"]), undefined);
});

Deno.test.each(
  [
    ["a task", ["generate", "--tasks", "nihg_single_1", "--lengths", "1K"], "niah_single_1"],
    ["a benchmark", ["tasks", "bablilong"], "babilong"],
    ["a run", ["show", "measured/gemma-3-270m/rulre"], "measured/gemma-3-270m/ruler"],
    ["a task of a run", ["show", "measured/gemma-3-270m/mrcr", "--task", "mrcr_2_needels"], "mrcr_2_needles"],
    ["a knob", ["generate", "--tasks", "niah", "--lengths", "1K", "--set", "haystakc=noise"], "haystack"],
    ["the value of a knob", ["generate", "--tasks", "niah", "--lengths", "1K", "--set", "haystack=nosie"], "noise"],
    ["a choice of a flag", ["run", "--adaptive", "--rule", "contiguosu"], "contiguous"],
    ["an option of an endpoint", ["run", "--model", "m", "--api", "anthropci"], "anthropic"],
    ["a corpus", ["data", "fetch", "sqaud-dev-2.0"], "squad-dev-2.0"],
    ["an encoding", ["tasks", "vt", "--tokenizer", "cl10k_base"], "cl100k_base"],
    ["a chat template", ["tasks", "vt", "--chat-template", "meta-caht"], "meta-chat"],
    ["a simulated reader", ["run", "--model", "sim:idael"], "sim:ideal"],
    ["a study", ["plan", "data/studies/rulre.yaml"], "data/studies/ruler.yaml"],
    ["a study without its folder", ["run", "--study", "ruler"], "data/studies/ruler.yaml"],
  ] as const,
)("the name of %s with a slip is answered by the one that was meant, before any list", async (_, args, meant) => {
  const { code, err } = await shell(...args);
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
