/** The gates of a flag, and whether they let an actor through. */

import { field, type RecordOf } from "../../../store/index.ts";

/**
 * The gates that decide whether a flag is on (feature-flags 2). One open gate is enough; an opt-out closes all of them.
 */
export const Gates = field.object({
  boolean: field.flag,
  /** Ids as `User:7`, opt-outs as `User:7:opt_out`; each once. */
  actors: field.listOf(field.text),
  groups: field.listOf(field.text),
  /** 0 to 100, decimals too. */
  percentage_of_actors: field.number,
  /** 0 to 100, decimals too. */
  percentage_of_time: field.number,
});
export type Gates = RecordOf<typeof Gates>;

export type State = "on" | "off" | "conditional";

export const closedGates: Gates = {
  boolean: false,
  actors: [],
  groups: [],
  percentage_of_actors: 0,
  percentage_of_time: 0,
};

export const openGates: Gates = { ...closedGates, boolean: true };

export function stateOf(gates: Gates): State {
  if (gates.boolean || gates.percentage_of_time === 100) return "on";
  const isOff =
    gates.actors.length === 0 &&
    gates.groups.length === 0 &&
    gates.percentage_of_actors === 0 &&
    gates.percentage_of_time === 0;
  return isOff ? "off" : "conditional";
}

/** The id under which an actor said no to a flag. */
export function optOutOf(actor: string): string {
  return `${actor}:opt_out`;
}

/** Parts of one percent: decimals count to three places. */
const steps = 1000;

/** Whether an actor is in the percentage: always the same ones for a flag, others for another flag. */
export function isInPercentage(percentage: number, name: string, actor: string): boolean {
  return Bun.hash.crc32(`${name}${actor}`) % (100 * steps) < percentage * steps;
}
