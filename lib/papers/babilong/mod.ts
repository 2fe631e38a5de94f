/**
 * BABILong: the authors' recorded replies, counted by two scorers.
 *
 * @module
 */
import { BABILONG } from "@/lib/benchmarks/babilong/mod.ts";
import type { Paper } from "@/lib/papers/paper.ts";

/** BABILong: the replies that its authors recorded in 2024 and 2026. */
export const BABILONG_PAPER: Paper = { benchmark: BABILONG, claims: [], runClaims: [] };
