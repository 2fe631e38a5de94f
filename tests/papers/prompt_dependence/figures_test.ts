import { equal, match } from "node:assert/strict";
import {
  type PromptDependence,
  promptDependence,
  promptDependenceChart,
  promptFactorTable,
} from "@/lib/papers/prompt_dependence/mod.ts";

const OPTIONS = { title: "By wording", origin: "simulated" } as const;

function dependence(grade: (wording: string, length: number, repeat: number) => number | null): PromptDependence {
  const tasks = { near: { options: { wording: "published" } }, far: { options: { wording: "distant" } } };
  const replies = (["near", "far"] as const).flatMap((task) =>
    [1000, 2000].flatMap((length) =>
      [0, 1, 2].map((repeat) => ({ task, length, value: grade(task, length, repeat), record: {} }))
    )
  );
  return promptDependence(replies, { tasks, seed: "1" });
}

Deno.test("promptDependenceChart() draws every source but noise, which it tells", async () => {
  const figure = promptDependenceChart(
    dependence((task, _, repeat) => (task === "near" ? 1 : 0.5) + 0.1 * repeat),
    OPTIONS,
  );
  const svg = "svg" in figure ? await figure.svg() : "";
  for (const source of ["wording", "length", "interactions"]) match(svg, new RegExp(`>${source}<`));
  equal(/>noise</.test(svg), false);
  match(figure.caption, /^Noise is the rest: \d+\.\d%\./);
  match(svg, /Simulated · 12 replies, 3 of each combination/);
});

Deno.test("promptDependenceChart() is the table where no grade differs from another", () => {
  const figure = promptDependenceChart(dependence(() => 1), OPTIONS);
  equal("svg" in figure, false);
  match(figure.caption, /^No grade differs from another/);
});

Deno.test("promptFactorTable() sets shares, groups and recalls, and tells what is missing", () => {
  const { text } = promptFactorTable(
    dependence((task, length, repeat) =>
      length === 1000 && repeat === 0 && task === "near" ? null : task === "near" ? 1 : 0.6
    ),
    OPTIONS,
  );
  match(text, /12 replies, 3 of each combination, 1 missing · 95% interval in brackets/);
  match(text, /wording +100\.0 \[100\.0, 100\.0\] +published 100\.0; distant 60\.0/);
  match(text, /the prompt +100\.0/);
});

Deno.test("promptFactorTable() writes a needle of one's own as text", () => {
  const told = dependence((task) => task === "near" ? 1 : 0.6);
  const factors = told.factors.map((factor) => ({
    ...factor,
    levels: factor.levels.map((one) => ({ ...one, level: "<b>" })),
  }));
  const { html } = promptFactorTable({ ...told, factors }, OPTIONS);
  match(html, /&lt;b/);
});
