import { importTests, listLongTests } from "../_part.ts";

// Simulations of coverage and errors, which take half of the time of everything else.
await importTests(...listLongTests().filter((path) => path.startsWith("statistics/")));
