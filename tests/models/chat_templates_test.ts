import { deepEqual, equal, throws } from "node:assert/strict";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { CHAT_TEMPLATES, chatTemplate } from "@/lib/models/mod.ts";
import { renderText } from "@/lib/models/render.ts";

// RULER's template.py; the last from the paper's Table 6. A dot marks each space at an end.
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
  ["gpt-4", "T Do not provide any explanation. Please directly give me the answer.·"],
] as [string, string][])("chatTemplate() gives %s to the byte, and the answer prefix after it", (name, want) => {
  const template = chatTemplate(name);
  equal(renderText({ user: "T", answerPrefix: "P" }, template), `${want.replaceAll("·", " ")}P`);
  equal(template.name, name);
});

Deno.test("chatTemplate() gives the template that samples have by default for base", () => {
  deepEqual(chatTemplate("base"), PLAIN_TEMPLATE);
});

Deno.test("CHAT_TEMPLATES names twelve templates, base first", () => {
  equal(CHAT_TEMPLATES.length, 12);
  equal(CHAT_TEMPLATES[0], "base");
});

Deno.test("chatTemplate() refuses a name it does not know, and names those it does", () => {
  for (const name of ["llama", "", "constructor", "phi3"]) {
    throws(() => chatTemplate(name), {
      name: "RangeError",
      message: "Cannot choose a chat template as its name must be one of base, meta-chat, vicuna-chat, lwm-chat, " +
        `command-r-chat, chatglm-chat, Phi3, meta-llama3, RWKV, jamba, nemotron5-instruct, gpt-4: current value is "${name}"`,
    });
  }
});
