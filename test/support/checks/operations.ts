import { operations as all } from "../../../src/modules/operations.ts";

/** The operations of an ordinary server: it does not know those of a sandbox, which have tests of their own. */
export const operations = all.filter(({ http }) => http?.partOf !== "sandbox");
