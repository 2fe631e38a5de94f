/**
 * The published suites, each one object of its own folder, and their registry.
 *
 * @module
 */
export { type Benchmark, benchmarkTask } from "./benchmark.ts";
export { BENCHMARKS, findScorer, listFamilies, listReaders, readSimulated } from "./registry.ts";
