import { deepEqual, equal, match, ok } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { process, shell } from "./_shell.ts";
import { NEEDLE_THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";

/** Makes the error for a value of a row. */
const refuse = (wanted: string): Error => new SyntaxError(wanted);

interface Row {
  readonly index: number;
  readonly input: string;
  readonly "answer_prefix": string;
  readonly outputs: readonly string[];
  readonly length: number;
}

const parse = (out: string): Row[] => out.trimEnd().split("\n").map((line) => JSON.parse(line));

Deno.test("fathom generate --set overrides what a study file sets, for other tasks than the file's too", async () => {
  const flags = ["--study", "data/studies/10-cdme.yaml", "--tasks", "cdme_en", "--lengths", "4K", "--samples", "1"];
  const { out, err } = await shell("generate", ...flags, "--set", "depths=5");
  match(JSON.parse(out).sample, /depths=5,/, err.join());
});

Deno.test("fathom generate prints rows with the reference's fields, filled to the length", async () => {
  const { code, out } = await shell("generate", "--task", "niah_single_2", "--length", "4096", "--samples", "3");
  equal(code, 0);
  const rows = parse(out);
  deepEqual(rows.map(({ index }) => index), [0, 1, 2]);
  for (const { input, answer_prefix: prefix, outputs, length } of rows) {
    ok(length <= 4096 && length >= 0.99 * 4096, `${length}`);
    ok(input.startsWith("A special magic number is hidden within the following text."));
    match(prefix, /^ The special magic number for .* mentioned in the provided text is$/);
    equal(input.split(outputs[0]!).length, 2);
  }
});

Deno.test("fathom generate prints the same bytes in a process of its own", async () => {
  const args = ["generate", "--task", "cwe,fwe,qa_1", "--length", "2048", "--samples", "2", "--seed", "7"];
  equal((await process(args)).out, (await shell(...args)).out);
});

Deno.test("fathom generate --out writes the lines it would print, and no other file", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/rows.jsonl`;
  const args = ["generate", "--task", "fwe", "--length", "512", "--samples", "2"];
  const { code, out, err } = await shell(...args, "--out", path);
  deepEqual([code, out, err], [0, "", [`${path}: 2 lines`]]);
  equal(await Deno.readTextFile(path), (await shell(...args)).out);
  deepEqual((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["rows.jsonl"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("fathom generate makes the same bytes in any number of threads, in one stream and in files", async () => {
  const args = ["generate", "--all", "--task", "niah_single_1,vt", "--length", "1K,2K", "--samples", "2"];
  const alone = await shell(...args, "--workers", "1");
  equal(parse(alone.out).length, 8);
  deepEqual(await shell(...args, "--workers", "3"), alone);
  const folder = await Deno.makeTempDir();
  const { err } = await shell(...args, "--workers", "1", "--out", `${folder}/`);
  deepEqual(err, [`${folder}/: 4 files`]);
  const first = await Deno.readTextFile(`${folder}/1024/data/niah_single_1/validation.jsonl`);
  ok(alone.out.startsWith(first));
  await Deno.remove(folder, { recursive: true });
});

Deno.test("fathom generate says in its own thread what went wrong in another", async () => {
  const { code, err } = await shell("generate", "--task", "vt", "--length", "100", "--workers", "2");
  deepEqual([code, err.length], [2, 1]);
  match(err[0]!, /^fathom: Cannot generate vt as length must be at least \d+ tokens: current value is 100$/);
});

Deno.test("fathom generate --study makes the samples of a study, which flags override", async () => {
  const path = await Deno.makeTempFile({ suffix: ".yaml" });
  await Deno.writeTextFile(path, "title: T\ntasks: [vt, fwe]\nlengths: [1024]\nsamples: 3\nseed: s\n");
  const { out } = await shell("generate", "--study", path, "--samples", "2");
  equal(out, (await shell("generate", "--task", "vt,fwe", "--length", "1K", "--samples", "2", "--seed", "s")).out);
  await Deno.remove(path);
});

Deno.test("fathom generate stops quietly when its pipe closes", async () => {
  const main = new URL("../../lib/cli/main.ts", import.meta.url).pathname;
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const line =
    `"${Deno.execPath()}" run -A --config "${config}" "${main}" generate --task fwe --length 1K --samples 5000 --workers 2 | head -c 10`;
  const { stdout, stderr, code } = await new Deno.Command("sh", { args: ["-c", line] }).output();
  deepEqual([new TextDecoder().decode(stdout), new TextDecoder().decode(stderr), code], ['{"index":0', "", 0]);
});

for (
  const [what, args, wanted] of [
    [
      "an unknown task",
      ["--task", "nope", "--length", "4096"],
      /^fathom: "nope" is unknown\. .* a benchmark \(ruler, .*\), a family \(niah, .* and \d+ more: fathom tasks lists all\), or a task /,
    ],
    ["no task", ["--length", "4096"], /there must be --tasks, --all or --study: current value is none/],
    ["no length", ["--task", "vt"], /there must be --lengths, --all or --study: current value is none/],
    ["two ways to say what", ["--all", "--study", "a.yaml"], /--all or --study, not both: current value is "a.yaml"/],
    [
      "several lengths where lines do not tell theirs",
      ["--task", "vt", "--length", "1K,2K", "--format", "reference"],
      /Cannot generate several lengths as --out must be a folder/,
    ],
    [
      "a folder in the place of a file",
      ["--task", "vt", "--length", "4096", "--out", new URL(".", import.meta.url).pathname.slice(0, -1)],
      /Cannot write the file as it must not be a folder \(with \/ at its end it is laid out .*: current value is ".*\/tests\/cli"$/,
    ],
    [
      "a folder for one file of a program",
      ["--task", "vt", "--length", "4096", "--format", "gym", "--out", "/dev/null/gym/"],
      /Cannot write the file as it must name a file, without \/ at its end: current value is "\/dev\/null\/gym\/"$/,
    ],
    [
      "an empty path, as of a variable that is not set",
      ["--task", "vt", "--length", "4096", "--out", ""],
      /Cannot use --out as it must be the path of a file or folder: current value is ""$/,
    ],
    [
      "a folder that cannot be written",
      ["--task", "vt", "--length", "4096", "--out", "/dev/null/rows.jsonl"],
      /Cannot write the file as its folder must be writable/,
    ],
  ] as [string, string[], RegExp][]
) {
  Deno.test(`fathom generate refuses ${what} in one line, with exit code 2 and nothing printed`, async () => {
    const { code, out, err } = await shell("generate", ...args);
    equal(code, 2);
    equal(out, "");
    equal(err.length, 1);
    match(err[0]!, wanted);
    ok(!err[0]!.includes("\n"));
  });
}

Deno.test("fathom generate --out refuses a link: what it points to stays as it is, and so does the link", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/kept.jsonl`, "precious");
    await Deno.symlink("kept.jsonl", `${folder}/link.jsonl`);
    const { code, err } = await shell("generate", "--task", "vt", "--length", "4096", "--out", `${folder}/link.jsonl`);
    equal(code, 2);
    match(err.join(), /it must be the file itself, not a symbolic link to it: current value is ".*link\.jsonl"$/);
    equal(await Deno.readTextFile(`${folder}/link.jsonl`), "precious");
  });
});

Deno.test("fathom generate --set reads \\n in a text as a line break, and \\\\n as a backslash and an n", async () => {
  const ask = ["--task", "cdme_original", "--length", "1000", "--set", "question=Where?", "--set", "guide=off"];
  for (
    const [written, planted] of [["\\nXYZ\\n", "\nXYZ\n"], ["a\\\\nb", "a\\nb"]] as [string, string][]
  ) {
    const { input } = JSON.parse((await shell("generate", ...ask, "--set", `needle=${written}`)).out);
    ok(input.includes(planted));
  }
});

Deno.test("fathom generate --format reference writes the lines of the authors' own test files, which can be asked again", async () => {
  const one = async (task: string, ...more: readonly string[]): Promise<Record<string, unknown>> => {
    const flags = ["--task", task, "--length", "2K", "--format", "reference", ...more];
    return JSON.parse((await shell("generate", ...flags)).out);
  };
  deepEqual(Object.keys(await one("vt")), [
    ...["index", "input", "outputs", "length", "length_w_model_temp", "answer_prefix", "token_position_answer"],
  ]);
  const row = await one("threading_multi_needle", "--set", "pairs=25", "--set", "needles=2");
  const [pairs, keys] = [JSON.parse(String(row["haystack"])), row["keys"] as string[]];
  deepEqual(keys.map((key) => pairs[key]), row["values"]);
  deepEqual([row["context_length"], row["num_kv_pairs"], Object.keys(pairs).length], [2000, 25, 25]);
  equal(NEEDLE_THREADING.testFiles!.read(row, refuse)!.length, 1200);
  const { code, err } = await shell("generate", "--task", "cdme_zh", "--length", "2K", "--format", "reference");
  equal(code, 2);
  match(err.join("\n"), /as the benchmark must have such files: current value is "cdme"/);
});
