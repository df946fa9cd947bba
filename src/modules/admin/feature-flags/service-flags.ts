import type { FeatureDefinitions } from "../../../domain/feature-definition.ts";
import type { Randomness } from "../../../lib/randomness.ts";
import type { Store } from "../../../store/index.ts";
import { serviceKey } from "../../kernel/service.ts";
import type { BuiltInFlag } from "./catalogue.ts";
import { isInPercentage, optOutOf } from "./gates.ts";
import { type FeatureRecord, features } from "./records.ts";

/** The entity that a flag is checked for: `{ type: "User", id: 7 }`. */
export interface Actor {
  readonly type: "User" | "Group" | "Project";
  readonly id: number;
}

/** A flag whose answer depends on who asks or when. */
interface Conditional {
  readonly record: FeatureRecord;
  readonly actors: ReadonlySet<string>;
}

const startPageSize = 1000;

/**
 * Whether the server's own optional behaviours are on. Every flag is worked out when it changes, so that asking for one
 * that is on or off for all is one look into a map: it may be asked in every request.
 */
export class FeatureFlags {
  readonly definitions: FeatureDefinitions;
  readonly #randomness: Pick<Randomness, "fraction">;
  readonly #decisions = new Map<string, boolean | Conditional>();

  constructor(store: Store, definitions: FeatureDefinitions, randomness: Pick<Randomness, "fraction">) {
    this.definitions = definitions;
    this.#randomness = randomness;
    for (const { name, default_enabled } of definitions.values()) this.#decisions.set(name, default_enabled);
    for (const record of listFeatures(store)) this.#decisions.set(record.name, decisionOf(record));
    store.watch(features, (before, after) => {
      const name = after?.name ?? before?.name;
      if (name === undefined) return;
      const decision = after === undefined ? definitions.get(name)?.default_enabled : decisionOf(after);
      if (decision === undefined) this.#decisions.delete(name);
      else this.#decisions.set(name, decision);
    });
  }

  /**
   * A flag that was never set is as its definition says. Without an actor only what holds for all opens it: fully on, or
   * the percentage of time, which is drawn again at each call.
   */
  isEnabled(name: BuiltInFlag, actor?: Actor): boolean {
    const decision = this.#decisions.get(name);
    return typeof decision === "object" ? this.#decide(decision, actor) : decision === true;
  }

  #decide({ record, actors }: Conditional, actor: Actor | undefined): boolean {
    const id = actor === undefined ? undefined : `${actor.type}:${actor.id}`;
    if (id !== undefined && actors.has(optOutOf(id))) return false;
    if (record.boolean) return true;
    if (id !== undefined && (actors.has(id) || isInPercentage(record.percentage_of_actors, record.name, id)))
      return true;
    return record.percentage_of_time > 0 && this.#randomness.fraction() * 100 < record.percentage_of_time;
  }
}

/** Says which of the server's own optional behaviours are on. */
export const Features = serviceKey(
  "features",
  ({ store, featureDefinitions, randomness }) => new FeatureFlags(store, featureDefinitions, randomness),
);

/** Every flag that was set, in the order of the names: some tens of them. */
export function listFeatures(store: Store): FeatureRecord[] {
  const all: FeatureRecord[] = [];
  for (let page = 1; ; page += 1) {
    const request = { kind: "offset", page, perPage: startPageSize } as const;
    const { items, hasNext } = store.page(features, {
      where: [],
      order: "name_order",
      descending: false,
      page: request,
    });
    all.push(...items);
    if (!hasNext) return all;
  }
}

function decisionOf(record: FeatureRecord): boolean | Conditional {
  const hasActors = record.actors.length > 0 || record.percentage_of_actors > 0;
  if (!hasActors && (record.boolean || record.percentage_of_time === 0)) return record.boolean;
  return { record, actors: new Set(record.actors) };
}
