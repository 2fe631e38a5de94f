import { importTests } from "../_part.ts";

await importTests("studies", "records", "asking", "reports", "certify", "exchange", "explorer");
