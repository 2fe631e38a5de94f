import { deepEqual, equal } from "node:assert/strict";
import { type Repaired, repairJson } from "@/lib/benchmarks/counting_stars/json_repair.ts";

function plain(value: Repaired | undefined): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [key, plain(each)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

/** Broken JSON and what `json_repair.loads` 0.25.2 makes of it; `undefined` where it raises an error or never ends. */
const REPAIRED: readonly (readonly [string, unknown])[] = [
  ["[²]", undefined],
  ["[t\\1]", ["t1]"]],
  ["x [{}é", [{}, "é"]],
  ["[.,3/']", [".", 3, "]"]],
  ['{"a": ":":"}', { "a": ':":' }],
  ["{'a': [1, ]1", { "a": [1] }],
  ['[-false\n}"a５]', [false]],
  ['{"a": [}:"[]}', [{ "a": [] }, []]],
  ['{"a": "😀²"}"}', { "a": "😀²" }],
  ['{"a": b:3/}"}', { "a": "b:3/}" }],
  ['{"a": t"""５{}', { "a": "t" }],
  ['{"\n":..."": 2', { "empty_placeholder": "..." }],
  ['{"\\"true²"": 2', { "\\": "rue²", "empty_placeholder": 2 }],
  ['{"a": ",".,""}', { "a": "," }],
  ["{u3/\n,true: 1}", { "u3/": true }],
  ["{'a': [1, \"...", { "a": [1] }],
  ["{nx y²:u...: 1}", { "y²": "u...: 1" }],
  ['{"a": "😀",x y"}', { "a": '😀",x y' }],
  ["{'a': [1, e5\"...", { "a": [1, "e5"] }],
  ['{"{“,"\nfalse": 2', { "{“,": "alse" }],
  ['{"a": "b"é, "c": 3}', { "a": "b", "c": 3 }],
  ['{"a": "b:\\"2, "c": 3}', { "a": 'b:"2, "c' }],
  ['{"a": {"b": te5 3/"" ', { "a": { "b": "te5 3/" } }],
  ['{"a": ""NULLb""true{"}', { "a": "NULLb" }],
  ['{"a": "b"\nn[,", "c": 3}', { "a": 'b"\nn[,', "c": 3 }],
];

Deno.test("repairJson() gives what json_repair 0.25.2 gives", () => {
  for (const [text, value] of REPAIRED) deepEqual(plain(repairJson(text)), value, text);
});

Deno.test("repairJson() stops at lists more than 480 deep, never at long ones", () => {
  const nested = (levels: number): string => `${"[".repeat(levels)}x${"]".repeat(levels - 1)}`;
  equal(repairJson(nested(479)) === undefined, false);
  equal(repairJson(nested(481)), undefined);
  for (const entry of ["[1]", '{"a": 1}', "- 1", "1"]) {
    equal((repairJson(`[${Array(3000).fill(entry).join(", ")}`) as readonly unknown[]).length, 3000, entry);
  }
});
