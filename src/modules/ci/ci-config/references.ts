/** The resolution of `!reference` among the entries of a file. */

import { CiFileError, isMapping, Reference } from "./values.ts";

/** A reference may lead to another one, and so on. */
const depthMax = 10;

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
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.resolve(inner)]));
  }

  #target({ path }: Reference): unknown {
    const key = JSON.stringify(path);
    const shown = `!reference [${path.map((part) => JSON.stringify(part)).join(", ")}]`;
    if (this.#targets.has(key)) return this.#targets.get(key);
    if (this.#open.has(key) || this.#open.size >= depthMax) {
      throw new CiFileError(`${shown} is part of a circular chain`);
    }
    this.#open.add(key);
    const target = this.resolve(this.#find(path, shown));
    this.#open.delete(key);
    this.#targets.set(key, target);
    return target;
  }

  #find([name, ...keys]: readonly string[], shown: string): unknown {
    let found = name === undefined ? undefined : this.#named(name);
    for (const key of keys) {
      if (found instanceof Reference) found = this.#target(found);
      found = isMapping(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    }
    if (found === undefined) throw new CiFileError(`${shown} could not be found`);
    return found;
  }
}
