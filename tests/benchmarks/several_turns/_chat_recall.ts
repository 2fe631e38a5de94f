import {
  allFound,
  type Benchmark,
  breakAt,
  essayFiller,
  family,
  type Layout,
  type Part,
  type Planted,
} from "@/lib/mod.ts";
import { plantFacts, type Recipe, spread, startMessage, stream, whole } from "@/lib/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** A chat in which the user sends essays in parts, one with a code; the last message asks for the code. */
export const CHAT_RECALL = family({
  suite: "chat-recall-1",
  name: "chat_recall",
  about: "a code in one of several messages is asked for in the last one",
  category: "retrieval",
  knobs: {
    turns: whole({ from: 2, to: 20, byDefault: 6 }, "messages of the user"),
    opening: whole({ from: 0, to: 1, byDefault: 0 }, "whether a system message begins the chat"),
  },
  tasks: { chat_recall: {}, chat_recall_system: { opening: 1 } },
  scorers: [allFound],
  answerRoom: 24,
  recipe({ turns, opening }, { materials, seed, index }): Recipe {
    const { essays, tokenizer } = materials;
    const [start, depth] = spread([seed, "chat recall"], { index, dimensions: 2 }) as [number, number];
    const filler = essayFiller(essays, { start: Math.floor(start * essays.size), tokenizer });
    const code = String(100_000 + Math.floor(stream(seed, "chat recall", index)() * 900_000));
    const fact = { role: "target", key: "vault", value: code, text: `The code of the vault is ${code}.` } as const;
    const plain = (text: string): Part => ({ measured: measure(text, tokenizer) });
    const layOut = (size: number): Layout => {
      const breaks = Array.from({ length: turns - 1 }, (_, turn) => Math.round((turn + 1) * size / turns));
      const planted = [
        {
          at: breakAt(depth, { filler, size, tokenizer }),
          part: (isFirst: boolean): Part => ({ measured: filler.needle(fact.text, isFirst), fact }),
        },
        ...breaks.flatMap((at): Planted[] =>
          [startMessage("assistant"), plain("I have read this part."), startMessage("user")].map((made) => ({
            at,
            part: () => made,
          }))
        ),
      ];
      return {
        before: [
          ...(opening === 1 ? [startMessage("system"), plain("You answer from what you have read.")] : []),
          startMessage("user"),
        ],
        context: plantFacts(planted.toSorted((left, right) => left.at - right.at), { filler, size }),
        after: [plain("\nWhat is the code of the vault?")],
      };
    };
    return {
      least: turns,
      most: Infinity,
      layOut,
      answerPrefix: " The code is",
      references: () => [code],
      source: essays.name,
    };
  },
});

export default {
  name: "chat-recall",
  title: "Chat recall",
  source: "the tests of prompts with several turns",
  families: [CHAT_RECALL],
  tasks: CHAT_RECALL.tasks,
} satisfies Benchmark;
