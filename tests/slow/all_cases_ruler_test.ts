import { importTests, listLongTests } from "../_part.ts";

// RULER's take as long as those of everything else, which another process runs meanwhile.
await importTests(...listLongTests().filter((path) => path.startsWith("benchmarks/ruler/")));
