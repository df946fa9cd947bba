import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import type { Static } from "@sinclair/typebox";
import type { PageRequest } from "../../../src/domain/page.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { userDefaults } from "../../../src/modules/core/users/index.ts";
import { listUsers } from "../../../src/modules/core/users/lists/service-list.ts";
import { type UserRecord, users } from "../../../src/modules/core/users/records.ts";
import type { ListUsers } from "../../../src/modules/core/users/schema.ts";
import { collections } from "../../../src/modules/index.ts";
import type { Context } from "../../../src/modules/kernel/context.ts";
import { MemoryCollection } from "../../../src/store/collection.ts";
import { Store } from "../../../src/store/index.ts";
import { createRandom } from "../../support/checks/random.ts";
import { SimulatedDisk } from "../../support/disk/simulated-disk.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);
const count = 12_000;
const day = (n: number) => new Date(Date.UTC(2024, 0, 1) + n * 86_400_000).toISOString();

function people(): UserRecord[] {
  const random = createRandom(seed);
  const pick = <T>(choices: readonly [T, ...T[]]) => choices[random.integer(0, choices.length - 1)] ?? choices[0];
  return Array.from({ length: count }, (_, n): UserRecord => {
    const identities = n % 40 === 0 ? [{ provider: "ldapmain", extern_uid: `uid${n}`, saml_provider_id: null }] : [];
    return {
      ...userDefaults(day(n % 300)),
      id: n + 1,
      username: `person${(n * 7919) % 12_007}`,
      name: `${pick(["Mara", "Jonas", "Ines"])} ${random.text(4)}`,
      email: `person${n}@example.test`,
      public_email: n % 3 === 0 ? `person${n}@example.test` : null,
      updated_at: day(random.integer(300, 400)),
      namespace_id: n + 1,
      created_by_id: null,
      state: pick(["active", "active", "active", "active", "blocked", "banned", "ldap_blocked", "deactivated"]),
      user_type: pick(["human", "human", "human", "human", "human", "human", "project_bot", "ghost"]),
      is_admin: n % 1_000 === 0,
      is_auditor: n % 500 === 0,
      external: n % 20 === 0,
      two_factor_enabled: n % 7 === 0,
      identities,
    };
  });
}

type Parameters = Static<typeof ListUsers>;

/** Every filter of users-and-auth 5, and searches that find one, some, nearly all and none. */
const filters: readonly Parameters[] = [
  {},
  { username: "PERSON5" },
  { public_email: "person9@example.test" },
  { active: true },
  { blocked: true },
  { external: true },
  { exclude_active: true },
  { exclude_external: true },
  { humans: true },
  { exclude_humans: true },
  { exclude_internal: true },
  { without_project_bots: true },
  { created_after: day(290) },
  { created_before: day(280) },
  { created_after: day(10), created_before: day(12) },
  { extern_uid: "uid80", provider: "ldapmain" },
  { two_factor: "enabled" },
  { two_factor: "disabled" },
  { admins: true },
  { auditors: true },
  { saml_provider_id: 4 },
  { skip_ldap: true },
  { active: true, external: true, two_factor: "enabled", created_after: day(50) },
  { search: "person77" },
  { search: "person" },
  { search: "mara" },
  { search: "ar a" },
  { search: "r" },
  { search: "mara ab" },
  { search: "person9@example.test" },
  { search: "person5", active: true, exclude_external: true },
  { search: "nobody at all" },
];
const orders: readonly Parameters[] = [
  {},
  ...(["id", "name", "username", "created_at", "updated_at"] as const).flatMap((order_by) => [
    { order_by, sort: "asc" as const },
    { order_by, sort: "desc" as const },
  ]),
];
const offset = (page: number): PageRequest => ({ kind: "offset", page, perPage: 20 });
const pages: readonly PageRequest[] = [
  offset(1),
  offset(7),
  offset(450),
  { kind: "keyset", after: undefined, perPage: 20 },
];

let store: Store;
const read = new Set<number>();
const get = MemoryCollection.prototype.get;
const watchingReads = spyOn(MemoryCollection.prototype, "get").mockImplementation(function (
  this: MemoryCollection,
  id,
) {
  if (this.name === "users") read.add(id);
  return get.call(this, id);
});

beforeAll(async () => {
  store = await Store.open({
    folder: "/data",
    collections,
    clock: { now: () => 0 },
    randomness: systemRandomness,
    log: silentLog,
    disk: new SimulatedDisk(),
    lock: () => ({ release() {} }),
    onDiskFailure: (error) => {
      throw error;
    },
  });
  const all = people();
  store.transact((tx) => {
    for (const user of all) tx.insert(users, user);
  });
  store.startBackgroundWork();
  await store.backgroundWorkDone();
});

afterAll(async () => {
  watchingReads.mockRestore();
  await store.close();
});

for (const params of filters) {
  test(`GET /users with ${JSON.stringify(params)} reads only documents of its answer, in any order`, () => {
    const get = (key: { make(context: unknown): unknown }) => key.make(context);
    const context = { store, edition: "ultimate", get } as unknown as Context;
    const caller = { token: undefined, ipAddress: null };
    const root = { id: 1, username: "root", name: "Root", email: "", is_auditor: false, external: false };
    for (const is_admin of [true, false]) {
      const { extern_uid, ...ofOthers } = params;
      for (const order of orders) {
        for (const page of pages) {
          read.clear();
          const asked = { ...(is_admin ? params : ofOthers), ...order };
          const found = listUsers(context, { ...caller, user: { ...root, is_admin } }, asked, page);
          expect([...read].sort((a, b) => a - b)).toEqual(found.items.map(({ id }) => id).sort((a, b) => a - b));
        }
      }
    }
  });
}

test("the test sees reads of documents", () => {
  read.clear();
  expect(store.of(users).get(3)?.id).toBe(3);
  expect([...read]).toEqual([3]);
});
