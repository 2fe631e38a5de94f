import { equal } from "node:assert/strict";
import fc from "fast-check";
import { ANY } from "../_characters.ts";
import { cleanPrediction } from "@/lib/scorers/mod.ts";
import { shapeOf } from "@/lib/scorers/first_answer.ts";

// Every expected value is what the reference's postprocess_pred gives in Python 3.11.
Deno.test.each([
  ["takes white space off both ends", "  1234567 \n", "1234567"],
  ["makes control characters line breaks", "a\tb\u0000c\u001bd", "a\nb\nc\nd"],
  ["makes a carriage return a line break of its own", "a\r\nb", "a\n\nb"],
  ["takes off what is white space to Python alone", "\u001c\u0085a\u001f\u0085", "a"],
  ["keeps the byte order mark, which is no white space to Python", "\uFEFFa\uFEFF", "\uFEFFa\uFEFF"],
  ["keeps control characters above U+001F", "a\u007f\u009fb", "a\u007f\u009fb"],
  ["takes off white space that control characters hid", "a \u0000 \u0001", "a"],
  ["gives nothing for white space alone", "\t\n\u3000\u2028", ""],
] as [string, string, string][])("cleanPrediction() %s", (_name, reply, want) => {
  equal(cleanPrediction(reply), want);
});

Deno.test.each([
  ["declared", ["12"], { shape: "text" }, "text"],
  ["narrowest that all have", ["12", "345"], {}, "number"],
  ["widest if one differs", ["12", "a b"], {}, "text"],
  ["widest without references", [], {}, "text"],
] as [string, string[], Parameters<typeof shapeOf>[1], string][])(
  "shapeOf() is the shape %s",
  (_name, references, scorer, want) => {
    equal(shapeOf(references, scorer), want);
  },
);

Deno.test("cleanPrediction() changes nothing the second time", () => {
  fc.assert(fc.property(fc.string({ unit: ANY }), (reply) => {
    const clean = cleanPrediction(reply);
    equal(cleanPrediction(clean), clean);
  }));
});
