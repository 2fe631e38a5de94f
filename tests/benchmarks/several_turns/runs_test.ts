import { deepEqual, equal, match, ok } from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { shell, withRunName } from "../../cli/_shell.ts";
import { type LookServer, lookServer } from "../../models/_look_servers.ts";
import { withFolder } from "../../_folder.ts";
import chatRecall from "./_chat_recall.ts";
import { replyRows } from "@/lib/exchange/mod.ts";
import { joinPrompt, openEndpoint } from "@/lib/models/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { closeUp } from "@/lib/reports/mod.ts";
import { openEncoding } from "@/lib/text/mod.ts";

const FILE = new URL("_chat_recall.ts", import.meta.url).pathname;
const BENCHMARKS = { benchmarks: [chatRecall] };
const OWN = ["--benchmark", FILE];
const ASKED = [...OWN, "--tasks", "chat_recall", "--lengths", "600,2000", "--samples", "2"];

interface Row {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly [field: string]: unknown;
}

function readLines(text: string): Row[] {
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** A server that finds the code, and counts 5 tokens around a chat and 6 around each message. */
async function chatServer(): Promise<LookServer & { readonly counted: readonly number[] }> {
  const tokenizer = await openEncoding("cl100k_base");
  const counted: number[] = [];
  const server = lookServer({
    "/v1/models": () => ({ data: [{ id: "m" }] }),
    "/v1/chat/completions": (body) => {
      const messages = body["messages"] as Row["messages"];
      const tokens = messages.reduce((sum, { content }) => sum + 6 + tokenizer.count(content), 5);
      if (messages.length === 11) counted.push(tokens);
      const text = messages.map(({ content }) => content).join("");
      const [, code = "none"] = /The code of the vault is (\d{6})\./.exec(text) ?? [];
      const usage = { "prompt_tokens": tokens, "completion_tokens": 2, "total_tokens": tokens + 2 };
      const choices = [{ index: 0, message: { role: "assistant", content: ` ${code}.` }, finish_reason: "stop" }];
      return { id: "x", object: "chat.completion", model: "m", choices, usage };
    },
  });
  return Object.assign(server, { counted });
}

Deno.test("fathom generate writes several turns as messages, in every form that can express them", async () => {
  const lines = readLines((await shell("generate", ...ASKED, "--facts")).out);
  deepEqual(lines.map(({ messages }) => messages.length), [11, 11, 11, 11]);
  for (const { messages, input, answer_prefix: prefix } of lines) {
    deepEqual([input, prefix, messages.at(-1)!.role], [undefined, " The code is", "user"]);
    match(messages.at(-1)!.content, /What is the code of the vault\?$/);
  }
  const [first] = lines;
  await withFolder({}, async (folder) => {
    equal((await shell("generate", ...ASKED, "--format", "inspect", "--out", folder)).code, 0);
    const [inspect] = readLines(await readFile(`${folder}/samples.jsonl`, "utf8"));
    const messages = inspect!["input"] as Row["messages"];
    equal(messages.length, 11);
    equal(messages.at(-1)!.content, `${first!.messages.at(-1)!.content} The code is`);
    const [chat] = readLines((await shell("generate", ...ASKED, "--format", "hf")).out);
    deepEqual([chat!.messages, chat!["answer_prefix"]], [first!.messages, " The code is"]);
  });
});

Deno.test("fathom generate refuses several turns in forms and templates that would lose some", async () => {
  await withFolder({}, async (folder) => {
    const refused = [
      [["--format", "lm-eval", "--out", `${folder}/harness`], /for lm-eval as its prompts must have one message/],
      [["--format", "kvpress"], /for kvpress as its prompts must be one message, a question after its context/],
      [["--chat-template", "meta-chat"], /Cannot send a prompt of several turns as the chat template must be base/],
      [["--format", "reference"], /the benchmark must have such files/],
    ] as const;
    for (const [flags, message] of refused) {
      const { code, out, err } = await shell("generate", ...ASKED, "--lengths", "600", ...flags);
      deepEqual([code, out], [2, ""]);
      match(err.join("\n"), message);
    }
  });
});

Deno.test("a run of several turns is asked, shown, viewed and exported with every turn", async () => {
  await using server = await chatServer();
  await withRunName(async (run) => {
    const ask = ["run", ...ASKED, "--model", "m", "--base-url", server.url, "--name", run, "--stream", "off"];
    const asked = await shell(...ask);
    equal(asked.code, 0, asked.err.join("\n"));
    match(asked.out, /chat_recall +100\.0 .*100\.0/);
    // The run goes on with what it measured.
    const again = await shell(...ask, "--samples", "3");
    equal(again.code, 0, again.err.join("\n"));
    const scored = await readScoredRun(run, BENCHMARKS);
    equal(scored.replies.length, 6);
    const { template } = scored.manifest;
    // What a look at the server measured, and lengths count.
    deepEqual([template.extraTokens, template.messageTokens], [11, 6]);
    for (const { record: { reply, promptTokens } } of scored.replies) {
      equal(reply.kind === "answer" && reply.promptTokens, promptTokens);
    }
    const most = Math.max(...server.counted);
    ok(most <= 2000 - 24 && most > 2000 - 24 - 24, `${most}`);
    const { sample, isSame, lines, facts } = await closeUp(scored, scored.replies[0]!);
    deepEqual([isSame, sample.prompt.messages.length, facts.length], [true, 11, 1]);
    match(lines.find(({ what }) => what === "Messages")!.text, /^11$/);
    const place = ["--task", "chat_recall", "--length", "600", "--index", "0"];
    match((await shell("show", run, ...OWN, ...place)).out, /Messages +11\n/);
    const { out: prompt } = await shell("show", run, ...OWN, ...place, "--prompt");
    equal(prompt, `${joinPrompt(sample.prompt, template)}\n`);
    equal(prompt.split("User: ").length, 7);
    const { out: json } = await shell("show", run, ...OWN, ...place, "--json");
    equal(JSON.parse(json).sample.prompt.messages.length, 11);
    const page = `results/runs/${run}/view.html`;
    const viewed = await shell("view", run, ...OWN, "--out", page);
    equal(viewed.code, 0, viewed.err.join("\n"));
    match(await readFile(page, "utf8"), /chat_recall/);
    const rows = await replyRows(scored);
    deepEqual(rows.map(({ score }) => score), [1, 1, 1, 1, 1, 1]);
  });
});

Deno.test("messages of a samples file are asked as they are, and imported again", async () => {
  await withFolder({}, async (folder) => {
    const path = `${folder}/2000/data/chat_recall`;
    const { out } = await shell("generate", ...OWN, "--tasks", "chat_recall", "--lengths", "2000", "--samples", "3");
    await mkdir(path, { recursive: true });
    await writeFile(`${path}/validation.jsonl`, out);
    const [first] = readLines(out);
    await withRunName(async (run) => {
      const asked = await shell("run", ...OWN, "--samples-file", folder, "--model", "sim:ideal", "--name", run);
      equal(asked.code, 0, asked.err.join("\n"));
      match(asked.out, /chat_recall +100\.0/);
      const scored = await readScoredRun(run, BENCHMARKS);
      const { sample, isSame } = await closeUp(scored, scored.replies[0]!);
      deepEqual([isSame, sample.sha256, sample.prompt.messages.length], [true, first!["sha256"], 11]);
      equal(sample.promptTokens + sample.answerRoom, first!["length"]);
    });
    // A list of messages in another order is refused.
    const wrong = { ...first, messages: first!.messages.slice(1) };
    await writeFile(`${path}/validation.jsonl`, JSON.stringify(wrong));
    const refused = await shell("run", ...OWN, "--samples-file", folder, "--model", "sim:ideal", "--name", "none");
    deepEqual([refused.code, refused.err.length], [2, 1]);
    match(refused.err[0]!, /Cannot use the messages of sample 0 .* as they must be user and assistant in turns/);
  });
});

Deno.test("an Inspect log of several turns is imported with every turn", async () => {
  await withFolder({}, async (folder) => {
    equal((await shell("generate", ...ASKED, "--format", "inspect", "--out", folder)).code, 0);
    const [asked] = readLines(await readFile(`${folder}/samples.jsonl`, "utf8"));
    const messages = asked!["input"] as Row["messages"];
    const log = {
      version: 2,
      status: "success",
      eval: { task: "chat_recall", model: "openai/m", created: "2026-01-01T00:00:00Z" },
      samples: [{
        id: 1,
        epoch: 1,
        input: [{ role: "system", content: "Be brief." }, ...messages],
        target: ["123456"],
        output: { choices: [{ message: { role: "assistant", content: "123456" }, stop_reason: "stop" }] },
        metadata: { task: "chat_recall", max_length: 600, answer_prefix: " The code is" },
      }],
    };
    await writeFile(`${folder}/log.json`, JSON.stringify(log));
    await withRunName(async (run) => {
      const made = await shell("import", `${folder}/log.json`, ...OWN, "--name", run);
      equal(made.code, 0, made.err.join("\n"));
      const scored = await readScoredRun(run, BENCHMARKS);
      const { sample, isSame } = await closeUp(scored, scored.replies[0]!);
      deepEqual([isSame, sample.prompt.messages.length, sample.prompt.messages[0]!.role], [true, 12, "system"]);
      equal(sample.prompt.answerPrefix, " The code is");
      ok(!sample.prompt.messages.at(-1)!.text.endsWith("The code is"));
    });
  });
});

Deno.test("OpenAI's chat counts 7 tokens around the first message, and 4 around each further one", () => {
  const { template } = openEndpoint({ baseUrl: "https://api.openai.com/v1", model: "m", apiKey: "k" });
  deepEqual([template.extraTokens, template.messageTokens], [7, 4]);
});
