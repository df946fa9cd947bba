/** The resolution of `!reference` among the entries of a file. */

import { CiFileError, isMapping, Reference } from "./values.ts";

/** Puts what `!reference [job, keyword]` names in its place; `extends` has been worked into the named job by then. */
export class References {
  readonly #named: (name: string) => unknown;
  /** Shared parts are resolved once, so they stay shared. */
  readonly #resolved = new Map<object, unknown>();
  readonly #targets = new Map<string, unknown>();
  readonly #open = new Set<string>();

  /** @param named a job, or something else at the top of the file; undefined for what is not there */
  constructor(named: (name: string) => unknown) {
    this.#named = named;
  }

  /** Throws `CiFileError`. */
  resolve(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const known = this.#resolved.get(value);
    if (known !== undefined) return known;
    const resolved = this.#resolve(value);
    this.#resolved.set(value, resolved);
    return resolved;
  }

  #resolve(value: object): unknown {
    if (value instanceof Reference) return this.#target(value);
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    if (!isMapping(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.resolve(inner)]));
  }

  #target({ path, shown }: Reference): unknown {
    if (path === undefined) throw new CiFileError(`${shown} is not valid`);
    if (this.#targets.has(shown)) return this.#targets.get(shown);
    if (this.#open.has(shown)) throw new CiFileError(`${shown} is part of a circular chain`);
    this.#open.add(shown);
    const target = this.resolve(this.#find(path));
    this.#open.delete(shown);
    if (target === undefined || target === null || target === false)
      throw new CiFileError(`${shown} could not be found`);
    this.#targets.set(shown, target);
    return target;
  }

  #find([name = "", ...keys]: readonly string[]): unknown {
    let found = this.#named(name);
    for (const key of keys) found = isMapping(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    return found;
  }
}
