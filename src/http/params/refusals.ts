import { Failure } from "../../domain/failure.ts";

/** Bytes that no client means to send: a broken escape, a NUL, text that is not UTF-8 (rest-conventions 2.1, 2.2). */
export function badRequest(): Failure {
  return refuseParameters("Bad Request");
}

/** 400 with the reason in `error`. */
export function refuseParameters(error: string): Failure {
  return new Failure("parameters", { error });
}

/**
 * Collects what is wrong with the parameters of one request, in the order in which it is found, so that one answer
 * names everything (rest-conventions 3).
 */
export class Refusals {
  readonly #texts = new Set<string>();
  #firstMissing: string | undefined;

  add(text: string): void {
    this.#texts.add(text);
  }

  /** A required parameter that was not given. */
  addMissing(label: string): void {
    this.#firstMissing ??= label;
    this.add(`${label} is missing`);
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  /**
   * Every text in `error`. `message` names the first missing parameter in the words of the seed; without one it
   * repeats `error` (issues-labels-milestones-epics 0 asks for both keys).
   */
  toFailure(): Failure {
    const error = [...this.#texts].join(", ");
    const message = this.#firstMissing === undefined ? error : `400 (Bad request) "${this.#firstMissing}" not given`;
    return new Failure("parameters", { error, message });
  }
}
