/** The walk of a value through its entry in the table, which finds the faults. */

import { isMapping } from "../values.ts";
import { type CheckTools, type Entry, isKind, labelOf, type Rule } from "./entry.ts";

/** A key, or the number of an item, for each level. */
export type Path = readonly (string | number)[];

export interface Fault {
  readonly text: string;
  readonly path: Path;
}

interface Place {
  /** Names of the entries above, as far as faults tell them. */
  readonly above: readonly string[];
  readonly name: string;
  readonly path: Path;
}

/** The root of a walk: `name` is what its own faults are told of. */
export function placeAt(name: string, path: Path, above: readonly string[] = []): Place {
  return { above, name, path };
}

const stepsPerEntry = 0.2;
const stepsPerRule = 0.1;

/** Returns the faults of a value and of what is in it: those of a part only where the whole has none. */
export function findFaults(entry: Entry, value: unknown, place: Place, tools: CheckTools): Fault[] {
  tools.budget.charge(stepsPerEntry + (entry.rules?.length ?? 0) * stepsPerRule);
  if (entry.variants !== undefined) return faultsOfVariants(entry, value, place, tools);
  const own = (entry.rules ?? []).flatMap((rule) => faultsOfRule(entry, rule, value, place, tools));
  const isRead = own.length === 0;
  const last = isMapping(value) ? lastFaultsOf(entry, value, isRead, place) : [];
  return [...own, ...last, ...(isRead ? faultsBelow(entry, value, place, tools) : [])];
}

function faultsOfVariants(entry: Entry, value: unknown, place: Place, tools: CheckTools): Fault[] {
  const { variants = [], otherwise = "" } = entry;
  const variant = variants.find(({ kind, if: fits }) => isKind(value, kind) && (fits?.(asMapping(value)) ?? true));
  if (variant === undefined) return [{ text: told(entry, place, otherwise), path: place.path }];
  return findFaults(variant.entry, value, place, tools);
}

function asMapping(value: unknown) {
  return isMapping(value) ? value : {};
}

function faultsOfRule(entry: Entry, rule: Rule, value: unknown, place: Place, tools: CheckTools): Fault[] {
  if (rule.if !== undefined && !rule.if(value)) return [];
  const { key } = rule;
  const subjectOf = rule.subjectOf ?? ((from: unknown) => (key === undefined ? from : asMapping(from)[key]));
  const subject = subjectOf(value);
  if (rule.isOptional && (subject === undefined || subject === null)) return [];
  const path = key === undefined ? place.path : [...place.path, key];
  return rule.checks.flatMap((check) => {
    const faults = check.faults(subject, tools);
    if (faults.length === 0) return [];
    const blamed = check.blamed?.(subject);
    const at = blamed === undefined ? path : [...path, blamed];
    return faults.map((fault) => ({
      text: told(entry, place, `${rule.label ?? labelOf(entry, key)} ${fault}`).toLowerCase(),
      path: at,
    }));
  });
}

function lastFaultsOf(entry: Entry, value: Readonly<Record<string, unknown>>, isRead: boolean, place: Place): Fault[] {
  return (entry.lastRules ?? []).flatMap((rule) => {
    const found = rule(value, isRead);
    if (found === undefined) return [];
    const path = found.key === undefined ? place.path : [...place.path, found.key];
    return { text: told(entry, place, `${labelOf(entry, found.key)} ${found.fault}`).toLowerCase(), path };
  });
}

function told({ alone, ownName }: Entry, { above, name }: Place, words: string): string {
  return `${alone ?? [...above, ownName ?? name].join(":")} ${words}`;
}

function faultsBelow(entry: Entry, value: unknown, place: Place, tools: CheckTools): Fault[] {
  const above = entry.ownName === undefined ? [...place.above, place.name] : place.above;
  const below = (sub: Entry, inner: unknown, name: string, path: Path) =>
    inner === undefined || inner === null ? [] : findFaults(sub, inner, { above, name, path }, tools);
  const { keys, items, values } = entry;
  const found: Fault[] = [];
  if (keys !== undefined && isMapping(value)) {
    for (const [name, sub] of Object.entries(keys)) found.push(...below(sub, value[name], name, [...place.path, name]));
  }
  if (items !== undefined) {
    for (const [inner, path] of itemsOf(value, place.path)) found.push(...below(items.entry, inner, items.name, path));
  }
  if (values !== undefined && isMapping(value)) {
    for (const [name, inner] of Object.entries(value)) {
      found.push(...below(values, inner ?? {}, name, [...place.path, name]));
    }
  }
  return found;
}

/** The items of a list and of lists in it; anything else is one item. */
function* itemsOf(value: unknown, path: Path): Generator<readonly [item: unknown, path: Path]> {
  if (!Array.isArray(value)) yield [value, path];
  else for (const [at, item] of value.entries()) yield* itemsOf(item, [...path, at]);
}
