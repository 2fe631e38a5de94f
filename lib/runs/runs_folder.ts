import { fileURLToPath } from "node:url";

/** The folder that runs are kept in unless another is named: `results/runs` of this project. */
export const RUNS_FOLDER: string = fileURLToPath(new URL("../../results/runs", import.meta.url));
