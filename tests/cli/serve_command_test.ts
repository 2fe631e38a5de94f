import { deepEqual, equal, match } from "node:assert/strict";
import { shell, spawn } from "./_shell.ts";

Deno.test("fathom serve says in one line that a port is taken, and with FATHOM_DEBUG where that came from", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  const line = `fathom: Cannot serve as port must be free: current value is ${port}`;
  const plain = await shell("serve", "--port", `${port}`);
  deepEqual([plain.code, plain.out, plain.told], [1, "", [line]]);
  Deno.env.set("FATHOM_DEBUG", "1");
  try {
    const { told } = await shell("serve", "--port", `${port}`);
    equal(told[0], line);
    match(told[1]!, /serve_command\.ts:\d+/);
  } finally {
    Deno.env.delete("FATHOM_DEBUG");
  }
});

Deno.test("fathom serve prints its address, says in every reply what it is, and ends at Ctrl-C", async () => {
  const server = spawn(["serve", "--profile", "ideal", "--port", "0"]);
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const url = (await reader.read()).value!.trim();
  match(url, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  const { data } = await (await fetch(`${url}/models`)).json();
  deepEqual(data.map((model: { owned_by: string }) => model.owned_by), ["simulated"]);
  const body = JSON.stringify({ model: "ideal", messages: [{ role: "user", content: "Hello" }] });
  const reply = await (await fetch(`${url}/chat/completions`, { method: "POST", body })).json();
  match(reply.system_fingerprint, /^simulated-/);
  server.kill("SIGINT");
  await server.stderr.cancel();
  await reader.cancel();
  equal((await server.status).code, 0);
});
