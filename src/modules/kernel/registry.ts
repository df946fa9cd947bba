/**
 * A list that any module adds to in its manifest, such as the types of things that carry notes. The module that reads the list
 * declares it.
 */
export interface Registry<T> {
  /** kebab-case plural; errors of the start name the registry by it. */
  readonly name: string;
  /** Has no value: it carries the type. */
  readonly entry?: T;
}

/** An entry of a registry, for manifests. */
export interface RegistryEntry {
  readonly registry: Registry<unknown>;
  readonly entry: unknown;
}

/** The entries of each registry that a manifest declares, in the order of the modules. */
export type RegistryEntries = ReadonlyMap<Registry<unknown>, readonly unknown[]>;

export function registry<T>(name: string): Registry<T> {
  return { name };
}

/** `entries: [entryOf(noteables, noteableIssue)]` in a manifest. */
export function entryOf<T>(registry: Registry<T>, entry: NoInfer<T>): RegistryEntry {
  return { registry, entry };
}
