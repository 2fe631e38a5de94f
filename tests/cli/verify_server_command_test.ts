import { equal, match } from "node:assert/strict";
import { shell, spawn } from "./_shell.ts";

Deno.test("fathom verify-server prints its address, scores a reply and ends with Ctrl-C", async () => {
  const process = spawn(["verify-server", "--port", "0"]);
  const lines = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let out = "";
  while (!out.includes("\n")) out += (await lines.read()).value ?? "\n";
  const url = out.trim();
  match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const body = JSON.stringify({ task: "vt", references: ["A", "B"], reply: "A" });
  const response = await fetch(`${url}/verify`, {
    ...{ method: "POST", body },
    headers: { "content-type": "application/json" },
  });
  equal((await response.json()).score, 0.5);
  process.kill("SIGINT");
  await lines.cancel();
  await process.stderr.cancel();
  equal((await process.status).code, 0);
});

Deno.test("fathom verify-server refuses a tokenizer and a port that do not exist", async () => {
  equal((await shell("verify-server", "--tokenizer", "/no/such/file")).code, 2);
  equal((await shell("verify-server", "--port", "70000")).code, 2);
});
