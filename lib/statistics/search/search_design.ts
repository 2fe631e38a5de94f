import type { SearchDesign } from "../search.ts";

/** What a search looks for; the rest of its design is the plan's. */
export type SearchAim = Pick<SearchDesign, "threshold" | "rule" | "errorChance">;
