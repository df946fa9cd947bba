import { spend } from "../../domain/work-budget.ts";
import {
  arrayItemsMax,
  arrayTooLarge,
  elementsMax,
  keyLengthMax,
  keyTooLong,
  nestedTooDeeply,
  nestingMax,
  tooManyElements,
} from "../params/parameter-limits.ts";
import { emptyValues, isHash, type RawValue, type RawValues } from "../params/values.ts";

/** The steps of an element. */
const elementSteps = 30;

/** The parameters of a query, a form or a multipart body, built key by key. */
export class GatheredValues {
  readonly values = emptyValues();
  #elements = 0;

  /**
   * Stores a value at its key (rest-conventions 2.3): `name`, `name[]`, `name[k]`, `name[0][k]`, `name[][k]`. Numbered
   * elements stay a hash with digits as keys: only the declared type distinguishes `variables[1]=x` of a hash from an array
   * element (`numberedItems`). A later value replaces an earlier one of another shape. Throws 400 for a key that is too long
   * or too deep, and for too many elements.
   */
  put(key: string, value: RawValue): void {
    if (key.length > keyLengthMax) throw keyTooLong();
    const open = key.indexOf("[");
    if (open <= 0 || !key.endsWith("]")) {
      this.#count(1);
      this.values[key] = value;
      return;
    }
    const steps = key.slice(open + 1, -1).split("][");
    if (steps.length > nestingMax) throw nestedTooDeeply();
    this.#count(steps.length);
    putIntoHash(this.values, key.slice(0, open), steps, 0, value);
  }

  /** Counts elements, including the arrays and hashes that the key makes. Throws `OverBudget`. */
  #count(elements: number): void {
    spend(elementSteps * elements, "input");
    this.#elements += elements;
    if (this.#elements > elementsMax) throw tooManyElements();
  }
}

/** Returns the elements of a hash whose keys are all numbers, in numeric order without gaps; else undefined. */
export function numberedItems(hash: RawValues): RawValue[] | undefined {
  const keys = Object.keys(hash);
  if (keys.length === 0 || !keys.every((key) => /^\d{1,15}$/.test(key))) return undefined;
  return keys.sort((a, b) => Number(a) - Number(b)).map((key) => hash[key] ?? null);
}

/**
 * Stores a value in a hash. `steps`, from `at` on, lead from the member `name` to the value. An empty step is the next
 * element of an array.
 */
function putIntoHash(hash: RawValues, name: string, steps: readonly string[], at: number, value: RawValue): void {
  const step = steps[at];
  if (step === undefined) {
    hash[name] = value;
    return;
  }
  const present = hash[name];
  if (step === "") {
    const array = Array.isArray(present) ? present : [];
    hash[name] = array;
    putIntoArray(array, steps, at + 1, value);
    return;
  }
  const inner = isHash(present) ? present : emptyValues();
  hash[name] = inner;
  putIntoHash(inner, step, steps, at + 1, value);
}

function putIntoArray(array: RawValue[], steps: readonly string[], at: number, value: RawValue): void {
  const step = steps[at];
  if (step === undefined) {
    append(array, value);
  } else if (step === "") {
    const inner: RawValue[] = [];
    append(array, inner);
    putIntoArray(inner, steps, at + 1, value);
  } else {
    putIntoHash(elementFor(array, steps, at), step, steps, at + 1, value);
  }
}

/** Returns the last element, or a new one when that has the key already: `n[][k]=1&n[][j]=2&n[][k]=3` are two elements. */
function elementFor(array: RawValue[], steps: readonly string[], at: number): RawValues {
  const last = array.at(-1);
  if (isHash(last) && !isTaken(last, steps, at)) return last;
  const element = emptyValues();
  append(array, element);
  return element;
}

function isTaken(hash: RawValues, steps: readonly string[], at: number): boolean {
  let present: RawValue | undefined = hash;
  for (const step of steps.slice(at)) {
    if (step === "") return !Array.isArray(present);
    if (!isHash(present)) return true;
    present = present[step];
    if (present === undefined) return false;
  }
  return true;
}

function append(array: RawValue[], value: RawValue): void {
  if (array.length >= arrayItemsMax) throw arrayTooLarge();
  array.push(value);
}
