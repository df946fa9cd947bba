import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { holderKey, type SourceRef } from "../../../src/domain/source.ts";
import { dayMs } from "../../../src/lib/datetime.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { AccessPolicy, type MemberListFilter } from "../../../src/modules/core/access/index.ts";
import { MemberListCache } from "../../../src/modules/core/access/member-list-cache.ts";
import { updateGroupRecord, updateProjectRecord } from "../../../src/modules/core/namespaces/index.ts";
import { type GroupRecord, groups } from "../../../src/modules/groups-and-projects/groups/records.ts";
import { projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { type GroupLinkRecord, groupLinks } from "../../../src/modules/groups-and-projects/shares/records.ts";
import { collections } from "../../../src/modules/index.ts";
import { type MembershipRecord, memberships } from "../../../src/modules/members/members/records.ts";
import { Store } from "../../../src/store/index.ts";
import { createRandom, seedOfRun } from "../../support/checks/random.ts";
import { FakeClock } from "../../support/fixtures/fake-clock.ts";
import { groupRef, projectRef, putGroup, putLink, putMember, putProject } from "../../support/fixtures/places.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const clock = new FakeClock();
const levels = [5, 10, 15, 20, 30, 40, 50] as const;
const userIds = [1, 2, 3, 4, 5, 6];
let folder: Awaited<ReturnType<typeof createTempFolder>>;
let store: Store;
let access: AccessPolicy;

beforeAll(async () => {
  folder = await createTempFolder();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  store = await Store.open({
    folder: folder.path,
    collections,
    clock,
    randomness: systemRandomness,
    log,
    onDiskFailure: (error) => {
      throw error;
    },
  });
  access = new AccessPolicy(store, clock);
});

afterAll(async () => {
  await store.close();
  await folder.remove();
});

const all = <T>(declared: { readonly name: string }): T[] =>
  Array.from({ length: 2_000 }, (_, at) => store.of(declared as typeof memberships).get(at + 1)).filter(
    (each) => each !== undefined,
  ) as T[];
const rows = () => all<MembershipRecord>(memberships);
const links = () => all<GroupLinkRecord>(groupLinks);

const isAlive = ({ expires_at }: { expires_at: string | null }) => expires_at === null || expires_at > clock.day();
const parentOf = (groupId: number) => store.of(groups).get(groupId)?.parent_id ?? null;
const chain = (groupId: number | null): number[] => (groupId === null ? [] : [groupId, ...chain(parentOf(groupId))]);
const isAt = (row: MembershipRecord, { type, id }: SourceRef) => row.source_type === type && row.source_id === id;

/** Every entry as the page words it: all ways of each user, the best one picked. No index, nothing kept. */
function expected(source: SourceRef, view: MemberListFilter) {
  const above = chain(
    source.type === "group" ? parentOf(source.id) : (store.of(projects).get(source.id)?.namespace_id ?? null),
  );
  const around: SourceRef[] = [source, ...above.map((id): SourceRef => ({ type: "group", id }))];
  const shown = rows()
    .filter(isAlive)
    .filter(({ state }) => view.state === undefined || state === view.state)
    .filter((row) => view.isMinimalShown || row.access_level > 5);
  const ways = [
    ...shown.filter((row) => isAt(row, source)).map((row) => ({ row, level: row.access_level as number })),
    ...shown
      .filter((row) => row.source_type === "group" && above.includes(row.source_id) && row.access_level > 5)
      .map((row) => ({ row, level: row.access_level as number })),
    ...links()
      .filter((link) => isAlive(link) && !view.hiddenLinks.has(link.id))
      .filter((link) => around.some(({ type, id }) => link.source_type === type && link.source_id === id))
      .flatMap((link) =>
        shown
          .filter((row) => row.source_type === "group" && chain(link.group_id).includes(row.source_id))
          .filter((row) => row.access_level > 5)
          .map((row) => ({ row, level: Math.min(row.access_level, link.group_access) })),
      ),
  ];
  return new Map(
    userIds.flatMap((userId) => {
      const own = ways.filter(({ row }) => row.user_id === userId);
      const active = own.filter(({ row }) => row.state === "active");
      const counted = active.length > 0 ? active : own;
      const level = Math.max(...counted.map((way) => way.level));
      const rowIds = counted.filter((way) => way.level === level).map(({ row }) => row.id);
      return counted.length === 0 ? [] : [[userId, { level, rowIds }] as const];
    }),
  );
}

describe("the cached lists of members agree with the page, word by word", () => {
  for (const round of [1, 2, 3, 4]) {
    test(`after random changes, round ${round}`, () => {
      const random = createRandom(seedOfRun + round);
      const house = { store, clock };
      const pick = <T>(from: readonly T[]): T => from[random.integer(0, from.length - 1)] as T;
      const someDay = () => (random.fraction() < 0.3 ? clock.day(random.integer(-1, 3)) : null);
      const groupIds = [putGroup(house).id];
      const projectIds: number[] = [];
      const someSource = () =>
        random.fraction() < 0.6 || projectIds.length === 0
          ? groupRef({ id: pick(groupIds) })
          : projectRef({ id: pick(projectIds) });
      const changes: (() => void)[] = [
        () => {
          const parent_id = random.fraction() < 0.3 ? null : pick(groupIds);
          if (chain(parent_id).length < 5) groupIds.push(putGroup(house, { parent_id }).id);
        },
        () => projectIds.push(putProject(house, pick(groupIds)).id),
        ...[1, 2, 3].map(() => () => {
          const source = someSource();
          const userId = pick(userIds);
          if (store.of(memberships).by.holder.find(holderKey(source, userId)) !== undefined) return;
          const state = random.fraction() < 0.2 ? "awaiting" : "active";
          putMember(house, source, userId, pick(source.type === "group" ? levels : levels.slice(1)), {
            state,
            expires_at: someDay(),
          });
        }),
        () => {
          const row = pick(rows());
          if (row === undefined) return;
          const access_level = pick(levels.slice(1));
          store.transact((tx) => tx.update(memberships, { ...row, access_level, expires_at: someDay() }));
        },
        () => {
          const row = pick(rows());
          if (row !== undefined) store.transact((tx) => tx.remove(memberships, row.id));
        },
        () => {
          const source = someSource();
          const groupId = pick(groupIds);
          if (store.of(groupLinks).by.pair.find(holderKey(source, groupId)) !== undefined) return;
          putLink(house, source, groupId, pick(levels.slice(1)), { expires_at: someDay() });
        },
        () => {
          const link = pick(links());
          if (link !== undefined) store.transact((tx) => tx.remove(groupLinks, link.id));
        },
        () => {
          const group = store.of(groups).get(pick(groupIds)) as GroupRecord;
          const parent_id = random.fraction() < 0.3 ? null : pick(groupIds);
          if (chain(parent_id).includes(group.id) || chain(parent_id).length > 4) return;
          store.transact((tx) => updateGroupRecord(tx, store, { ...group, parent_id }));
        },
        () => {
          const project = projectIds.length === 0 ? undefined : store.of(projects).get(pick(projectIds));
          if (project === undefined) return;
          store.transact((tx) => updateProjectRecord(tx, store, { ...project, namespace_id: pick(groupIds) }));
        },
        // A change that is rolled back leaves no trace in the caches.
        () => {
          expect(() =>
            store.transact((tx) => {
              for (const row of rows()) tx.remove(memberships, row.id);
              access.roster(groupRef({ id: pick(groupIds) }), wholeView);
              throw new Error("changed my mind");
            }),
          ).toThrow("changed my mind");
        },
        () => clock.advance(random.integer(0, 1) * dayMs),
      ];
      const wholeView: MemberListFilter = { hiddenLinks: new Set(), state: undefined, isMinimalShown: true };

      for (let step = 0; step < 150; step += 1) {
        pick(changes)();
        const where = `seed ${random.seed}, step ${step}`;
        for (let ask = 0; ask < 4; ask += 1) {
          const source = someSource();
          const view: MemberListFilter = {
            hiddenLinks: new Set(links().flatMap(({ id }) => (random.fraction() < 0.3 ? [id] : []))),
            state: pick([undefined, undefined, "active", "awaiting"] as const),
            isMinimalShown: random.fraction() < 0.7,
          };
          for (const each of [view, wholeView]) {
            const roster = access.roster(source, each);
            const ways = Array.from({ length: roster.size }, (_, place) => roster.at(store, place));
            const model = expected(source, each);
            expect(ways.map(({ row }) => row.user_id).toSorted(), where).toEqual([...model.keys()].toSorted());
            expect(
              ways.map(({ row }) => row.id),
              where,
            ).toEqual(ways.map(({ row }) => row.id).toSorted((a, b) => a - b));
            for (const { row, level } of ways) {
              const own = model.get(row.user_id);
              expect(level as number, where).toBe(own?.level as number);
              expect(own?.rowIds, where).toContain(row.id);
            }
            for (const userId of userIds) {
              const way = access.wayOf(userId, source, each);
              expect([way?.row.id, way?.level], where).toEqual([
                ways.find(({ row }) => row.user_id === userId)?.row.id,
                ways.find(({ row }) => row.user_id === userId)?.level,
              ]);
            }
          }
        }
      }
    });
  }
});

test("the cache stays within its bounds", () => {
  const house = { store, clock };
  const rosters = new MemberListCache(store, 100);
  const view: MemberListFilter = { hiddenLinks: new Set(), state: undefined, isMinimalShown: true };
  for (let count = 0; count < 10; count += 1) {
    const source = groupRef(putGroup(house));
    for (const userId of userIds) putMember(house, source, userId, 30);
    expect(rosters.of(source, view, clock.day()).size).toBe(userIds.length);
    expect(rosters.weight).toBeLessThanOrEqual(100);
  }
  expect(rosters.weight).toBeGreaterThan(0);
});

test("the cache counts the keys of lists, which name every hidden share", () => {
  const rosters = new MemberListCache(store, 10_000);
  const hiddenLinks = new Set(Array.from({ length: 1_000 }, (_, at) => 1_000_000 + at));
  rosters.of(
    groupRef(putGroup({ store, clock })),
    { hiddenLinks, state: undefined, isMinimalShown: true },
    clock.day(),
  );
  expect(rosters.weight).toBeGreaterThan(800);
});
