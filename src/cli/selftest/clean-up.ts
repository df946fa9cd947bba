import { NoAnswer } from "./request.ts";
import type { ScenarioRunner } from "./runner.ts";
import { type Area, MissingValue, type Undo } from "./scenario.ts";

/** The longest time for the server to remove everything. */
const waitMsMax = 30_000;

/** Undoes the steps of the areas, in reverse order. Returns the failed calls. `isKept` keeps the group and the users. */
export async function cleanUp(runner: ScenarioRunner, areas: readonly Area[], isKept: boolean): Promise<string[]> {
  const undos = areas.flatMap((area) => area.undos).filter((undo) => runner.hasAnswer(undo.step));
  const due = undos.filter((undo) => !(isKept && undo.isKept === true)).reverse();
  const left: string[] = [];
  for (const { by } of due) {
    try {
      const { status } = await runner.take(by);
      if (status >= 300 && status !== 404) left.push(`${by.call}: status ${status}`);
    } catch (error) {
      if (!(error instanceof NoAnswer || error instanceof MissingValue)) throw error;
      left.push(`${by.call}: ${error.message}`);
      // Stops, since each other call would also wait for a server that hangs.
      if (error instanceof NoAnswer) break;
    }
  }
  if (left.length === 0) left.push(...(await remaining(runner, due)));
  return left;
}

/** Returns the calls that are not undone yet: servers remove groups and users after their answer. */
async function remaining(runner: ScenarioRunner, undos: readonly Undo[]): Promise<string[]> {
  const left: string[] = [];
  const end = Date.now() + waitMsMax;
  for (const { gone } of undos) {
    if (gone !== undefined && !(await runner.waitFor(gone, 404, end))) left.push(`${gone.call} does not answer 404`);
  }
  return left;
}
