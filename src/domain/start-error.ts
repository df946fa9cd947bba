/** Exit codes of the executable, documented in the README. */
export const exitCodes = { failed: 1, usage: 2, damaged: 3, answered4xx: 4, answered5xx: 5 } as const;

/**
 * Something that keeps Outpost from starting and that a person can mend: printed as one sentence and a cure,
 * without a stack.
 */
export class StartError extends Error {
  override readonly name = "StartError";
  /** A command or a setting that helps. */
  readonly cure: string;
  readonly exitCode: number;

  constructor(message: string, cure: string, options: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.cure = cure;
    this.exitCode = options.exitCode ?? exitCodes.failed;
  }
}
