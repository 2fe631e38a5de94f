import { deepEqual, equal, throws } from "node:assert/strict";
import { PLAIN_TEMPLATE, userPrompt } from "@/lib/generators/mod.ts";
import { chatTemplate, openEndpoint } from "@/lib/models/mod.ts";
import { fillSystem, renderMessages, renderText } from "@/lib/models/chat_templates.ts";

const LOCAL = { baseUrl: "http://127.0.0.1:9/v1", model: "m" };

// RULER's template.py, OpenCompass's two for InternLM, and the paper's Table 6. A dot marks each space at an end.
Deno.test.each([
  ["base", "T"],
  ["meta-chat", "[INST] T [/INST]"],
  [
    "vicuna-chat",
    "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the user's questions. USER: T ASSISTANT:",
  ],
  ["lwm-chat", "You are a helpful assistant. USER: T ASSISTANT:·"],
  [
    "command-r-chat",
    "<BOS_TOKEN><|START_OF_TURN_TOKEN|><|USER_TOKEN|>T<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
  ],
  ["chatglm-chat", "[gMASK]sop<|user|>·\n·T<|assistant|>·\n·"],
  ["Phi3", "<|user|>\nT<|end|>\n<|assistant|>\n"],
  [
    "meta-llama3",
    "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nT<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
  ],
  [
    "RWKV",
    "User: hi\n\nAssistant: Hi. I am your assistant and I will provide expert full response in full details. Please feel free to ask any question and I will always answer it\n\nUser: T\n\nAssistant:",
  ],
  ["jamba", "<|startoftext|><|bom|><|system|>·<|eom|><|bom|><|user|>·T<|eom|><|bom|><|assistant|>"],
  ["nemotron5-instruct", "<SPECIAL_10>System\n\n<SPECIAL_11>User\nT\n<SPECIAL_11>Assistant\n"],
  ["internlm-chat", "<|User|>:T\n<|Bot|>:"],
  ["internlm2-chat", "<|im_start|>user\nT<|im_end|>\n<|im_start|>assistant\n"],
  ["gpt-4", "T Do not provide any explanation. Please directly give me the answer."],
] as [string, string][])("chatTemplate() gives %s to the byte, and the answer prefix after it", (name, want) => {
  const template = chatTemplate(name);
  equal(renderText(userPrompt("T", { answerPrefix: "P" }), template), `${want.replaceAll("·", " ")}P`);
  equal(template.name, name);
});

Deno.test.each([
  [
    "llama",
    "RangeError",
    /it must be a name \(base, meta-chat, .*, gpt-4\), a text with .*: current value is "llama"$/,
  ],
  ["", "RangeError", /it must be a name .*: current value is ""$/],
  ["constructor", "RangeError", /it must be a name .*: current value is "constructor"$/],
  ["phi3", "RangeError", /it must be a name .*: current value is "phi3"$/],
  ["no/such.jinja", "RangeError", /there must be a file of that name: current value is "no\/such.jinja"/],
  ["{task_template} {answer} Done", "SyntaxError", /must end in \{answer\}, or leave it out/],
])("chatTemplate() refuses %j", (given, name, message) => {
  throws(() => chatTemplate(given), { name, message });
});

Deno.test("chatTemplate() takes a text with places for the prompt, a system message and the answer", () => {
  const template = chatTemplate("S: {system}\nU: {task_template}\nA:{answer}");
  equal(renderText(userPrompt("T", { answerPrefix: " P" }), template), "S: \nU: T\nA: P");
  deepEqual(fillSystem(template, "Be $& brief."), { before: "S: Be $& brief.\nU: ", after: "\nA:" });
  equal(fillSystem(chatTemplate("U: {task_template}"), "Be brief."), undefined);
});

/** Writes a file into a folder of its own and gives its path to `use`. */
function withFile(name: string, text: string, use: (path: string) => void): void {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/${name}`, text);
    use(`${folder}/${name}`);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const TURNS =
  "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content | trim }}</>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";

Deno.test("chatTemplate() reads a Jinja template: a user's turn and the start of the assistant's, without bos_token", () => {
  withFile("chat_template.jinja", TURNS, (path) => {
    const template = chatTemplate(path);
    equal(renderText(userPrompt("T", { answerPrefix: " P" }), template), "<user>T</><assistant> P");
    deepEqual(fillSystem(template, "S"), { before: "<system>S</><user>", after: "</><assistant>" });
  });
});

Deno.test("chatTemplate() reads the template of a tokenizer_config.json, the default one of several", () => {
  const several = [{ name: "tool_use", template: "no" }, { name: "default", template: TURNS }];
  for (const chatTemplates of [TURNS, several]) {
    withFile("tokenizer_config.json", JSON.stringify({ chat_template: chatTemplates }), (path) => {
      equal(renderText(userPrompt("T"), chatTemplate(path)), "<user>T</><assistant>");
    });
  }
});

Deno.test("chatTemplate() has no place for a system message where a Jinja template refuses or drops it", () => {
  const refuses =
    "{% if messages[0].role == 'system' %}{{ raise_exception('no') }}{% endif %}{{ messages[0].content }}";
  const drops = "{{ messages[-1].content }}";
  for (const text of [refuses, drops]) {
    withFile("t.jinja", text, (path) => equal(fillSystem(chatTemplate(path), "S"), undefined));
  }
});

Deno.test.each([
  ["t.jinja", "{% if %}", "must be a Jinja template for a user's message"],
  ["t.jinja", "{{ bos_token }}", "it must be in the text once"],
  ["c.json", "{", "must be JSON"],
  ["c.json", "{}", "the file must be JSON with a chat_template"],
])("chatTemplate() refuses %s with %j", (name, text, message) => {
  withFile(name, text, (path) => {
    throws(() => chatTemplate(path), (error) => error instanceof SyntaxError && error.message.includes(message));
  });
});

Deno.test("openEndpoint() puts the system message into a template that has a place for it, and counts it there", () => {
  const options = { ...LOCAL, api: "completions", systemMessage: "Be brief." } as const;
  const { template } = openEndpoint({ ...options, chatTemplate: chatTemplate("{system}|{task_template}|") });
  equal(template.before, "Be brief.|");
  equal(template.system, undefined);
  const chat = openEndpoint({ ...options, api: "chat" });
  equal(chat.template.system, "Be brief.");
});

Deno.test("chatTemplate() counts no extra tokens for a template of one's own, whose words are in the prompt", () => {
  const { extraTokens, answerPrefix, name } = chatTemplate("User: {task_template} Assistant:");
  deepEqual([extraTokens, answerPrefix, /^own-[0-9a-f]+$/.test(name)], [0, true, true]);
});

const PROMPT = Object.freeze(userPrompt("1 + 1?", { answerPrefix: " It is " }));

Deno.test("renderMessages() begins with a system message, of the prompt or of the template", () => {
  const system = { role: "system", content: "Be brief." };
  const wanted = [system, { role: "user", content: "1 + 1?" }];
  deepEqual(renderMessages(userPrompt("1 + 1?", { system: "Be brief." }), { template: PLAIN_TEMPLATE }), wanted);
  deepEqual(renderMessages(userPrompt("1 + 1?"), { template: { ...PLAIN_TEMPLATE, system: "Be brief." } }), wanted);
});

Deno.test("renderMessages() sends no empty turn of the assistant's", () => {
  const sent = renderMessages(userPrompt("Hi"), { template: PLAIN_TEMPLATE, answerPrefix: "assistant" });
  deepEqual(sent, [{ role: "user", content: "Hi" }]);
});

Deno.test("renderText() puts template and answer prefix round the prompt, and leaves the prefix out where the template does", () => {
  equal(renderText(PROMPT, chatTemplate("meta-chat")), "[INST] 1 + 1? [/INST] It is ");
  equal(renderText(PROMPT, { ...chatTemplate("meta-chat"), answerPrefix: false }), "[INST] 1 + 1? [/INST]");
});

Deno.test("renderText() refuses a system message, for which a plain text has no place", () => {
  throws(() => renderText(userPrompt("T", { system: "Be brief." }), PLAIN_TEMPLATE), {
    name: "TypeError",
    message: /its system message must be part of the template: current value is "Be brief."$/,
  });
});

Deno.test.each([
  ["%d %b %Y", "26 Jul 2024"],
  ["%Y-%m-%d", "26 Jul 2024"],
])("chatTemplate() writes the fixed date, whatever its format: %s", (format, wanted) => {
  withFile("day.jinja", `{{ strftime_now("${format}") }}|{{ messages[0].content }}`, (path) => {
    equal(chatTemplate(path).before, `${wanted}|`);
  });
});
