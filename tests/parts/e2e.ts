import { importTests } from "../_part.ts";

await importTests("e2e");
