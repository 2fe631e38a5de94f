import { importTests, listLongTests } from "../_part.ts";

await importTests(...listLongTests().filter((path) => !/^(?:benchmarks\/ruler|statistics)\//.test(path)));
