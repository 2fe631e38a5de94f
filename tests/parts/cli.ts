import { importTests } from "../_part.ts";

await importTests("cli", "measure", "serve");
