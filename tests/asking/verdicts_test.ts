import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { openVerdicts, type Verdict } from "@/lib/asking/verdicts.ts";
import { verdictFile } from "@/lib/asking/mod.ts";

const JUDGE = { name: "judge", settings: { baseUrl: "http://a.example/v1", temperature: 0 } };
const VERDICT: Verdict = { text: "[[5]]", asked: 1, unread: null, origin: "measured" };

Deno.test("openVerdicts() finds again what the same model said at the same address with the same settings, and nothing else", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/run/judge.jsonl`;
    const open = (model: typeof JUDGE): ReturnType<typeof openVerdicts> => openVerdicts(path, { by: "judge", model });
    const first = await open(JUDGE);
    await first.keep("a", VERDICT);
    await first.close();
    const others: readonly (readonly [typeof JUDGE, boolean])[] = [
      [JUDGE, true],
      [{ ...JUDGE, settings: { temperature: 0, baseUrl: "http://a.example/v1" } }, true],
      [{ ...JUDGE, settings: { ...JUDGE.settings, baseUrl: "http://b.example/v1" } }, false],
      [{ ...JUDGE, settings: { ...JUDGE.settings, temperature: 1 } }, false],
      [{ ...JUDGE, name: "another" }, false],
    ];
    for (const [model, isFound] of others) {
      const verdicts = await open(model);
      deepEqual([verdicts.find("a")?.text, verdicts.find("b")], [isFound ? "[[5]]" : undefined, undefined]);
      await verdicts.close();
    }
  });
});

Deno.test("openVerdicts() lets one process at a time ask, so that no verdict is paid for twice", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/judge.jsonl`;
    const first = await openVerdicts(path, { by: "judge", model: JUDGE });
    await rejects(openVerdicts(path, { by: "judge", model: JUDGE }), {
      message: /^Cannot add to ".*judge\.jsonl" as one process at a time must write it: another one has it open$/,
    });
    await first.close();
    // Nothing was said, so nothing is left behind.
    await rejects(Deno.stat(path), Deno.errors.NotFound);
  });
});

Deno.test("openVerdicts() skips a line that is no verdict, and cuts off a torn one", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/judge.jsonl`;
    await Deno.writeTextFile(path, '{"by":"judge","model":"judge","about":"old","text":"[[1]]"}\n7\n{"by":"ju');
    const verdicts = await openVerdicts(path, { by: "judge", model: JUDGE });
    equal(verdicts.find("old"), undefined);
    await Promise.all(["a", "b"].map((about) => verdicts.keep(about, VERDICT)));
    await verdicts.close();
    const lines = (await Deno.readTextFile(path)).split("\n");
    deepEqual([lines.length, JSON.parse(lines[2]!).about], [5, "a"]);
  });
});

Deno.test("verdictFile() is beside the records of the run that is named, and nowhere else", () => {
  const options = { by: "judge", model: "a/b:c", folder: "/runs" } as const;
  equal(verdictFile("first", options), "/runs/first/judge-a-b-c.jsonl");
  equal(verdictFile("measured/gemma/ruler", options), "/runs/measured-gemma-ruler/judge-a-b-c.jsonl");
  match(verdictFile("./sent/run", options), /\/sent\/run\/judge-a-b-c\.jsonl$/);
});
