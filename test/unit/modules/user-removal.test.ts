import { expect, test } from "bun:test";
import type { SignedInCaller } from "../../../src/domain/caller.ts";
import { type DateTime, toDateTime } from "../../../src/lib/datetime.ts";
import { deleteUser } from "../../../src/modules/core/users/deletion/service-delete.ts";
import {
  type DeletedUser,
  findUser,
  userDefaults,
  userDeletionRequested,
  userRemovalStep,
} from "../../../src/modules/core/users/index.ts";
import { type UserRecord, users } from "../../../src/modules/core/users/records.ts";
import { insertUser } from "../../../src/modules/core/users/service-create.ts";
import { namespaces } from "../../../src/modules/groups-and-projects/namespaces-api/records.ts";
import type { Context } from "../../../src/modules/kernel/context.ts";
import { type Subscriber, subscribe } from "../../../src/modules/kernel/event.ts";
import { startWorld } from "../../support/fixtures/world.ts";

const { context: plain, store, clock } = await startWorld();

const person = (username: string, attributes: Partial<UserRecord> = {}) =>
  store.transact((tx) =>
    insertUser(tx, {
      ...userDefaults(clock.time()),
      username,
      name: username,
      email: `${username}@x.example`,
      ...attributes,
    }),
  );
const caller: SignedInCaller = { user: person("boss", { is_admin: true }), token: undefined, ipAddress: null };

type Removal = Subscriber<DeletedUser>["run"];

/** A context in which nothing but these removals follows the deletion of a user, and what they were told, in order. */
function contextWith(...removals: Removal[]): { context: Context; told: [number, DeletedUser][] } {
  const told: [number, DeletedUser][] = [];
  const subscriptions = removals.map((remove, at) =>
    subscribe(userRemovalStep, {
      run(tx, context, deleted) {
        told.push([at, deleted]);
        remove(tx, context, deleted, undefined);
      },
    }),
  );
  return {
    context: { ...plain, subscriptions: new Map([...plain.subscriptions, [userRemovalStep, subscriptions]]) },
    told,
  };
}

const idle: Removal = () => undefined;
const haunted: Removal = (_tx, _context, { ghost }) => void ghost();
const ghosts = () => [...store.of(users).by.user_type.find("ghost")].map((id) => findUser(store, id) as UserRecord);

test("every module gets the event in order, while the user and the namespace exist", async () => {
  const user = person("told");
  const seen: unknown[] = [];
  const looking: Removal = (_tx, _context, deleted) => {
    seen.push(findUser(store, deleted.user.id), store.of(namespaces).get(deleted.user.namespace_id)?.path);
  };
  const { context, told } = contextWith(looking, idle);
  await deleteUser(context, caller, { id: user.id }, undefined);
  expect(told.map(([at, removed]) => [at, removed.user, removed.isHard, removed.caller])).toEqual([
    [0, user, false, caller],
    [1, user, false, caller],
  ]);
  expect(seen).toEqual([user, "told"]);
  expect(findUser(store, user.id)).toBeUndefined();
});

test("nothing is removed when one of them fails", async () => {
  const user = person("kept");
  const failing: Removal = () => {
    throw new Error("no");
  };
  const { context } = contextWith(haunted, failing);
  await expect(deleteUser(context, caller, { id: user.id }, undefined)).rejects.toThrow("no");
  expect([findUser(store, user.id), ghosts()]).toEqual([user, []]);
});

test("a user who wrote a lot is deleted in several transactions, and others have their turn in between", async () => {
  const user = person("prolific");
  let left = 1_200;
  const { context, told } = contextWith((_tx, _context, { budget }) =>
    budget.spend((limit) => {
      const removed = Math.min(limit, left);
      left -= removed;
      return removed;
    }),
  );
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (findUser(store, user.id) !== undefined) setImmediate(turn);
  };
  turn();
  await deleteUser(context, caller, { id: user.id }, undefined);
  expect([left, findUser(store, user.id)]).toEqual([0, undefined]);
  expect(told.length).toBe(3);
  expect(turns).toBeGreaterThan(2);
});

test("a subscriber refuses a deletion before anything is changed", async () => {
  const user = person("owner");
  const refusal = subscribe(userDeletionRequested, {
    run(_tx, _context, requested) {
      if (!requested.isHard && requested.user.id === user.id) throw new Error("owns a group");
    },
  });
  const { context: idling, told } = contextWith(idle);
  const subscriptions = new Map([...idling.subscriptions, [userDeletionRequested, [refusal]]]);
  const context: Context = { ...idling, subscriptions };
  const remove = (hard_delete: boolean, since?: DateTime) =>
    deleteUser(context, caller, { id: user.id, hard_delete }, since);
  await expect(remove(false, toDateTime(0))).rejects.toThrow("owns a group");
  expect([told, findUser(store, user.id)]).toEqual([[], user]);
  await expect(remove(true, toDateTime(0))).rejects.toThrow("Precondition Failed");
  await remove(true);
  expect(told.map(([, { isHard }]) => isHard)).toEqual([true]);
});

test("the ghost is created at its first use, once, under a free name", async () => {
  const remove = (removal: Removal, username: string) =>
    deleteUser(contextWith(removal).context, caller, { id: person(username).id }, undefined);
  await remove(idle, "unwritten");
  expect(ghosts()).toEqual([]);
  const squatter = person("ghost");
  person("other", { email: "ghost1@outpost.test" });
  await remove(haunted, "written");
  await remove(haunted, "written-too");
  expect(ghosts()).toEqual([
    expect.objectContaining({
      username: "ghost2",
      name: "Ghost User",
      state: "active",
      user_type: "ghost",
      password_digest: null,
      created_by_id: null,
    }),
  ]);
  expect(findUser(store, squatter.id)).toEqual(squatter);
});
