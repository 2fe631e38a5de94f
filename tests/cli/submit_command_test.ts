import { deepEqual, equal, match } from "node:assert/strict";
import { shell } from "./_shell.ts";

const ASKED = ["--slurm", "--tasks", "vt", "--lengths", "1K", "--samples", "3", "--name", "dry", "--dry-run"];

Deno.test("fathom submit --dry-run prints the scripts of the array and of the job that merges", async () => {
  const { code, out, told } = await shell(
    ...["submit", ...ASKED, "--partition", "gpu", "--qos", "low", "--account", "lab", "--time", "1-00:00:00"],
    ...["--max-workers", "32", "--sbatch=--gres=gpu:1", "--setup", "module load deno", "--no-preflight"],
    ...["--template", "base", "--benchmark", "docs/examples/word_at_depth.ts", "--temperature", "0.5"],
  );
  equal(code, 0, told.join());
  const [array, merge] = out.split(/^# .*\.sh$/m).slice(1).map((text) => text.trim().split("\n"));
  // Three samples are three shards at most.
  for (
    const option of [
      "--array=1-3",
      "--partition=gpu",
      "--qos=low",
      "--account=lab",
      "--time=1-00:00:00",
      "--gres=gpu:1",
      "--signal=B:TERM@60",
    ]
  ) {
    equal(array!.includes(`#SBATCH ${option}`), true, option);
  }
  match(
    array!.find((line) => line.includes("fathom run"))!,
    /^\S*deno task --quiet fathom run --tasks=vt --lengths=1K --samples=3 --no-preflight --template=base --benchmark=docs\/examples\/word_at_depth\.ts --temperature=0\.5 --name=dry --shard="\$SLURM_ARRAY_TASK_ID\/3" &$/,
  );
  match(
    merge!.at(-1)!,
    /^exec \S*deno task --quiet fathom merge dry --shards=3 --benchmark=docs\/examples\/word_at_depth\.ts$/,
  );
  equal(merge!.includes("module load deno"), true);
  equal(merge!.includes("#SBATCH --gres=gpu:1"), false);
});

Deno.test("words of fathom submit are quoted for the shell", async () => {
  const { out } = await shell(
    "submit",
    ...ASKED,
    "--max-workers",
    "1",
    "--model",
    "it's $HOME",
    "--base-url",
    "http://127.0.0.1:1/v1",
  );
  match(out, /'--model=it'\\''s \$HOME'/);
});

Deno.test("fathom submit writes no secret into a script", async () => {
  const refusals: [readonly string[], RegExp][] = [
    [["--header", "api-key: 123"], /--header must be left out/],
    [["--base-url", "http://me:word@host/v1"], /--base-url must hold no name, password or query/],
    [["--base-url", "http://host/v1?key=1"], /--base-url must hold no name, password or query/],
    [["--setup", "export OPENAI_API_KEY=abcdefgh123"], /no flag must have a key/],
  ];
  for (const [words, said] of refusals) {
    const { code, out, told } = await shell("submit", ...ASKED, ...words);
    deepEqual([code, out], [2, ""]);
    match(told.at(-1)!, said);
    for (const secret of ["123", "word@", "key=1"]) equal(told.join().includes(secret), false, secret);
  }
});

Deno.test("fathom submit refuses options that would end a line", async () => {
  for (const words of [["--partition", "a b"], ["--qos", "a\nrm"], ["--sbatch", "gres"], ["--sbatch", "--x\nrm"]]) {
    equal((await shell("submit", ...ASKED, ...words)).code, 2);
  }
});
