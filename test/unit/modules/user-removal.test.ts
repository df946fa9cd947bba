import { expect, test } from "bun:test";
import type { SignedInCaller } from "../../../src/domain/caller.ts";
import { namespaces } from "../../../src/modules/core/namespaces/index.ts";
import { insertUser } from "../../../src/modules/core/users/create.ts";
import { deleteUser } from "../../../src/modules/core/users/delete.ts";
import { findUser, type UserRecord, userDefaults, users } from "../../../src/modules/core/users/index.ts";
import type { Context } from "../../../src/modules/kernel/context.ts";
import type { RemovedUser, UserRemoval } from "../../../src/modules/kernel/user-removed-hook.ts";
import { startWorld } from "../../support/world.ts";

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

/** What the removals were told, in order, in a house that has only these. */
function houseWith(...removals: UserRemoval[]): { context: Context; told: [number, RemovedUser][] } {
  const told: [number, RemovedUser][] = [];
  const userRemovals = removals.map(
    (removal, at): UserRemoval => ({
      ...removal,
      remove(tx, context, removed) {
        told.push([at, removed]);
        removal.remove(tx, context, removed);
      },
    }),
  );
  return { context: { ...plain, userRemovals }, told };
}

const idle: UserRemoval = { remove() {} };
const haunted: UserRemoval = { remove: (_tx, _context, { ghost }) => void ghost() };
const ghosts = () => [...store.of(users).by.user_type.find("ghost")].map((id) => findUser(store, id) as UserRecord);

test("every module is told in order, while the user and the namespace are there", () => {
  const user = person("told");
  const seen: unknown[] = [];
  const looking: UserRemoval = {
    remove(_tx, _context, removed) {
      seen.push(findUser(store, removed.user.id), store.of(namespaces).get(removed.user.namespace_id)?.path);
    },
  };
  const { context, told } = houseWith(looking, idle);
  deleteUser(context, caller, { id: user.id }, undefined);
  expect(told.map(([at, removed]) => [at, removed.user, removed.isHard, removed.caller])).toEqual([
    [0, user, false, caller],
    [1, user, false, caller],
  ]);
  expect(seen).toEqual([user, "told"]);
  expect(findUser(store, user.id)).toBeUndefined();
});

test("nothing is removed when one of them fails", () => {
  const user = person("kept");
  const failing: UserRemoval = {
    remove() {
      throw new Error("no");
    },
  };
  const { context } = houseWith(haunted, failing);
  expect(() => deleteUser(context, caller, { id: user.id }, undefined)).toThrow("no");
  expect([findUser(store, user.id), ghosts()]).toEqual([user, []]);
});

test("who owns something alone is only deleted hard", () => {
  const user = person("owner");
  const owning: UserRemoval = { isSoleOwner: (_, { id }) => id === user.id, remove() {} };
  const { context, told } = houseWith(idle, owning);
  const text = "User cannot be removed while is the sole-owner of a group";
  expect(() => deleteUser(context, caller, { id: user.id, hard_delete: false }, undefined)).toThrow(text);
  expect(told).toEqual([]);
  deleteUser(context, caller, { id: user.id, hard_delete: true }, undefined);
  expect(told.map(([, { isHard }]) => isHard)).toEqual([true, true]);
});

test("the ghost is made when first needed, once, under a name that is free", () => {
  const remove = (removal: UserRemoval, username: string) => {
    deleteUser(houseWith(removal).context, caller, { id: person(username).id }, undefined);
  };
  remove(idle, "unwritten");
  expect(ghosts()).toEqual([]);
  const squatter = person("ghost");
  person("other", { email: "ghost1@outpost.test" });
  remove(haunted, "written");
  remove(haunted, "written-too");
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
