/** Loaded before all tests (bunfig.toml). */
import { afterAll } from "bun:test";
import fc from "fast-check";
import { seedOfRun } from "./random.ts";

/** Everything that a run draws can be brought back. */
fc.configureGlobal({ seed: seedOfRun });
console.error(`TEST_SEED=${seedOfRun} brings back what the tests draw`);

/** Processes that tests have left are ended on `exit`, of which the runner itself tells nobody. */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
afterAll(() => void process.emit("exit", 0));
