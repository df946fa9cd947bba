import { type CallOptions, type Person, startWorld, type World } from "../../support/world.ts";

/** One call of an operation that its rightful caller would make, ready to be sent by anybody. */
export interface Sample {
  readonly path: string;
  readonly options?: CallOptions;
}

/** How an operation is called: made anew for each call, so that destructive operations always find something. */
export type MakeSample = (caller: Person) => Sample | Promise<Sample>;

/** `METHOD /path` as declared → its call. */
export type Samples = Readonly<Record<string, MakeSample>>;

/** Those who try every door. */
export interface Scene {
  readonly world: World;
  /** A plain user. */
  readonly ann: Person;
  /** An administrator. */
  readonly boss: Person;
  readonly blocked: Person;
  /** Different at each call: for names that must be new. */
  readonly fresh: () => string;
}

export async function setScene(): Promise<Scene> {
  const world = await startWorld();
  const ann = await world.user({ username: "ann" });
  const boss = await world.user({ username: "boss", admin: true });
  const blocked = await world.user({ username: "blocked" });
  world.alter(blocked.id, { state: "blocked" });
  let count = 0;
  const fresh = () => {
    count += 1;
    return `fresh${count}`;
  };
  return { world, ann, boss, blocked, fresh };
}

/** The same call each time. */
export function at(path: string, options: CallOptions = {}): MakeSample {
  return () => ({ path, options });
}
