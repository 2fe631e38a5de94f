import { importTests } from "../_part.ts";

await importTests("text", "random", "generators", "scorers");
