/** Exit codes of the executable, documented in the README. */
export const exitCodes = { failed: 1, usage: 2, damaged: 3, answered4xx: 4, answered5xx: 5 } as const;

/**
 * Something that keeps Outpost from starting and that a person can mend: printed as one sentence and a cure,
 * without a stack.
 */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly exitCode: number;
  readonly #cure: string | ((verb: string) => string);

  /** `cure`: a command or a setting that helps; where any verb may fail alike, made of `serve`, `export FOLDER`, … */
  constructor(
    message: string,
    cure: string | ((verb: string) => string),
    options: ErrorOptions & { exitCode?: number } = {},
  ) {
    super(message, options);
    this.#cure = cure;
    this.exitCode = options.exitCode ?? exitCodes.failed;
  }

  /** What helps whoever asked for `verb`. */
  cureFor(verb: string): string {
    return typeof this.#cure === "string" ? this.#cure : this.#cure(verb);
  }
}
