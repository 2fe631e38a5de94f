import { equal, match, ok } from "node:assert/strict";
import { replyCountTable, twinRows, twinTable } from "@/lib/benchmarks/cdme/mod.ts";

const COUNT = {
  task: "cdme_zh",
  length: 4000,
  asked: 20,
  answers: 14,
  empty: 1,
  refusals: 3,
  otherLanguage: 2,
  failed: 0,
};

Deno.test("replyCountTable() has a column for each kind of reply and says how many were asked", () => {
  const shown = replyCountTable([COUNT, { ...COUNT, length: 32_000 }], { title: "Kinds", origin: "simulated" });
  match(shown.text, /cdme_zh +4,000 +20 +14 +1 +3 +2 +0/);
  match(shown.text, /cdme_zh +32,000 /);
  match(shown.note, /Simulated · 40 questions/);
});

Deno.test("twinTable() shows means, difference with its interval, and which language is higher", () => {
  const of = (task: string, index: number, value: number, length: number): Parameters<typeof twinRows>[0][number] => (
    { task, length, failed: false, noAnswer: false, value, record: { index, seed: "42" } }
  );
  const replies = Array.from({ length: 12 }, (_, index) => [
    of("zh", index, 1, 4000),
    of("en", index, 0, 4000),
    of("zh", index, 0.5, 8192),
    of("en", index, 0.5, 8192),
  ]).flat();
  const rows = twinRows(replies, { first: "zh", second: "en" });
  const shown = twinTable(rows, { title: "Twins", origin: "measured", names: ["Chinese", "English"] });
  const [, higher, same] = /(.*100\.0.*)\n(.*50\.0.*)/.exec(shown.text)!;
  ok(higher!.trimEnd().endsWith("Chinese") && same!.trimEnd().endsWith("none"));
  match(higher!, /4,?000|4K/);
  match(same!, /8K +12 +50\.0 +50\.0 +0\.0 \[/);
  equal(shown.note, "Measured · 24 pairs · 95% interval of the difference in brackets");
});
