/** Loaded before all tests (bunfig.toml): says by which seed everything that this run draws can be brought back. */
import fc from "fast-check";
import { seedOfRun } from "./random.ts";

fc.configureGlobal({ seed: seedOfRun });
console.error(`TEST_SEED=${seedOfRun} brings back what the tests draw`);
