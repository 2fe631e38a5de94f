import { equal, match } from "node:assert/strict";
import { shell } from "./_shell.ts";

Deno.test("fathom plan prints sample sizes for one task and for the mean of 13, with the same and with different samples", async () => {
  const { code, out } = await shell("plan", "--difference", "5");
  equal(code, 0);
  match(out, /^Samples of each task, for each model, to find 5 points at a score of 85\.6\n/);
  match(out, /one task +921 +904 +642 +381\n/);
  match(out, /the mean of 13 tasks +71 +70 +50 +30\n/);
});

Deno.test("fathom plan --samples prints the interval to expect and the difference that so many find", async () => {
  const { code, out } = await shell("plan", "--samples", "10", "--score", "50");
  equal(code, 0);
  match(out, /^What 10 samples of each task tell at a score of 50: the 95% interval, and the points found\n/);
  match(out, /one task +±28\.8 +none +none +none +none\n/);
  match(out, /the mean of 13 tasks +±8\.5 +17\.8 +17\.6 +14\.9 +11\.5\n/);
});

Deno.test("fathom plan takes every option of the planner", async () => {
  const flags = [
    "--score",
    "95",
    "--tasks",
    "4",
    "--deviation",
    "20",
    "--power",
    "0.9",
    "--level",
    "0.99",
    "--comparisons",
    "6",
  ];
  const { code, out } = await shell("plan", "--difference", "2.5", ...flags);
  equal(code, 0);
  match(out, /in 90% of runs; found without being there in at most 1% of runs with 6 comparisons/);
  match(out, /the mean of 4 tasks/);
});

Deno.test.each(
  [
    [[], /as one of --difference and --samples must be given: current value is neither$/],
    [
      ["--difference", "5", "--samples", "9"],
      /as one of --difference and --samples must be given: current value is both$/,
    ],
    [
      ["--difference", "90"],
      /^fathom: Cannot plan samples as difference must be above 0 and at most the least score, 85\.6: current value is 90$/,
    ],
    [["--difference", "x"], /must be a number from 0 to 100/],
    [["--difference", "5", "--power", "0.2"], /as power must be in \(0\.5, 1\): current value is 0\.2$/],
  ] as const,
)("fathom plan %j says in one line what is wrong", async (flags, message) => {
  const { code, out, told } = await shell("plan", ...flags);
  equal(code, 2);
  equal(out, "");
  match(told.at(-1)!, message);
});
