import { equal, throws } from "node:assert/strict";
import { checkRunName } from "@/lib/runs/manifest.ts";

Deno.test.each(["a", "gpt-4.1_ruler", "Qwen3.5-122B", "2026"])("checkRunName() takes %s", (name) => {
  equal(checkRunName(name), name);
});

Deno.test.each(["", ".", "..", "../x", "a/b", "a\\b", "-x", ".hidden", "a b", "ä", "a\n", "x".repeat(101)])(
  "checkRunName() refuses %j",
  (name) => {
    throws(() => checkRunName(name), {
      name: "RangeError",
      message: /^Cannot name the run as its name must be 1 to 100 of .*: current value is "/,
    });
  },
);
