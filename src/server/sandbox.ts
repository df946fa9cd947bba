import { Gate } from "../lib/gate.ts";
import type { SeededRandomness } from "../lib/randomness.ts";
import type { Sandbox, SandboxWork } from "../modules/kernel/context.ts";
import type { AssembledModules } from "../modules/kernel/module.ts";
import type { OperationTable } from "../modules/kernel/operation-table.ts";
import type { CallSink } from "./call-sink.ts";
import type { AdjustableClock } from "./sandbox-clock.ts";

/** Returns the sandbox's part of a context. `random` is undefined if the randomness has no seed. */
export function createSandbox(
  clock: AdjustableClock,
  random: SeededRandomness | undefined,
  recording: string | undefined,
  sink: CallSink | undefined,
  assembled: AssembledModules,
): Sandbox {
  const { operations } = assembled;
  const listSunkCalls = () => sink?.newestFirst() ?? [];
  const gate = new Gate();
  const listRoutes = async () => [...new Set((await operations.loadAll()).map(({ path }) => path))];
  return {
    gate,
    clock,
    random,
    recording,
    listRoutes,
    listSunkCalls,
    work: noWork,
    applyFixture: fixturesWith(operations),
  };
}

/** The scheduler's replacement in a command without a server, which runs no jobs. */
const noWork: SandboxWork = { nextDue: () => undefined, idle: () => Promise.resolve(), ended: 0, running: [] };

/** Loads the code for fixtures at the first one. */
function fixturesWith(operations: OperationTable): Sandbox["applyFixture"] {
  return async (context, text, caller) => {
    const { applyFixtureForCall } = await import("../fixtures/index.ts");
    return applyFixtureForCall(context, await operations.loadAll(), text, caller);
  };
}
