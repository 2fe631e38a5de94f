/** benchmarks @module */
export { readSimulated } from "./read_simulated.ts";
