import { placesOf } from "../../../../support/fixtures/places.ts";
import { type Answer, type CallOptions, type Json, rootToken, type World } from "../../../../support/fixtures/world.ts";

/** The expected audit event of an act: its own part of the details, and its entity. */
export interface Expected {
  readonly event: string;
  readonly entity: readonly [type: string, id: number, path: string];
  readonly target: readonly [type: string, id: unknown, details: string];
  readonly act: Json;
}

/** One line of audit-events 4: how it is done through the API, and what comes of it. */
export type Act = (call: Caller, world: World) => Promise<Expected>;

/** Root's call; throws when it is refused. */
export type Caller = (method: string, path: string, json?: object, options?: CallOptions) => Promise<Answer>;

export function callerOf(world: World): Caller {
  return async (method, path, json, options) => {
    const answer = await world.call(method, path, {
      token: rootToken,
      ...(json === undefined ? {} : { json }),
      ...options,
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
}

let count = 0;
export const fresh = () => {
  count += 1;
  return `fresh${count}`;
};

export const instance = ["Service::Audit::InstanceScope", 1, "service_instance"] as const;
export const change = (name: string, from: string, to: string) => ({
  change: name,
  from,
  to,
  custom_message: `Changed ${name} from ${from} to ${to}`,
});

export const makeGroup = (world: World) => placesOf(world).group({ path: fresh(), visibility: "private" });
export const makeProject = (world: World, namespaceId = makeGroup(world).id) =>
  placesOf(world).project(namespaceId, { path: fresh(), visibility: "private" });
