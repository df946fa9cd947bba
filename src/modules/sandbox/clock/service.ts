import { Failure, invalid } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { afterDuration } from "../../../lib/text/iso-duration.ts";
import type { ClockState, Context, Sandbox } from "../../kernel/context.ts";
import { sandboxClocks } from "./records.ts";

/** No date is later. */
const lastTime = Date.parse("9999-12-31T23:59:59Z");
/** In the system's time: longer than work in a sandbox takes. */
export const workSecondsMax = 30;
/** Further times are gone through at once: periodic work that they missed runs once. */
const stepsMax = 10_000;

/** Carried out together: first `frozen`, then the time, then `rate`. */
export interface ClockChanges {
  readonly now?: string;
  readonly advance?: string;
  readonly frozen?: boolean;
  readonly rate?: number;
}

/** The sandbox of a server. Throws for an ordinary one, which has no operation that calls this. */
export function sandboxOf({ sandbox }: Pick<Context, "sandbox">): Sandbox {
  if (sandbox === undefined) throw new Error("the server is no sandbox");
  return sandbox;
}

/** Sets the clock of a sandbox to that of its store, now and whenever that changes. */
export function followStoredClock({ store, sandbox }: Context): void {
  if (sandbox === undefined) return;
  const { clock } = sandbox;
  clock.load(store.of(sandboxClocks).get(1));
  store.watch(sandboxClocks, (_, after) => clock.load(after));
}

/**
 * Changes the clock, and resolves with the number of jobs that ran for it: all that is due until then, in the order of
 * their times. Throws 400 for no change, `now` beside `advance`, and a time in the past, before anything changes; 504 for work
 * that does not end.
 */
export async function updateClock(context: Context, changes: ClockChanges): Promise<number> {
  const { clock, work } = sandboxOf(context);
  const { frozen, rate } = changes;
  const target = targetOf(clock.now(), changes);
  if (target === undefined && frozen === undefined && rate === undefined) {
    throw invalid("one of now, advance, frozen and rate has to be given");
  }
  const before = work.ended;
  if (frozen !== undefined) storeClock(context, { ...stateNow(context), is_frozen: frozen });
  if (target !== undefined) await advance(context, target);
  if (rate !== undefined) storeClock(context, { ...stateNow(context), rate });
  return work.ended - before;
}

function targetOf(now: number, { now: wanted, advance: by }: ClockChanges): number | undefined {
  if (wanted === undefined && by === undefined) return undefined;
  if (wanted !== undefined && by !== undefined) throw invalid("now and advance exclude each other");
  const target = wanted === undefined ? laterBy(now, by ?? "") : Date.parse(wanted);
  if (target === undefined || Number.isNaN(target)) throw invalid("advance is neither a duration nor milliseconds");
  if (target < now) throw invalid("the clock does not go back, but by a reset or a restore");
  if (target > lastTime) throw invalid("the clock ends with the year 9999");
  return target;
}

/** A duration, or milliseconds. */
function laterBy(now: number, by: string): number | undefined {
  return /^\d+$/.test(by) ? now + Number(by) : afterDuration(now, by);
}

/** Goes from one time at which something is due to the next, and waits for what runs then. */
async function advance(context: Context, target: number): Promise<void> {
  const { clock, work, gate } = sandboxOf(context);
  const { is_frozen } = clock.state;
  const timeout = Promise.withResolvers<never>();
  const cancel = clock.real.after(workSecondsMax * 1000, () => timeout.reject(stillRunning(work.running)));
  // A waiting restore lets no job begin, so it must not wait for this call.
  const workEnded = () => gate.outside(() => Promise.race([work.idle(), timeout.promise]));
  try {
    for (let step = 0; step < stepsMax; step += 1) {
      const due = work.nextDue();
      if (due === undefined || due > target) break;
      clock.load({ ...stateNow(context), base_ms: Math.max(due, clock.now()), is_frozen: true });
      await workEnded();
    }
    storeClock(context, { ...stateNow(context), base_ms: Math.max(target, clock.now()), is_frozen });
    await workEnded();
  } catch (error) {
    storeClock(context, { ...stateNow(context), is_frozen });
    throw error;
  } finally {
    cancel();
  }
}

function stillRunning(names: readonly string[]): Failure {
  return new Failure("timeout", { message: `504 Gateway Timeout - still running: ${names.join(", ")}` });
}

/** The state of the clock as of now. */
function stateNow(context: Context): ClockState {
  const { clock } = sandboxOf(context);
  return { ...clock.state, base_ms: clock.now(), since_ms: clock.real.now() };
}

function storeClock({ store }: Context, state: ClockState): void {
  store.transact((tx) => {
    if (store.of(sandboxClocks).get(1) === undefined) tx.insert(sandboxClocks, { id: 1, ...state });
    else tx.update(sandboxClocks, { id: 1, ...state });
  });
}

/** The time as answers have it. */
export function clockTime(context: Context): string {
  return toDateTime(sandboxOf(context).clock.now());
}
