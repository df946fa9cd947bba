import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AccessLevel } from "../../../src/domain/access-level.ts";
import { holderKey, type SourceRef } from "../../../src/domain/source.ts";
import { type Visibility, visibilities } from "../../../src/domain/visibility.ts";
import { dayMs } from "../../../src/lib/datetime.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { AccessPolicy } from "../../../src/modules/core/access/index.ts";
import {
  insertGroup,
  removeNamespace,
  removeProject,
  updateGroupRecord,
  updateProjectRecord,
} from "../../../src/modules/core/namespaces/index.ts";
import { type GroupRecord, groups } from "../../../src/modules/groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { type GroupLinkRecord, groupLinks } from "../../../src/modules/groups-and-projects/shares/records.ts";
import { collections } from "../../../src/modules/index.ts";
import { type MembershipRecord, memberships } from "../../../src/modules/members/members/records.ts";
import { Store } from "../../../src/store/index.ts";
import { createRandom, seedOfRun } from "../../support/checks/random.ts";
import { FakeClock } from "../../support/fixtures/fake-clock.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const levels: readonly AccessLevel[] = [5, 10, 15, 20, 30, 40, 50];
const userIds = [1, 2, 3, 4, 5];
const clock = new FakeClock();
let folder: Awaited<ReturnType<typeof createTempFolder>>;
let store: Store;
let access: AccessPolicy;
/** Tests ask both only while they climb. The first one caches no grants, so it climbs each time. */
let climber: AccessPolicy;
let climberOfGroups: AccessPolicy;

beforeAll(async () => {
  folder = await createTempFolder();
  store = await Store.open({
    folder: folder.path,
    collections,
    clock,
    randomness: systemRandomness,
    log: silent,
    onDiskFailure: (error) => {
      throw error;
    },
  });
  access = new AccessPolicy(store, clock);
  climber = new AccessPolicy(store, clock);
  climberOfGroups = new AccessPolicy(store, clock);
});

afterAll(async () => {
  await store.close();
  await folder.remove();
});

const userOf = (id: number, { isAdmin = false, external = false } = {}) => ({
  id,
  username: `user${id}`,
  name: `User ${id}`,
  email: `user${id}@people.example`,
  is_admin: isAdmin,
  is_auditor: false,
  external,
});

const groupOf = (name: string, parent_id: number | null, visibility: Visibility): Omit<GroupRecord, "id"> => ({
  name,
  path: name,
  parent_id,
  description: "",
  visibility,
  settings: {},
  avatar: null,
  creator_id: null,
  runners_token: "",
  repository_storage: "default",
  created_at: clock.time(),
  updated_at: clock.time(),
});

const projectOf = (id: number, namespace_id: number, visibility: Visibility): ProjectRecord => ({
  id,
  namespace_id,
  name: `p${id}`,
  path: `p${id}`,
  description: null,
  visibility,
  creator_id: null,
  archived: false,
  default_branch: null,
  topics: [],
  settings: {},
  avatar: null,
  import_url: null,
  star_count: 0,
  runners_token: "",
  repository_storage: "default",
  created_at: clock.time(),
  updated_at: clock.time(),
  last_activity_at: clock.time(),
});

const rows = () => all(memberships.name) as MembershipRecord[];
const links = () => all(groupLinks.name) as GroupLinkRecord[];
const allGroups = () => all(groups.name) as GroupRecord[];
const allProjects = () => all(projects.name) as ProjectRecord[];

function all(name: string): unknown[] {
  const declared = [memberships, groupLinks, groups, projects].find((each) => each.name === name);
  const documents = store.of(declared as typeof memberships);
  return Array.from({ length: 3_000 }, (_, at) => documents.get(at + 1)).filter((each) => each !== undefined);
}

/** The rules of the contract, word by word, without an index or a cache. */
const model = {
  isAlive: ({ expires_at }: { expires_at: string | null }) => expires_at === null || expires_at > clock.day(),
  chain(groupId: number): number[] {
    const parent = store.of(groups).get(groupId)?.parent_id ?? null;
    return parent === null ? [groupId] : [groupId, ...model.chain(parent)];
  },
  rowLevel(userId: number, source: SourceRef): number {
    const row = rows().find(
      (each) => each.user_id === userId && each.source_type === source.type && each.source_id === source.id,
    );
    return row !== undefined && row.state === "active" && model.isAlive(row) ? row.access_level : 0;
  },
  /** Direct or inherited. */
  memberLevel(userId: number, groupId: number): number {
    const [self = 0, ...above] = model.chain(groupId).map((id) => model.rowLevel(userId, { type: "group", id }));
    return Math.max(self, ...above.filter((level) => level >= 10));
  },
  invitedLevel(userId: number, sources: readonly SourceRef[]): number {
    const given = links()
      .filter((link) => sources.some(({ type, id }) => link.source_type === type && link.source_id === id))
      .filter(model.isAlive)
      .map((link) => ({ link, level: model.memberLevel(userId, link.group_id) }))
      .filter(({ level }) => level >= 10)
      .map(({ link, level }) => Math.min(level, link.group_access));
    return Math.max(0, ...given);
  },
  groupLevel(userId: number, groupId: number): number {
    const sources = model.chain(groupId).map((id): SourceRef => ({ type: "group", id }));
    return Math.max(model.memberLevel(userId, groupId), model.invitedLevel(userId, sources));
  },
  projectLevel(userId: number, project: ProjectRecord): number {
    const ref: SourceRef = { type: "project", id: project.id };
    const inherited = model.groupLevel(userId, project.namespace_id);
    return Math.max(model.rowLevel(userId, ref), model.invitedLevel(userId, [ref]), inherited >= 10 ? inherited : 0);
  },
  seesProject(userId: number, external: boolean, project: ProjectRecord): boolean {
    if (project.visibility === "public" || (project.visibility === "internal" && !external)) return true;
    return model.projectLevel(userId, project) >= 10;
  },
  seesGroup(userId: number, external: boolean, group: GroupRecord): boolean {
    if (group.visibility === "public" || (group.visibility === "internal" && !external)) return true;
    const isBelow = (id: number) => model.chain(id).includes(group.id);
    return (
      model.groupLevel(userId, group.id) > 0 ||
      allGroups().some(({ id }) => isBelow(id) && model.groupLevel(userId, id) > 0) ||
      allProjects().some((each) => isBelow(each.namespace_id) && model.projectLevel(userId, each) > 0)
    );
  },
};

describe("the policy core agrees with the contract, word by word", () => {
  for (const round of [1, 2, 3, 4, 5, 6]) {
    test(`after random changes, round ${round}`, () => {
      const random = createRandom(seedOfRun + round);
      const pick = <T>(from: readonly T[]): T => from[random.integer(0, from.length - 1)] as T;
      const someDay = () => (random.fraction() < 0.3 ? clock.day(random.integer(-1, 3)) : null);
      const stamp = { created_at: clock.time(), updated_at: clock.time() };
      const someSource = (): SourceRef =>
        random.fraction() < 0.5 || allProjects().length === 0
          ? { type: "group", id: pick(allGroups()).id }
          : { type: "project", id: pick(allProjects()).id };

      const changes: (() => void)[] = [
        () => {
          const parent = random.fraction() < 0.3 ? null : pick(allGroups()).id;
          if (parent !== null && model.chain(parent).length > 5) return;
          store.transact((tx) => insertGroup(tx, groupOf(`g${random.integer(1, 1e9)}`, parent, pick(visibilities))));
        },
        () => {
          store.transact((tx) =>
            tx.insert(projects, projectOf(tx.nextId("projects"), pick(allGroups()).id, pick(visibilities))),
          );
        },
        () => {
          const source = someSource();
          const user_id = pick(userIds);
          const id = store.of(memberships).by.holder.find(holderKey(source, user_id));
          const access_level = pick(source.type === "group" ? levels : levels.slice(1));
          const rest = {
            access_level,
            state: random.fraction() < 0.15 ? "awaiting" : "active",
            expires_at: someDay(),
          } as const;
          store.transact((tx) => {
            const existing = id === undefined ? undefined : store.of(memberships).get(id);
            if (existing !== undefined) tx.update(memberships, { ...existing, ...rest });
            else {
              const names = { source_type: source.type, source_id: source.id, user_id, created_by_id: null };
              tx.insert(memberships, { id: tx.nextId("memberships"), ...names, ...rest, ...stamp });
            }
          });
        },
        () => {
          const row = rows().length > 0 ? pick(rows()) : undefined;
          if (row !== undefined) store.transact((tx) => tx.remove(memberships, row.id));
        },
        () => {
          const source = someSource();
          const group_id = pick(allGroups()).id;
          if (store.of(groupLinks).by.pair.find(holderKey(source, group_id)) !== undefined) return;
          store.transact((tx) =>
            tx.insert(groupLinks, {
              id: tx.nextId("group_links"),
              source_type: source.type,
              source_id: source.id,
              group_id,
              group_access: pick(levels.slice(1)),
              expires_at: someDay(),
              ...stamp,
            }),
          );
        },
        () => {
          const link = links().length > 0 ? pick(links()) : undefined;
          if (link !== undefined) store.transact((tx) => tx.remove(groupLinks, link.id));
        },
        () => {
          const group = pick(allGroups());
          const parent = random.fraction() < 0.2 ? null : pick(allGroups());
          if (parent !== null && (model.chain(parent.id).includes(group.id) || model.chain(parent.id).length > 4))
            return;
          store.transact((tx) => updateGroupRecord(tx, store, { ...group, parent_id: parent?.id ?? null }));
        },
        () => {
          if (allProjects().length === 0) return;
          const project = pick(allProjects());
          store.transact((tx) =>
            updateProjectRecord(tx, store, {
              ...project,
              namespace_id: pick(allGroups()).id,
              visibility: pick(visibilities),
            }),
          );
        },
        () => {
          const project = allProjects().length > 4 ? pick(allProjects()) : undefined;
          if (project === undefined) return;
          const ref = { type: "project", id: project.id } as const;
          store.transact((tx) => {
            for (const row of rows())
              if (row.source_type === "project" && row.source_id === ref.id) tx.remove(memberships, row.id);
            for (const link of links())
              if (link.source_type === "project" && link.source_id === ref.id) tx.remove(groupLinks, link.id);
            removeProject(tx, store, project.id);
          });
        },
        () => {
          const leaf = allGroups().find(
            ({ id }) =>
              store.of(groups).by.parent_id.find(id).size === 0 &&
              allProjects().every((each) => each.namespace_id !== id),
          );
          if (leaf === undefined || allGroups().length < 6) return;
          store.transact((tx) => {
            for (const row of rows())
              if (row.source_type === "group" && row.source_id === leaf.id) tx.remove(memberships, row.id);
            for (const link of links())
              if (link.group_id === leaf.id || (link.source_type === "group" && link.source_id === leaf.id))
                tx.remove(groupLinks, link.id);
            removeNamespace(tx, store, leaf.id);
          });
        },
        // A change that fails must leave no trace in what is kept.
        () => {
          const group = pick(allGroups());
          expect(() =>
            store.transact((tx) => {
              updateGroupRecord(tx, store, { ...group, visibility: "public" });
              for (const row of rows()) tx.remove(memberships, row.id);
              throw new Error("changed my mind");
            }),
          ).toThrow("changed my mind");
        },
        () => clock.advance(random.integer(0, 1) * dayMs),
      ];

      store.transact((tx) => insertGroup(tx, groupOf(`root${random.integer(1, 1e9)}`, null, "private")));
      for (let step = 0; step < 80; step += 1) {
        pick(changes)();
        const userId = pick(userIds);
        const external = random.fraction() < 0.3;
        const user = userOf(userId, { external });
        const where = `seed ${random.seed}, step ${step}, user ${userId}`;
        const groupSees = allGroups().filter((group) => model.seesGroup(userId, external, group));
        const projectSees = allProjects().filter((project) => model.seesProject(userId, external, project));
        expect(
          allGroups().filter((each) => access.canSeeGroup(user, each)),
          where,
        ).toEqual(groupSees);
        expect(
          allProjects().filter((each) => access.canSeeProject(user, each)),
          where,
        ).toEqual(projectSees);
        const visibleGroups = access.visibleGroups(user);
        const visibleProjects = access.visibleProjects(user);
        expect(
          allGroups().filter(({ id }) => visibleGroups?.has(id)),
          where,
        ).toEqual(groupSees);
        expect([...(visibleProjects ?? [])], where).toEqual(projectSees.map(({ id }) => id));
        for (const group of allGroups()) {
          const level = model.groupLevel(userId, group.id);
          expect(access.levelInGroup(user, group.id), where).toBe(level as AccessLevel);
          expect(
            climber.climbing(() => climber.levelInGroup(user, group.id)),
            where,
          ).toBe(level as AccessLevel);
          expect(
            climberOfGroups.climbing(() => climberOfGroups.canSeeGroup(user, group)),
            where,
          ).toBe(access.canSeeGroup(user, group));
          expect(access.explain(userId, { type: "group", id: group.id })[0]?.level ?? 0, where).toBe(
            level as AccessLevel,
          );
        }
        let hasProject = false;
        for (const project of allProjects()) {
          const level = model.projectLevel(userId, project);
          hasProject ||= level >= 10;
          expect(access.levelInProject(user, project), where).toBe(level as AccessLevel);
          expect(
            climber.climbing(() => climber.levelInProject(user, project)),
            where,
          ).toBe(level as AccessLevel);
          expect(access.explain(userId, { type: "project", id: project.id })[0]?.level ?? 0, where).toBe(
            level as AccessLevel,
          );
        }
        expect(access.usersWithProjects().has(userId), where).toBe(hasProject);
        const wanted = pick(levels);
        expect(
          [...access.groupsWith(userId, wanted)].toSorted((a, b) => a - b),
          where,
        ).toEqual(
          allGroups()
            .filter(({ id }) => model.groupLevel(userId, id) >= wanted)
            .map(({ id }) => id),
        );
        expect([...access.projectsWith(userId, wanted)], where).toEqual(
          allProjects()
            .filter((each) => model.projectLevel(userId, each) >= Math.max(wanted, 10))
            .map(({ id }) => id),
        );
      }
    }, 180_000);
  }
});

test("administrators are owners everywhere and members nowhere; anonymous callers see public things", () => {
  const admin = userOf(99, { isAdmin: true });
  const [group] = allGroups() as [GroupRecord];
  expect(access.levelInGroup(admin, group.id)).toBe(50);
  expect(access.groupsWith(99, 5).size).toBe(0);
  expect(access.visibleGroups(admin)).toBeUndefined();
  const open = access.visibleProjects(undefined);
  expect(allProjects().filter(({ id }) => open?.has(id))).toEqual(
    allProjects().filter(({ visibility }) => visibility === "public"),
  );
});
