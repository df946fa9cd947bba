/** Resolves after a turn of the event loop. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs actions in the next turn of the event loop, with one callback for all of them. */
export class NextTurn {
  #actions: (() => void)[] = [];

  run(action: () => void): void {
    if (this.#actions.push(action) > 1) return;
    setImmediate(() => {
      const actions = this.#actions;
      this.#actions = [];
      for (const each of actions) each();
    });
  }
}

/** The longest time that background work holds the event loop. */
const sliceMs = 1;
/** The longest time that work holds the event loop while a store opens: the server then answers only liveness. */
const openingSliceMs = 50;

/**
 * The function that long work calls after every small step. It returns true to go on, false to stop, or a promise while
 * other work runs.
 */
export type Pace = () => true | Promise<boolean>;

/** Returns a pace with slices of a millisecond, between which it waits for the next turn, until `isStopping`. */
export function paceOf(isStopping: () => boolean, slice = sliceMs, nextTurn = yieldToOthers): Pace {
  let sliceEnd = performance.now() + slice;
  return () => {
    if (performance.now() < sliceEnd) return true;
    return nextTurn().then(() => {
      sliceEnd = performance.now() + slice;
      return !isStopping();
    });
  };
}

export function openingPace(): Pace {
  return paceOf(() => false, openingSliceMs);
}

/** Long work in small steps. Its caller decides whether other work runs in between. */
export type Steps<R = void> = Generator<void, R>;

/** The number of documents per step. */
export const stepLength = 1024;

/** Runs all steps, with pauses for other work when `pace` asks for them. It may not ask to stop. */
export async function takeSteps<R>(steps: Steps<R>, pace: Pace): Promise<R> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const turn = pace();
    if (turn !== true) await turn;
  }
}

/** Runs all steps without pauses. */
export function takeAtOnce<R>(steps: Steps<R>): R {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
