import { importTests, listLongTests } from "../_part.ts";

await importTests(...listLongTests().filter((path) => !path.startsWith("benchmarks/ruler/")));
