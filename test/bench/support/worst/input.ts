/** The input for which a constant of the work budget fits least. */
export interface WorstInput {
  /** The name of the constant, or of what is charged. */
  readonly constant: string;
  readonly input: string;
  /** Returns the work, which is done many times. */
  prepare(): (() => unknown) | Promise<() => unknown>;
}

export const mebibyte = 1 << 20;

export function worst(constant: string, input: string, prepare: WorstInput["prepare"]): WorstInput {
  return { constant, input, prepare };
}

export function many(count: number, make: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
