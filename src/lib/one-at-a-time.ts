/** Runs work that holds the event loop piece by piece: others have a turn of the event loop before each piece. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves and rejects as `work` does, which begins when all that came before has ended. */
  run<R>(work: () => R | Promise<R>): Promise<R> {
    const result = this.#last.then(() => new Promise(setImmediate)).then(work);
    // The caller of `run` gets the error.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
