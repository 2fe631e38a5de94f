/**
 * The papers that are reproduced: published numbers, claims and figures, one folder each, and their registry.
 *
 * @module
 */
export { checkRunClaims, type Paper } from "./paper.ts";
export { findPaper, PAPERS } from "./registry.ts";
