import { importTests } from "../_part.ts";

await importTests("models", "simulated", "measured", "data", "audit");
