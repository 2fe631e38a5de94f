import { importTests } from "../_part.ts";

await importTests("base", "text", "random", "generators", "scorers");
