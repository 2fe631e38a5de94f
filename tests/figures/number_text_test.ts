import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { numberText } from "@/lib/figures/text_fit.ts";

Deno.test.each([
  [0, "0"],
  [-0, "0"],
  [100, "100"],
  [131072, "131,072"],
  [-1234567, "-1,234,567"],
  [96.64, "96.6"],
  [1234.56, "1,234.6"],
  [3.14159, "3.14"],
  [0.1 + 0.2, "0.3"],
  [0.87349, "0.873"],
  [-0.5, "-0.5"],
  [0.0000001, "1.00e-7"],
  [1e20, "1.00e+20"],
])("numberText() writes %d as %s", (value, text) => {
  equal(numberText(value), text);
});

Deno.test("numberText() is within 5 in a hundred of any number, and a few characters long", () => {
  fc.assert(fc.property(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), (value) => {
    const text = numberText(value);
    ok(Math.abs(Number(text.replaceAll(",", "")) - value) <= Math.abs(value) * 0.05, text);
    ok(text.length <= 22, text);
  }));
});
