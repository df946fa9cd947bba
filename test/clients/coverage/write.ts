import { coverageFile, readClients, renderCoverage } from "./coverage.ts";

await Bun.write(coverageFile, renderCoverage(await readClients()));
