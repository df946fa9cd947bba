/** Resolves after everything else that waits in the event loop has had its turn once. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs actions in the next turn of the event loop, with one callback for all of a turn. */
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

/** Work behind the answers gives way to them after this long. */
const sliceMs = 1;
/** The slice while a store opens: the server answers only liveness then. */
const openingSliceMs = 50;

/** Asked after every small step of long work: true, or a promise while others have their turn; false asks it to end. */
export type Pace = () => true | Promise<boolean>;

/** Slices of a millisecond until `isStopping`, with a wait for the next turn between them. */
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

/** Long work in small steps: its caller decides whether other work runs in between. */
export type Steps<R = void> = Generator<void, R>;

/** Documents that are worked on in one step. */
export const stepLength = 1024;

/** Takes all steps; others have their turn in between when `pace` says so. It may not ask for an end. */
export async function takeSteps<R>(steps: Steps<R>, pace: Pace): Promise<R> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const turn = pace();
    if (turn !== true) await turn;
  }
}

/** Takes all steps at once. */
export function takeAtOnce<R>(steps: Steps<R>): R {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
