/** Circles of variables that name each other, and the names in their values. */

import type { Budget } from "../budget.ts";
import { visitCycles } from "../cycles.ts";

/** Names of variables in a text that a runner gets; `$$` and `%%` stand for themselves. */
export const variableReference = /\$\$|%%|\$([a-zA-Z_]\w*)|\$\{([a-zA-Z_]\w*)\}|%([a-zA-Z_]\w*)%/g;

/** Calls `note` with each name, however often it comes; it may throw to end the search. */
export function forEachVariableName(text: string, note: (name: string) => void): void {
  for (const [, plain, braced, percent] of text.matchAll(variableReference)) note(plain ?? braced ?? percent ?? "");
}

/** Variables of one place, and the names of those that are not expanded. */
interface Declared {
  readonly variables: Readonly<Record<string, string>>;
  readonly rawVariables: ReadonlySet<string>;
}

/** A variable that names others. */
interface Naming {
  readonly key: string;
  readonly names: ReadonlySet<string>;
}

const stepsPerVariable = 0.1;
const charactersPerStep = 100;
/** Of a variable that names others, for each job: circles are looked for. */
const stepsPerNaming = 2;

/** Finds variables of jobs that name each other in a circle. Those of a place that many jobs have are read once. */
export class CircularVariables {
  readonly #given: readonly Naming[];
  readonly #budget: Budget;
  readonly #known = new Map<Declared["variables"], readonly Naming[]>();
  readonly #faults = new Map<Declared["variables"], string | undefined>();

  constructor(given: readonly { readonly key: string; readonly value: string; readonly raw?: true }[], budget: Budget) {
    this.#budget = budget;
    this.#given = given.flatMap(({ key, value, raw }) => (raw === true ? [] : this.#read(key, value)));
  }

  /** The platform's sentence about a job; undefined without a circle. */
  faultOf(inherited: Declared, own: Declared): string | undefined {
    if (Object.keys(own.variables).length > 0) return this.#faultIn(inherited, own);
    if (!this.#faults.has(inherited.variables)) this.#faults.set(inherited.variables, this.#faultIn(inherited, own));
    return this.#faults.get(inherited.variables);
  }

  #faultIn(inherited: Declared, own: Declared): string | undefined {
    const isReplaced = ({ key }: Naming) => Object.hasOwn(own.variables, key);
    const all = [...this.#of(inherited).filter((each) => !isReplaced(each)), ...this.#of(own), ...this.#given];
    this.#budget.charge(all.reduce((steps, { names }) => steps + names.size, all.length * stepsPerNaming));
    const byKey = Map.groupBy(all, ({ key }) => key);
    const circles: string[] = [];
    const namedBy = ({ names }: Naming) => [...names].flatMap((name) => byKey.get(name) ?? []);
    visitCycles(all, namedBy, (together) => {
      circles.push(`[${together.map(({ key }) => JSON.stringify(key)).join(", ")}]`);
    });
    return circles.length === 0 ? undefined : `circular variable reference detected: ${circles.join(", ")}`;
  }

  #of({ variables, rawVariables }: Declared): readonly Naming[] {
    const known = this.#known.get(variables);
    if (known !== undefined) return known;
    const naming = Object.entries(variables).flatMap(([key, value]) =>
      rawVariables.has(key) ? [] : this.#read(key, value),
    );
    this.#known.set(variables, naming);
    return naming;
  }

  #read(key: string, value: string): Naming[] {
    this.#budget.charge(stepsPerVariable + value.length / charactersPerStep);
    if (!/[$%]/.test(value)) return [];
    const names = new Set<string>();
    forEachVariableName(value, (name) => {
      this.#budget.charge(1);
      names.add(name);
    });
    return names.size === 0 ? [] : [{ key, names }];
  }
}
