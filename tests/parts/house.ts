import { importTests } from "../_part.ts";

await importTests("house", "package", "scaffold", "site");
