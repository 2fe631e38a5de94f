import { importTests } from "../_part.ts";

await importTests("models", "measured", "data", "audit");
