/** Work behind the answers gives way to them after this long. */
const sliceMs = 1;

/** Asked after every small step of long work: true, or a promise while others have their turn; false asks it to end. */
export type Pace = () => true | Promise<boolean>;

/** Slices of a millisecond until `isStopping`. */
export function paceOf(isStopping: () => boolean): Pace {
  let sliceEnd = performance.now() + sliceMs;
  return () => {
    if (performance.now() < sliceEnd) return true;
    return new Promise((resolve) => {
      setImmediate(() => {
        sliceEnd = performance.now() + sliceMs;
        resolve(!isStopping());
      });
    });
  };
}
