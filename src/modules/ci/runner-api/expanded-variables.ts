/** The expansion of the variables that a runner gets. */

import { spend } from "../../../domain/work-budget.ts";
import { forEachVariableName, variableReference } from "../ci-config/index.ts";
import type { JobVariable } from "./variables.ts";

const depthMax = 100;
/** Characters that all values together may expand to: a value that names another thousands of times would fill the memory. */
const charactersMax = 1_000_000;
/** Characters that are searched for names in one step of a request. */
const charactersPerStep = 100;

/**
 * Works variables into those that name them, and puts those that are named first. The runner gets as they stand: raw values,
 * names of raw variables, of files, and of variables that only it knows. If variables name each other in a circle, too
 * deep, or too often, or are too long together, all stay as they are.
 */
export function expandJobVariables(variables: readonly JobVariable[]): JobVariable[] {
  const length = variables.reduce((sum, { value, raw }) => sum + (raw === true ? 0 : value.length), 0);
  spend(length / charactersPerStep);
  if (length > charactersMax) return [...variables];
  const expansion = new Expansion(variables);
  return variables.every(({ key }) => expansion.add(key, 0)) ? expansion.found : [...variables];
}

class Expansion {
  readonly found: JobVariable[] = [];
  readonly #byKey: ReadonlyMap<string, JobVariable>;
  readonly #done = new Map<string, JobVariable>();
  readonly #open = new Set<string>();
  #left = charactersMax;

  constructor(variables: readonly JobVariable[]) {
    this.#byKey = new Map(variables.map((variable) => [variable.key, variable]));
  }

  /** Adds a variable behind those that it names. False when that is not possible. */
  add(key: string, depth: number): boolean {
    const variable = this.#byKey.get(key);
    if (variable === undefined || this.#done.has(key)) return true;
    if (this.#open.has(key) || depth > depthMax) return false;
    this.#open.add(key);
    const isPlain = variable.raw === true || !/[$%]/.test(variable.value);
    const names = new Set<string>();
    if (!isPlain) forEachVariableName(variable.value, (name) => names.add(name));
    for (const name of names) {
      // `PATH: "$PATH:bin"` names the runner's own.
      if (name !== key && !this.add(name, depth + 1)) return false;
    }
    this.#open.delete(key);
    const value = isPlain ? variable.value : this.#expand(variable.value);
    if (this.#left < 0) return false;
    const expanded = { ...variable, value };
    this.#done.set(key, expanded);
    this.found.push(expanded);
    return true;
  }

  #expand(text: string): string {
    return text.replace(variableReference, (whole, plain?: string, braced?: string, percent?: string) => {
      const variable = this.#done.get(plain ?? braced ?? percent ?? "");
      const value = variable === undefined || variable.raw || variable.file ? whole : variable.value;
      this.#left -= value.length;
      return this.#left < 0 ? "" : value;
    });
  }
}
