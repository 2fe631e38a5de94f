/**
 * OpenCompass CDME (January 2024): its needles and scorers.
 *
 * @module
 */
import { CDME_NEEDLES } from "./needles.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";

export { type CdmeGrid, cdmeGrid, type CdmeGridName, cdmePlaces } from "./grids.ts";
export {
  type AnswerForm,
  type CdmeEdition,
  type CdmeItem,
  cdmeItem,
  type CdmeItemName,
  type CdmeLanguage,
  readAnswerForm,
} from "./items.ts";
export { CDME_NEEDLES };

/** CDME, one needle and several, with its errors corrected. */
export const CDME: Benchmark = {
  name: "cdme",
  title: "OpenCompass CDME",
  source: "open-compass/opencompass at e975a96f (January 2024)",
  families: [CDME_NEEDLES],
  tasks: ["cdme_zh", "cdme_multi_zh"],
};
