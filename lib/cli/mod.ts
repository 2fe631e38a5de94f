/**
 * Fathom's command line: the same work as the notebooks', from a shell.
 *
 * @module
 */
export { fathom } from "./fathom.ts";
export type { Output } from "./_guard.ts";
