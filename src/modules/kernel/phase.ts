/** The place of a hook in the order of hooks of its kind: 1 runs first, 9 runs last. */
export type Phase = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export interface InPhase {
  /** 5 unless said. In one phase, the order is that of the modules. */
  readonly phase?: Phase;
}

/** Those of lower phases first. */
export function inPhases<T extends InPhase>(all: readonly T[]): readonly T[] {
  return all.toSorted((one, other) => (one.phase ?? 5) - (other.phase ?? 5));
}
