/** Runs blocking work one piece after another, with a turn of the event loop before each piece. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work, and resolves or rejects as it does. */
  run<R>(work: () => R | Promise<R>): Promise<R> {
    const result = this.#last.then(() => new Promise(setImmediate)).then(work);
    // The caller of `run` gets the error.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
