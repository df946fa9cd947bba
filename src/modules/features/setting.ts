import { closedGates, type Gates, openGates, optOutOf, stateOf } from "./gates.ts";
import { refusal } from "./refusal.ts";

/** What was asked for: all three as texts (feature-flags 3). */
export interface Wish {
  readonly name: string;
  readonly value: string;
  readonly key: string | undefined;
}

/** One whom a flag is set for. */
export interface Target {
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
export function withSetting(gates: Gates, wish: Wish): Gates {
  const { value, key } = wish;
  const word = words.get(value);
  if (word !== undefined) return word === "on" ? openGates : closedGates;
  if (key === "percentage_of_actors") return withPercentage(gates, key, value);
  if (key === "percentage_of_time") return withPercentage(gates, key, value);
  if (key === undefined && isNumber(value)) return withPercentage(gates, "percentage_of_time", value);
  throw refusal(notUnderstood(wish));
}

/** The gates after a flag was set for one target. */
export function withTarget(gates: Gates, wish: Wish, { gate, id }: Target): Gates {
  const held: readonly string[] = gates[gate];
  const optOut = optOutOf(id);
  const hasOptedOut = gates.actors.includes(optOut);
  const isActor = gate === "actors";
  switch (words.get(wish.value) ?? wish.value) {
    case "on":
      if (isActor && hasOptedOut) throw refusal(`Opt-out exists for ${id} - remove opt-out before enabling`);
      return { ...gates, [gate]: including(held, id) };
    case "off":
      return { ...gates, [gate]: excluding(held, id) };
    case "opt_out":
      if (!isActor) break;
      return { ...gates, actors: including(gates.actors, optOut) };
    case "remove_opt_out":
      if (!isActor) break;
      if (!hasOptedOut) throw refusal(`No opt-out exists for ${id}`);
      return { ...gates, actors: excluding(gates.actors, optOut) };
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

function notUnderstood({ name, value, key }: Wish): string {
  const what = key === undefined ? "" : ` ("${key}")`;
  return `Cannot set '${name}'${what} to "${value}"`;
}

function including(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id];
}

function excluding(ids: readonly string[], id: string): readonly string[] {
  return ids.filter((each) => each !== id);
}
