import { pathParameters } from "../../modules/kernel/operation.ts";

/** The handlers of a path by method, and its decoded parameters. */
export interface FoundPath<R> {
  readonly methods: ReadonlyMap<string, R>;
  readonly values: Readonly<Record<string, string>>;
}

interface DeepPath<R> {
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: Map<string, R>;
}

/**
 * Routes with a parameter of several segments, such as `/*path.git/info/refs`: the router cannot match a fixed end after
 * one. They are few, and tried last. Fixed segments win over parameters.
 */
export class DeepPaths<R> {
  readonly #paths: DeepPath<R>[] = [];

  add(method: string, path: string, served: R): void {
    let known = this.#paths.find((each) => each.path === path);
    if (known === undefined) {
      known = { path, pattern: patternOf(path), methods: new Map() };
      this.#paths.push(known);
      this.#paths.sort((one, other) => fixedLength(other.path) - fixedLength(one.path));
    }
    known.methods.set(method, served);
  }

  /** Finds the handlers of a percent-encoded path. */
  find(path: string): FoundPath<R> | undefined {
    for (const { pattern, methods } of this.#paths) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const values = Object.fromEntries(match.slice(1).map((text, place) => [place, decodeURIComponent(text)]));
      return { methods, values };
    }
    return undefined;
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .split(/([:*][a-z_]+)/)
    .map((part) => (part.startsWith(":") ? "([^/]+)" : part.startsWith("*") ? "(.+)" : RegExp.escape(part)))
    .join("");
  return new RegExp(`^${source}$`);
}

function fixedLength(path: string): number {
  return path.length - pathParameters(path).reduce((sum, name) => sum + name.length + 1, 0);
}
