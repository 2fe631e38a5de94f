import { deepEqual, equal, match } from "node:assert/strict";
import { llamaCpp, lookServer, vllm } from "../models/_look_servers.ts";
import { shell } from "./_shell.ts";

Deno.test("fathom doctor --model prints what the server can do", async () => {
  await using server = lookServer(llamaCpp());
  const { code, out, err } = await shell("doctor", "--model", "smollm2", "--base-url", server.url);
  equal(code, 0);
  deepEqual(err, []);
  const [first, ...rest] = out.trimEnd().split("\n");
  match(rest.pop()!, /^Speed +reads at least [\d,]+ tokens a second, writes at least [\d,]+$/);
  match(first!, /^Server +http:\/\/127\.0\.0\.1:\d+\/v1, llama\.cpp b11434-1a2b3c4$/);
  deepEqual(rest, [
    "Model              smollm2: served",
    "Window             8,192 tokens",
    "Around a prompt    30 tokens of the server's own, taken off each length",
    "Replies            whole: the server does not stream with token counts",
    "Log-probabilities  none",
    "Tokens             counted by the server; not compared with local ones",
  ]);
  const given = await shell("doctor", "--model", "smollm2", "--base-url", server.url, "--template-tokens", "9");
  match(given.out, /^Around a prompt +30 tokens of the server's own$/m);
  match(given.out, /^Warning: The server adds 30 tokens to each prompt, of which lengths count 9: a new run counts/m);
});

Deno.test("fathom doctor --model --tasks says which lengths fit, in the model's own tokens", async () => {
  await using server = lookServer(llamaCpp({ window: 700 }));
  const whom = ["doctor", "--model", "smollm2", "--base-url", server.url, "--tasks", "niah_single_1"];
  const fits = await shell(...whom, "--lengths", "512");
  equal(fits.code, 0);
  match(fits.out, /^Tokens +counted by the server; one of cl100k_base is 0\.\d\d of the model's$/m);
  const { code, err } = await shell(...whom, "--lengths", "512,4K");
  equal(code, 2);
  equal(err.length, 1);
  match(
    err[0]!,
    /^fathom: .* its server's window of 700 tokens: .* Lengths up to \d+ fit these tasks; a larger window/,
  );
});

Deno.test("fathom doctor --model says in one line that nobody answers, and which models are served instead", async () => {
  const dead = await shell("doctor", "--model", "m", "--base-url", "http://127.0.0.1:9/v1");
  deepEqual([dead.code, dead.out, dead.err.length], [2, "", 1]);
  match(dead.err[0]!, /^fathom: Cannot ask model "m" as its endpoint must be reachable: /);
  const unknown = (): Response => Response.json({ message: "The model `m` does not exist." }, { status: 404 });
  await using server = lookServer({ ...vllm(), "/v1/chat/completions": unknown });
  const { code, out, err } = await shell("doctor", "--model", "m", "--base-url", server.url);
  equal(code, 2);
  match(out, /^Model +m: not among those served \(Qwen\/Qwen3-8B\)$/m);
  match(err.at(-1)!, /does not exist.*; it serves Qwen\/Qwen3-8B$/);
});

Deno.test("fathom doctor says of a simulated reader that it has no server", async () => {
  const { code, out, err } = await shell("doctor", "--model", "sim:ideal");
  deepEqual([code, out, err], [0, "", ["sim:ideal is simulated and has no server"]]);
});

Deno.test("fathom run --dry-run looks at a server that is there without a question, and does without one that is not", async () => {
  await using server = lookServer(llamaCpp({ window: 700 }));
  const ask = ["run", "--tasks", "niah_single_1", "--samples", "1", "--dry-run", "--model", "smollm2", "--base-url"];
  const { code, err } = await shell(...ask, server.url, "--lengths", "4K");
  equal(code, 2);
  match(err.join("\n"), /^Window +700 tokens/m);
  match(err.at(-1)!, /must fit its server's window of 700 tokens/);
  match(err.join("\n"), /^Around a prompt +measured once questions are asked, and taken off each length$/m);
  equal(server.asked.some((path) => path.endsWith("completions")), false);
  equal((await shell(...ask, server.url, "--lengths", "4K", "--no-preflight")).code, 0);
  equal((await shell(...ask, "http://127.0.0.1:9/v1", "--lengths", "4K")).code, 0);
});

Deno.test("fathom doctor refuses to check a server without a model", async () => {
  const { code, out, err } = await shell("doctor", "--base-url", "http://127.0.0.1:9/v1");
  deepEqual([code, out, err], [2, "", [
    "fathom: Cannot check a server as --model must name its model: current value is none",
  ]]);
});

Deno.test("fathom doctor ends with an error where no call is answered, in the server's own words", async () => {
  const refuses = (): Response => Response.json({ error: { message: "E77", code: 7 } }, { status: 400 });
  await using server = lookServer({ ...vllm(), "/v1/chat/completions": refuses });
  const { code, out, err } = await shell("doctor", "--model", "Qwen/Qwen3-8B", "--base-url", server.url);
  equal(code, 2);
  match(out, /^Model +Qwen\/Qwen3-8B: served$/m);
  match(err.at(-1)!, /^fathom: Cannot ask model ".*" as its server must answer a short question: .*E77/);
});
