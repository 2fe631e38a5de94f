import { deepEqual, equal, match, notEqual, ok, throws } from "node:assert/strict";
import { openOnce } from "../../audit/_audit_cells.ts";
import { auditSample } from "../../audit/_audit_sample.ts";
import { only, type Solution } from "../../audit/_solution.ts";
import { CHAT_RECALL } from "./_chat_recall.ts";
import {
  type ChatTemplate,
  joinMessages,
  PLAIN_TEMPLATE,
  promptText,
  type Sample,
  userText,
} from "@/lib/generators/mod.ts";
import { chatTemplate, joinPrompt, renderText } from "@/lib/models/mod.ts";

const CHATML = `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}` +
  `{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`;

/** Solves a chat from its text: the one code that it states. */
function solve(text: string): Solution {
  const codes = [...text.matchAll(/The code of the vault is (\d{6})\./g)].map(([, code]) => code!);
  const system = "You answer from what you have read.";
  const start = text.indexOf("User: ") >= 0 ? text.indexOf("User: ") + 6 : text.startsWith(system) ? system.length : 0;
  return {
    answers: [only(codes, "code")],
    context: [start, text.lastIndexOf("\nWhat is the code of the vault?")],
    planted: 1,
    unit: "word ".repeat(60),
  };
}

/** Writes a template file, and opens it. */
async function openJinja(source: string): Promise<ChatTemplate> {
  const path = await Deno.makeTempFile({ suffix: ".jinja" });
  try {
    await Deno.writeTextFile(path, source);
    return chatTemplate(path);
  } finally {
    await Deno.remove(path);
  }
}

const CHAT: ChatTemplate = { ...PLAIN_TEMPLATE, name: "chat+extra-7", extraTokens: 7, messageTokens: 4 };

const open = openOnce();

const { materials, encode } = await open("cl100k_base");

function sampleOf(template: ChatTemplate, name: "chat_recall" | "chat_recall_system" = "chat_recall"): Sample {
  return CHAT_RECALL.task(name).sample({ length: 2000, seed: "42", index: 5, materials, template });
}

Deno.test("a system message of the task's own is counted and sent, and refused beside another", () => {
  for (const template of [PLAIN_TEMPLATE, CHAT]) {
    const sample = sampleOf(template, "chat_recall_system");
    deepEqual(sample.prompt.messages.map(({ role }) => role).slice(0, 3), ["system", "user", "assistant"]);
    deepEqual(auditSample(sample, { solve, encode, template, isBudget: true, isFilled: true }), []);
  }
  throws(() => sampleOf({ ...CHAT, system: "Be brief." }, "chat_recall_system"), {
    name: "RangeError",
    message: /after at most one system message: current value is system, system, user, assistant/,
  });
});

Deno.test("ids name the tokens of a message, and hashes every message", () => {
  const [plain, chat] = [sampleOf(PLAIN_TEMPLATE), sampleOf(CHAT)];
  ok(plain.id.includes("/base/2000/42/5"), plain.id);
  ok(chat.id.includes("/chat+extra-7+message-4/2000/42/5"), chat.id);
  notEqual(plain.sha256, chat.sha256);
});

Deno.test("a model's own template joins the turns as it repeats them, and counts what it adds", async () => {
  const template = await openJinja(CHATML);
  deepEqual(template.turns, {
    toAssistant: "<|im_end|>\n<|im_start|>assistant\n",
    toUser: "<|im_end|>\n<|im_start|>user\n",
  });
  const { prompt, promptTokens } = sampleOf(template);
  const text = renderText(prompt, template);
  const lines = prompt.messages.map(({ role, text }) => `<|im_start|>${role}\n${text}<|im_end|>\n`);
  equal(text, `${lines.join("")}<|im_start|>assistant\n The code is`);
  equal(promptTokens, materials.tokenizer.count(text));
  // With a system message of the task's own, which this template has a place for.
  const own = sampleOf(template, "chat_recall_system");
  ok(
    renderText(own.prompt, template).startsWith("<|im_start|>system\nYou answer from what you have read.<|im_end|>\n"),
  );
  equal(own.promptTokens, materials.tokenizer.count(renderText(own.prompt, template)));
});

Deno.test("templates that cannot express several turns refuse them", async () => {
  const first = await openJinja(
    `{% for m in messages %}{{ "[FIRST]" if loop.first }}<{{ m.role }}>{{ m.content }}{{ loop.index }}{% endfor %}<assistant>`,
  );
  equal(first.turns, undefined);
  for (const template of [chatTemplate("meta-chat"), chatTemplate("U: {task_template} A:"), first]) {
    throws(() => sampleOf(template), { name: "TypeError", message: /Cannot send a prompt of several turns/ });
  }
  throws(() => sampleOf(first, "chat_recall_system"), { name: "TypeError" });
});

Deno.test("a prompt of several turns is one text with labels", () => {
  const { prompt } = sampleOf(PLAIN_TEMPLATE);
  const text = joinPrompt(prompt);
  equal(text, joinMessages(prompt, PLAIN_TEMPLATE));
  match(text, /^User: .*\n\nAssistant: I have read this part\.\n\nUser: .*\n\nAssistant: The code is$/s);
  equal(text.split("\n\nUser: ").length, 6);
  equal(`${promptText(prompt)}\n\nAssistant: The code is`, text);
  throws(() => userText(prompt), {
    name: "TypeError",
    message: /must have one user message: current value is 11 messages/,
  });
});
