import { readValueReply } from "@/lib/scorers/mod.ts";
import { PARSING_REQUEST } from "../parse_by_model.ts";
import type { Reading, TaskReader } from "../reading.ts";
import { inventLike } from "./_invented.ts";

/** Parses a reply to Needle Threading as it is asked to, by the rules of the scorer. */
export const PARSING_READER: TaskReader = {
  name: "parsing",
  recognise(prompt): Reading | null {
    const start = prompt.indexOf(PARSING_REQUEST);
    const from = prompt.indexOf("Answer:\n", start);
    if (start < 0 || from < 0) return null;
    const { values } = readValueReply(prompt.slice(from + "Answer:\n".length));
    return {
      category: "retrieval",
      wanted: values.map((value) => ({ key: "value", value, depth: null })),
      rivals: [],
      example: [],
      invent: (draw) => inventLike(values[0] ?? "", draw),
      write: (said) => JSON.stringify(said).replaceAll('","', '", "'),
    };
  },
};
