import { afterAll, beforeAll, expect, test } from "bun:test";
import { visibilities } from "../../../src/domain/visibility.ts";
import { dayMs } from "../../../src/lib/datetime.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { AccessPolicy } from "../../../src/modules/core/access/index.ts";
import { updateGroupRecord, updateProjectRecord } from "../../../src/modules/core/namespaces/index.ts";
import { type ReadableKind, ReadableSets } from "../../../src/modules/core/readable-sets/index.ts";
import { userDefaults } from "../../../src/modules/core/users/index.ts";
import { users } from "../../../src/modules/core/users/records.ts";
import { type ProjectRecord, projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { collections } from "../../../src/modules/index.ts";
import { memberships } from "../../../src/modules/members/members/records.ts";
import { type IssueRecord, issues } from "../../../src/modules/planning/issues/records.ts";
import { readableIssues } from "../../../src/modules/planning/readable-issues/index.ts";
import { Store } from "../../../src/store/index.ts";
import { createRandom, seedOfRun } from "../../support/checks/random.ts";
import { FakeClock } from "../../support/fixtures/fake-clock.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { emptyIssueRecord } from "../../support/planning/issue-records.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const clock = new FakeClock();
const levels = [10, 15, 20, 30, 50] as const;
const silent = { debug() {}, info() {}, warn() {}, error() {} };
let folder: Awaited<ReturnType<typeof createTempFolder>>;
let store: Store;
let access: AccessPolicy;
let readable: ReadableSets<IssueRecord>;
let withoutGuests: ReadableSets<IssueRecord>;

beforeAll(async () => {
  folder = await createTempFolder();
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  store = await Store.open({
    folder: folder.path,
    collections,
    clock,
    randomness: systemRandomness,
    log: silent,
    onDiskFailure,
  });
  access = new AccessPolicy(store, clock);
  readable = new ReadableSets(store, access, readableIssues);
  withoutGuests = new ReadableSets(store, access, kindWithoutGuests);
  store.transact((tx) => {
    for (const id of [1, 2, 3, 4, 5, 6]) {
      const name = `user${id}`;
      const flags = { is_admin: id === 5, is_auditor: id === 6, external: id === 4 };
      const address = { email: `${name}@people.example`, namespace_id: 1_000 + id };
      tx.insert(users, { ...userDefaults(clock.time()), ...flags, ...address, id, name, username: name });
    }
  });
});

afterAll(async () => {
  await store.close();
  await folder.remove();
});

const idsIn = <T extends { id: number }>(get: (id: number) => T | undefined): T[] =>
  Array.from({ length: 2_000 }, (_, at) => get(at + 1)).filter((each) => each !== undefined);
const allIssues = () => idsIn((id) => store.of(issues).get(id));
const allProjects = () => idsIn((id) => store.of(projects).get(id));

let count = 0;
const fresh = () => {
  count += 1;
  return count;
};

/** The rules of issue-statistics, word by word. */
function mayRead(userId: number | undefined, issue: IssueRecord): boolean {
  const project = store.of(projects).get(issue.project_id) as ProjectRecord;
  const user = userId === undefined ? undefined : store.of(users).get(userId);
  const seesAll = user?.is_admin === true || user?.is_auditor === true;
  const level = user === undefined ? 0 : access.memberLevelInProject(user.id, project);
  const isMember = level >= 10;
  const isVisible =
    project.visibility === "public" ||
    (project.visibility === "internal" && user !== undefined && !user.external) ||
    isMember ||
    seesAll;
  if (!isVisible || project.is_being_deleted === true) return false;
  const feature = project.settings.issues_access_level ?? "enabled";
  if (feature === "disabled" || (feature === "private" && !isMember && !seesAll)) return false;
  if (user?.is_admin !== true && store.of(users).get(issue.author_id)?.state === "banned") return false;
  if (!issue.confidential) return true;
  if (user === undefined) return false;
  return seesAll || level >= 15 || issue.author_id === user.id || issue.assignee_ids.includes(user.id);
}

/** As if issues were like code: guests of private projects do not read them, and none is restricted. */
const { restricted: _, ...common } = readableIssues;
const kindWithoutGuests: ReadableKind<IssueRecord> = {
  ...common,
  levels: [10, 20],
  readersIn(project) {
    const readers = readableIssues.readersIn(project);
    return readers && { ...readers, level: project.visibility === "private" ? 20 : 10 };
  },
  canRead: (_store, _access, user, issue) => mayReadWithoutGuests(user?.id, issue),
};

function mayReadWithoutGuests(userId: number | undefined, issue: IssueRecord): boolean {
  const project = store.of(projects).get(issue.project_id) as ProjectRecord;
  const user = userId === undefined ? undefined : store.of(users).get(userId);
  const seesAll = user?.is_admin === true || user?.is_auditor === true;
  const isGuest = !seesAll && (user === undefined || access.memberLevelInProject(user.id, project) < 20);
  if (project.visibility === "private" && isGuest) return false;
  return mayRead(userId, { ...issue, confidential: false });
}

for (const round of [1, 2, 3, 4]) {
  test(`the readable issues are those of the rules after any changes, round ${round}`, () => {
    const random = createRandom(seedOfRun + round);
    const pick = <T>(from: readonly T[]): T => from[random.integer(0, from.length - 1)] as T;
    const places = placesOf({ store, clock } as Parameters<typeof placesOf>[0]);
    const some = (chance: number) => random.fraction() < chance;
    const path = () => `p${fresh()}`;
    const groups = [places.group({ path: path() }), places.group({ path: path() })];
    groups.push(places.group({ path: path(), parent_id: pick(groups).id }));
    const feature = () => ({ issues_access_level: pick(["enabled", "private", "disabled"] as const) });
    const place = () => ({ visibility: pick(visibilities), settings: some(0.5) ? {} : feature() });
    const newIssue = (tx: Parameters<Parameters<Store["transact"]>[0]>[0]) =>
      tx.insert(issues, {
        ...emptyIssueRecord,
        id: tx.nextId("issues"),
        iid: fresh(),
        project_id: pick(allProjects()).id,
        author_id: random.integer(1, 6),
        assignee_ids: some(0.4) ? [random.integer(1, 6)] : [],
        confidential: some(0.5),
      });
    const changes: (() => void)[] = [
      () => store.transact((tx) => newIssue(tx)),
      () => store.transact((tx) => newIssue(tx)),
      () => {
        const issue = pick(allIssues());
        const changed = { confidential: some(0.5), assignee_ids: some(0.5) ? [] : [random.integer(1, 6)] };
        store.transact((tx) => tx.update(issues, { ...issue, ...changed, author_id: random.integer(1, 6) }));
      },
      () => {
        if (allIssues().length > 10) store.transact((tx) => tx.remove(issues, pick(allIssues()).id));
      },
      () => {
        const changed = { ...place(), namespace_id: pick(groups).id, archived: some(0.3) };
        store.transact((tx) => updateProjectRecord(tx, store, { ...pick(allProjects()), ...changed }));
      },
      () => {
        const { is_being_deleted: wasDeleted, ...project } = pick(allProjects());
        store.transact((tx) =>
          tx.update(projects, wasDeleted === true ? project : { ...project, is_being_deleted: true }),
        );
      },
      () => places.project(pick(groups).id, { path: path(), ...place() }),
      () => {
        const source = some(0.5) ? pick(groups) : pick(allProjects());
        const userId = random.integer(1, 4);
        const rows = idsIn((id) => store.of(memberships).get(id)).filter((row) => row.user_id === userId);
        if (rows.length > 2) store.transact((tx) => tx.remove(memberships, pick(rows).id));
        else if (rows.every((row) => row.source_id !== source.id)) {
          places.member(source, userId, pick(levels), { expires_at: some(0.3) ? clock.day(2) : null });
        }
      },
      () => {
        const [low = groups[0], , child] = groups;
        if (child === undefined || low === undefined) return;
        const parent_id = some(0.5) ? null : low.id;
        store.transact((tx) => updateGroupRecord(tx, store, { ...child, parent_id }));
      },
      () => {
        const user = store.of(users).get(random.integer(1, 4));
        if (user === undefined) return;
        store.transact((tx) => tx.update(users, { ...user, state: user.state === "banned" ? "active" : "banned" }));
      },
      () => {
        const user = store.of(users).get(4);
        if (user !== undefined) store.transact((tx) => tx.update(users, { ...user, external: !user.external }));
      },
      () => {
        expect(() =>
          store.transact((tx) => {
            newIssue(tx);
            for (const issue of allIssues()) tx.update(issues, { ...issue, confidential: !issue.confidential });
            for (const project of allProjects())
              tx.update(projects, { ...project, visibility: "public", settings: {} });
            throw new Error("changed my mind");
          }),
        ).toThrow("changed my mind");
      },
      () => clock.advance(random.integer(0, 1) * dayMs),
    ];
    for (let at = 0; at < 4; at += 1) places.project(pick(groups).id, { path: path(), ...place() });
    store.transact((tx) => newIssue(tx));

    for (let step = 0; step < 150; step += 1) {
      pick(changes)();
      const userId = some(0.15) ? undefined : random.integer(1, 6);
      const user = userId === undefined ? undefined : store.of(users).get(userId);
      const where = `seed ${random.seed}, step ${step}, user ${userId}`;
      const expected = allIssues().filter((issue) => mayRead(userId, issue));
      expect(
        [...readable.of(user)].sort((a, b) => a - b),
        where,
      ).toEqual(expected.map(({ id }) => id));
      expect(
        allIssues().filter((issue) => readable.has(user, issue)),
        where,
      ).toEqual(expected);
      const byLevel = allIssues().filter((issue) => mayReadWithoutGuests(userId, issue));
      expect(
        [...withoutGuests.of(user)].sort((a, b) => a - b),
        where,
      ).toEqual(byLevel.map(({ id }) => id));
    }
    // Sets built from an existing store are the same.
    const afresh = new ReadableSets(store, access, readableIssues);
    for (const id of [1, 2, 3, 4, 5, 6]) {
      const user = store.of(users).get(id);
      expect([...afresh.of(user)]).toEqual([...readable.of(user)]);
      expect([...afresh.withTrait("archived")]).toEqual([...readable.withTrait("archived")]);
    }
  });
}
