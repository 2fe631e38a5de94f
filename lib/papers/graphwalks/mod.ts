/**
 * GraphWalks: published numbers, claims and figures.
 *
 * @module
 */
import { GRAPHWALKS } from "@/lib/benchmarks/graphwalks/mod.ts";
import type { Paper } from "@/lib/papers/paper.ts";

/** GraphWalks: what model cards publish. */
export const GRAPHWALKS_PAPER: Paper = { benchmark: GRAPHWALKS, claims: [], runClaims: [] };
