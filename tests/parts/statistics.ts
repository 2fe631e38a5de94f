import { importTests } from "../_part.ts";

await importTests("statistics");
