import { deepEqual, equal, match, ok } from "node:assert/strict";
import { shell, withCertificates, withRunName } from "./_shell.ts";
import { CERTIFICATES_FOLDER } from "@/lib/certify/design.ts";

const MEASURE = ["--measure", "answer-probability"];
const ASK = ["run", "--tasks", "niah_single_1,qa_1", "--lengths", "1024", "--samples", "6", ...MEASURE];

Deno.test("fathom run --measure prints the probabilities beside the scores, show lists their tokens, and compare pairs them", async () => {
  await withRunName(async (base) => {
    await withRunName(async (change) => {
      const { code, out } = await shell(...ASK, "--model", "sim:gpt-4", "--name", base);
      equal(code, 0);
      match(out, /\nsim:gpt-4: mean probability of the right answer, in percent\n/);
      equal((await shell(...ASK, "--model", "sim:yi-34b", "--name", change)).code, 0);
      const shown = await shell("show", base, "--task", "qa_1", "--length", "1024", "--index", "0");
      match(shown.out, /\nprobability +0\.\d+ of ".+", by token: .+ 0\.\d+\n/);
      const compared = await shell("compare", base, change, ...MEASURE);
      match(compared.out, /^Against sim:gpt-4: sim:yi-34b shows no loss \(−\d\.\d points \[/);
      const scores = await shell("compare", base, change);
      match(scores.out, /^Against sim:gpt-4: sim:yi-34b shows no difference \(0\.0 points \[/);
    });
  });
});

Deno.test("fathom compare --measure of a run that was asked without says how it is measured", async () => {
  await withRunName(async (name) => {
    const asked = ASK.filter((word) => !MEASURE.includes(word));
    equal((await shell(...asked, "--model", "sim:gpt-4", "--name", name)).code, 0);
    const { code, err } = await shell("compare", name, name, ...MEASURE);
    equal(code, 2);
    match(err.join("\n"), /`fathom run --measure answer-probability` measures it$/);
  });
});

const SMALL = [
  ...["certify", "--base", "a=sim:gpt-4", "--margin", "10", "--tasks", "niah_single_1,niah_multivalue,qa_1"],
  ...["--lengths", "1024", "--calibrate", "4", "--max-samples", "120", ...MEASURE],
];

Deno.test("fathom certify --measure decides by probabilities, shows the replies' scores, and reuses a base for another change", async () => {
  await withCertificates(2, async (first, second) => {
    const one = await shell(...SMALL, "--change", "b=sim:yi-34b", "--name", first!, "--json");
    equal(one.code, 0, one.err.join("\n"));
    const { verdict, byScore, headline, design } = JSON.parse(one.out);
    deepEqual([verdict, design.measure], ["no worse", "answer-probability"]);
    match(headline, /^b loses less than 10 points of the probability of the right answer against a: /);
    ok(byScore.high - byScore.low > 5);
    const other = await shell(...SMALL, "--change", "c=sim:mistral", "--name", second!, "--reuse", first!);
    equal(other.code, 0, other.err.join("\n"));
    match(other.out, /\nMeasure +the mean probability of the right answer\n/);
    match(other.out, /\nBy replies +their scores differ by .* this decides nothing here\n/);
    const { out, code } = await shell("verify", `${CERTIFICATES_FOLDER}/${second}`);
    equal(code, 0);
    match(out, / {2}checked: samples: \d+ texts made again have the same SHA-256, and the same right answers\n/);
    match(out, / {2}cannot be checked: that the replies and log-probabilities are those of the named models/);
    const base = await Deno.readTextFile(`${CERTIFICATES_FOLDER}/${second}/base/records.jsonl`);
    equal(
      base.slice(0, 2000),
      (await Deno.readTextFile(`${CERTIFICATES_FOLDER}/${first}/base/records.jsonl`)).slice(0, 2000),
    );
  });
});

Deno.test("fathom verify finds an answer whose probability was measured for another text", async () => {
  await withCertificates(1, async (name) => {
    equal((await shell(...SMALL, "--change", "b=sim:yi-34b", "--name", name!)).code, 0);
    const folder = `${CERTIFICATES_FOLDER}/${name}/change`;
    const text = await Deno.readTextFile(`${folder}/records.jsonl`);
    await Deno.writeTextFile(`${folder}/records.jsonl`, text.replace(/("answers":\[\{"text":")\d/, "$1x"));
    const { code, out } = await shell("verify", `${CERTIFICATES_FOLDER}/${name}`);
    equal(code, 1);
    match(out, / {2}wrong: change: /);
  });
});

Deno.test.each([
  [["--reuse", "none"], /^fathom: Cannot reuse the base of a certificate as its folder must hold certificate\.json/],
  [["--reuse", "none", "--again", "0"], /^fathom: Cannot reuse the replies of a base as --again must be above 0/],
] as [string[], RegExp][])("fathom certify %s is refused", async (more, message) => {
  await withCertificates(1, async (name) => {
    const { code, err } = await shell(...SMALL, "--change", "b=sim:yi-34b", "--name", name!, ...more);
    equal(code, 2);
    match(err.join("\n"), new RegExp(message.source, "m"));
  });
});

Deno.test("fathom certify --smoke ends with 0 and its power without a loss, with 1 where one is found", async () => {
  await withCertificates(2, async (none, loss) => {
    const flags = ["certify", "--base", "a=sim:gpt-4", "--smoke"];
    const same = await shell(...flags, "--change", "b=sim:gpt-4", "--self", "--name", none!);
    equal(same.code, 0, same.err.join("\n"));
    match(
      same.err.at(-1)!,
      /^No loss of b against a was found: .* on 48 pairs\. A loss of .* is found in \d+% of such tests$/,
    );
    const worse = await shell(...flags, "--change", "b=sim:longalpaca", "--name", loss!);
    equal(worse.code, 1, worse.err.join("\n"));
    match(worse.err.at(-1)!, /b loses /);
  });
});

Deno.test("fathom run --budget spreads tokens over the lengths, and refuses samples beside it", async () => {
  const flags = "run --tasks niah --lengths 1K,4K --budget 200K --model sim:ideal --dry-run".split(" ");
  const { code, err } = await shell(...flags);
  equal(code, 0);
  match(err.join("\n"), /^\d+ of \d+ questions to ask: (?:at most )?1\d\d,\d+ prompt tokens/m);
  const refused = await shell(...flags, "--samples", "3");
  deepEqual([refused.code, /must be left out: current value is 3$/.test(refused.err.join("\n"))], [2, true]);
});
