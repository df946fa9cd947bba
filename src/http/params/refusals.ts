import { Failure } from "../../domain/failure.ts";

/**
 * Returns 400 for bytes that no client sends on purpose: an invalid escape, a NUL, invalid UTF-8 (rest-conventions 2.1,
 * 2.2).
 */
export function badRequest(): Failure {
  return refuseParameters("Bad Request");
}

/** Returns 400 with the reason in `error`. */
export function refuseParameters(error: string): Failure {
  return new Failure("parameters", { error });
}

/**
 * Collects the errors in the parameters of a request, in the order in which they are found, so that one answer has all of
 * them (rest-conventions 3).
 */
export class Refusals {
  readonly #texts = new Set<string>();
  #firstMissing: string | undefined;

  add(text: string): void {
    this.#texts.add(text);
  }

  /** Adds the error for a missing required parameter. */
  addMissing(label: string): void {
    this.#firstMissing ??= label;
    this.add(`${label} is missing`);
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  /**
   * Returns a failure with every text in `error`. `message` names the first missing parameter; without one it repeats
   * `error` (issues-labels-milestones-epics 0 requires both keys).
   */
  toFailure(): Failure {
    const error = [...this.#texts].join(", ");
    const message = this.#firstMissing === undefined ? error : `400 (Bad request) "${this.#firstMissing}" not given`;
    return new Failure("parameters", { error, message });
  }
}
