import { equal, match, ok } from "node:assert/strict";
import { chainValues, variableNames } from "@/lib/benchmarks/ruler/variable_tracking.ts";
import { stream } from "@/lib/random/mod.ts";

Deno.test("variableNames() never makes a name that is part of another or of the prompt", () => {
  const prompt = "The grass is green. The sky is blue. VAR";
  const newName = variableNames(stream("names"), prompt);
  const names = Array.from({ length: 1200 }, (_, index) => newName(index < 400 ? 3 : 5));
  for (const [index, name] of names.entries()) {
    match(name, index < 400 ? /^[A-Z]{3}$/ : /^[A-Z]{5}$/);
    ok(!prompt.toUpperCase().includes(name), name);
    ok(!names.some((other, place) => place !== index && other.includes(name)), name);
  }
});

Deno.test("variableNames() finds room for names where short ones are scarce", () => {
  const newName = variableNames(stream("scarce"), "");
  equal(new Set(Array.from({ length: 5000 }, () => newName(3))).size, 5000);
});

Deno.test("chainValues() makes numbers from 10000 to 99998, none twice", () => {
  const newValue = chainValues(stream("values"));
  const values = Array.from({ length: 20_000 }, newValue);
  equal(new Set(values).size, 20_000);
  ok(values.every((value) => /^[1-9]\d{4}$/.test(value) && value !== "99999"));
});
