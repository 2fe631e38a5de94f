import { equal } from "node:assert/strict";
import fc from "fast-check";
import { lengthText } from "@/lib/base/mod.ts";
import { lengthLabel } from "@/lib/figures/mod.ts";

Deno.test.each([
  [0, "0"],
  [512, "512"],
  [1000, "1,000"],
  [1024, "1K"],
  [1536, "1,536"],
  [4096, "4K"],
  [131072, "128K"],
  [200000, "200,000"],
  [204800, "200K"],
  [1000000, "1,000,000"],
  [1048576, "1M"],
  [2000000, "2,000,000"],
  [10071, "10,071"],
  [1200.5, "1,200.5"],
])("lengthLabel() writes %d as %s", (tokens, label) => {
  equal(lengthLabel(tokens), label);
});

Deno.test("lengthLabel() writes every length as tables do", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 3_000_000 }), (tokens) => {
    equal(lengthLabel(tokens), lengthText(tokens));
  }));
});
