import { importTests } from "../_part.ts";

await importTests("benchmarks/ruler", "papers/ruler");
