import { equal, match, ok } from "node:assert/strict";
import { type CloseUp, closeUpTable, factTable } from "@/lib/runs/mod.ts";
import { outcomeTable, overviewTable } from "@/lib/runs/run_overview.ts";

const fact = {
  ...{ role: "target", key: "k", value: "v", depth: 0.123, tokenOffset: 99 },
  ...{ text: "<b>needle</b>", before: "a\nb", after: "c" },
} as const;
const shown = {
  reply: { task: "vt", length: 4096, record: { index: 7 } },
  facts: [fact, { ...fact, role: "noise", tokenOffset: null }],
  lines: [{ what: "Reply", said: "\u001b[31m<script>" }],
} as unknown as CloseUp;

Deno.test("closeUpTable() names task, length and sample, and nothing from a reply is markup or control", () => {
  const { title, html, text } = closeUpTable(shown, { origin: "measured" });
  equal(title, "vt at 4K, sample 7, from its recipe to its score");
  ok(html.includes("&lt;script&gt;") && !html.includes("<script>"));
  equal(text.includes("\u001b"), false);
});

Deno.test("factTable() shows depth, tokens and both sides of a fact, and says how many it leaves out", () => {
  const table = factTable(shown, { origin: "measured", most: 1 });
  equal(table?.title, "vt at 4K, sample 7: the text around 1 of 2 planted facts");
  match(table!.text, /target +12\.3 +99 +…a\\nb +<b>needle<\/b> +c…/);
  match(factTable(shown, { origin: "measured" })!.text, /noise +12\.3 +– +…a/);
});

Deno.test("factTable() is null where no fact has one place", () => {
  equal(factTable({ ...shown, facts: [] }, { origin: "measured" }), null);
});

Deno.test("overviewTable() and outcomeTable() keep what names hold from being markup", () => {
  const options = { title: "Asked", origin: "measured", n: 1 } as const;
  ok(overviewTable([{ what: "Model", said: "<i>" }], options).html.includes("&lt;i&gt;"));
  const outcome = { outcome: "failed call", means: "in no score", count: 2, share: 12.34, where: "" };
  match(outcomeTable([outcome], options).text, /failed call +2 +12\.3 +in no score +–/);
});
