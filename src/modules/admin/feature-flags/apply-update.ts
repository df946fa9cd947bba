/** The gates of a flag after an update. */

import { closedGates, type Gates, openGates, optOutOf, stateOf } from "./gates.ts";
import { refusal } from "./refusal.ts";

/** The parameters of an update: all three as texts (feature-flags 3). */
export interface FlagUpdate {
  readonly name: string;
  readonly value: string;
  readonly key: string | undefined;
}

/** One whom a flag is set for. */
export interface FlagTarget {
  readonly gate: "actors" | "groups";
  readonly id: string;
}

const words: ReadonlyMap<string, "on" | "off"> = new Map([
  ["100", "on"],
  ["100.0", "on"],
  ["true", "on"],
  ["0", "off"],
  ["0.0", "off"],
  ["false", "off"],
]);

/** The gates after a flag was set for everybody (feature-flags 3.1). Throws 400 for what it cannot mean. */
export function withSetting(gates: Gates, wish: FlagUpdate): Gates {
  const { value, key } = wish;
  const word = words.get(value);
  if (word !== undefined) return word === "on" ? openGates : closedGates;
  if (key === "percentage_of_actors") return withPercentage(gates, key, value);
  if (key === "percentage_of_time") return withPercentage(gates, key, value);
  if (key === undefined && isNumber(value)) return withPercentage(gates, "percentage_of_time", value);
  throw refusal(notUnderstood(wish));
}

/** The gates after a flag was set for targets, one after the other. Throws 400 for the first one that refuses. */
export function withTargets(gates: Gates, wish: FlagUpdate, targets: readonly FlagTarget[]): Gates {
  const held = { actors: new Set(gates.actors), groups: new Set(gates.groups) };
  for (const target of targets) setFor(held, wish, target);
  return { ...gates, actors: [...held.actors], groups: [...held.groups] };
}

/** Sets, as a gate may hold a hundred thousand of them. */
type Held = Readonly<Record<FlagTarget["gate"], Set<string>>>;

function setFor(gates: Held, wish: FlagUpdate, { gate, id }: FlagTarget): void {
  const isActor = gate === "actors";
  const held = gates[gate];
  const optOut = optOutOf(id);
  switch (words.get(wish.value) ?? wish.value) {
    case "on":
      if (isActor && held.has(optOut)) throw refusal(`Opt-out exists for ${id} - remove opt-out before enabling`);
      held.add(id);
      return;
    case "off":
      held.delete(id);
      return;
    case "opt_out":
      if (!isActor) break;
      held.add(optOut);
      return;
    case "remove_opt_out":
      if (!isActor) break;
      if (!held.delete(optOut)) throw refusal(`No opt-out exists for ${id}`);
      return;
  }
  throw refusal(`${notUnderstood(wish)} for ${id}`);
}

function withPercentage(gates: Gates, gate: "percentage_of_actors" | "percentage_of_time", value: string): Gates {
  if (!isNumber(value)) throw refusal("Not a percentage");
  const percentage = Number(value);
  if (percentage > 100) {
    throw refusal(`value must be a positive number less than or equal to 100, but was ${value}`);
  }
  if (stateOf(gates) === "on") {
    throw refusal(`Cannot enable ${gate.replaceAll("_", " ")} for a fully-enabled flag`);
  }
  return { ...gates, [gate]: percentage };
}

function isNumber(value: string): boolean {
  return /^\d+(\.\d+)?$/.test(value);
}

function notUnderstood({ name, value, key }: FlagUpdate): string {
  const what = key === undefined ? "" : ` ("${key}")`;
  return `Cannot set '${name}'${what} to "${value}"`;
}
