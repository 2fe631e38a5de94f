import { equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { findReady, named } from "./_project.ts";

const jupyter = await findReady("run");
const missing = { "Jupyter is not set up; deno task setup does it": jupyter === undefined };

Deno.test({
  name: named("a cell's reply that comes just before a line of ours is sent is read", missing),
  ignore: jupyter === undefined,
  fn: async () => {
    const script = fileURLToPath(new URL("fixtures/reply_beside.py", import.meta.url));
    const { stdout, stderr } = await new Deno.Command(jupyter!.python, { args: ["-B", script] }).output();
    const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
    equal(said, "reply to the cell\n");
  },
});
