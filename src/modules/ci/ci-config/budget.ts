/** The limit of the steps that reading one CI file may take. */

import { CiFileError } from "./values.ts";

/** The limit for one pipeline: a fifth of a second, in which all other requests wait. */
export const stepsMax = 500_000;

/**
 * The work that one pipeline's CI file may cost with all that it includes, in steps of 0.4 microseconds at most. Limits of
 * sizes are not enough: one part of a file may be asked about again for each entry of another part. So whatever walks
 * through a part charges for it here, before it walks.
 */
export class Budget {
  #spent = 0;

  /** Steps that were charged. */
  get spent(): number {
    return this.#spent;
  }

  /** Throws `CiFileError` when there are not that many steps left. */
  charge(steps: number, message = "the file takes too long to work out"): void {
    this.#spent += steps;
    if (this.#spent > stepsMax) throw new CiFileError(message);
  }
}
