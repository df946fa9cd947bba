/** The expansion of variables in texts. */

import { Budget } from "../budget.ts";
import { CiFileError } from "../values.ts";
import type { Variables } from "./expressions.ts";

/** Characters that a text is read through in one step. */
const readPerStep = 100;

/** Characters that variables may be expanded to: one that names another thousands of times stands for gigabytes. */
export class ExpansionBudget {
  readonly #budget: Budget;
  #left: number;

  constructor(budget = new Budget(), characters = 1_000_000) {
    this.#budget = budget;
    this.#left = characters;
  }

  /** Throws `CiFileError` when there is no more. */
  take(length: number): void {
    this.#budget.charge(1 + length / readPerStep);
    this.#left -= length;
    if (this.#left < 0) throw new CiFileError("variables are too long when expanded");
  }
}

/**
 * `$NAME` and `${NAME}` with what they stand for, unknown ones with nothing; `$$` is a dollar. Throws `CiFileError` for what
 * has no room.
 */
export function expandVariables(text: string, variables: Variables, room = new ExpansionBudget()): string {
  room.take(text.length);
  return text.replaceAll(/\$(?:\$|(\w+)|\{(\w+)\})/g, (_, plain?: string, braced?: string) => {
    const name = plain ?? braced;
    const value = name === undefined ? "$" : (variables.get(name) ?? "");
    room.take(value.length);
    return value;
  });
}

/** Variables that name variables that name variables … */
const depthMax = 100;

/** Variables of one place, which may say that the value of one stays as it is. */
export interface VariableLayer extends Variables {
  readonly isRaw?: (name: string) => boolean;
}

const ofUser = new Set(["GITLAB_USER_ID", "GITLAB_USER_EMAIL", "GITLAB_USER_LOGIN", "GITLAB_USER_NAME"]);

/** A layer of the file without the variables that say who runs it: the predefined ones of this kind come before it. */
export function belowUser(layer: VariableLayer, predefined: Variables): VariableLayer {
  return {
    get: (name) => (ofUser.has(name) && predefined.get(name) !== undefined ? undefined : layer.get(name)),
    isRaw: (name) => layer.isRaw?.(name) === true,
  };
}

/** Whether a predefined variable comes before those of the file. */
export function isAboveFile(name: string): boolean {
  return ofUser.has(name);
}

/** Variables of several places, the first place first asked; those that name others have these worked in. */
export class LayeredVariables implements Variables {
  readonly #layers: readonly VariableLayer[];
  /** Variables whose values are final: a `$` in them means nothing. */
  readonly #plain: Variables;
  readonly #room: ExpansionBudget;
  readonly #known = new Map<string, string | undefined>();
  #depth = 0;

  constructor(layers: readonly VariableLayer[], plain: Variables, room: ExpansionBudget) {
    this.#layers = layers;
    this.#plain = plain;
    this.#room = room;
  }

  get(name: string): string | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    const layer = this.#layers.find((each) => each.get(name) !== undefined);
    const raw = layer?.get(name);
    if (raw === undefined) return this.#plain.get(name);
    if (!raw.includes("$") || layer?.isRaw?.(name) === true) return raw;
    // One that leads back to itself is there as it stands.
    this.#known.set(name, raw);
    this.#depth += 1;
    if (this.#depth > depthMax) throw new CiFileError("variables name each other too deep");
    const value = expandVariables(raw, this, this.#room);
    this.#depth -= 1;
    this.#known.set(name, value);
    return value;
  }
}
