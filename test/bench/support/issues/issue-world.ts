import { accessLevels } from "../../../../src/domain/access-level.ts";
import { users } from "../../../../src/modules/core/users/records.ts";
import { awardEmoji } from "../../../../src/modules/discussions/award-emoji/records.ts";
import { groups } from "../../../../src/modules/groups-and-projects/groups/records.ts";
import { namespaces } from "../../../../src/modules/groups-and-projects/namespaces-api/records.ts";
import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { groupLinks } from "../../../../src/modules/groups-and-projects/shares/records.ts";
import { memberships } from "../../../../src/modules/members/members/records.ts";
import { epics } from "../../../../src/modules/planning/epics/records.ts";
import { type IssueRecord, issues } from "../../../../src/modules/planning/issues/records.ts";
import { labels } from "../../../../src/modules/planning/labels/records.ts";
import { milestones } from "../../../../src/modules/planning/milestones/records.ts";
import type {
  CollectionDeclaration,
  IndexDeclarations,
  Store,
  StoredDocument,
  Transaction,
} from "../../../../src/store/index.ts";
import { createRandom } from "../../../support/checks/random.ts";
import { personOf } from "../people.ts";

/** The numbers of all records but issues. */
export const figures = { users: 5_000, groups: 200, projects: 2_000, reactions: 200_000 } as const;
const labelsOfGroup = 10;
const milestonesOfGroup = 4;
const milestonesOfProject = 3;
const epicsOfGroup = 5;

const random = createRandom(20_261_121);
const { integer, fraction } = random;
const firstTime = Date.UTC(2020, 0, 1);
const day = 86_400_000;
const spanDays = 2_400;
const time = (ms: number) => new Date(ms).toISOString();
const date = (days: number) => time(firstTime + days * day).slice(0, 10);
/** Few are asked for most of the time. */
const oftenFirst = (count: number) => 1 + Math.floor(count * fraction() ** 2.5);
const words =
  "login page fails after upgrade slow query menu broken button export report invoice cache timeout worker queue token"
    .concat(" session mobile layout chart filter sort import email retry error crash memory search index label board")
    .split(" ");
const word = () => words[integer(0, words.length - 1)] as string;
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const titlesOfLabels = "bug feature backend frontend docs urgent design infra question wontfix".split(" ");

/** Groups of three levels: ten at the top, each with one or two dozen below. */
const parentOf = (id: number) => (id <= 10 ? null : id <= 80 ? 1 + (id % 10) : 11 + (id % 70));
const visibilityOf = (n: number) =>
  (["private", "private", "internal", "public", "private"] as const)[n % 5] ?? "public";
/** Group `n` is the n-th namespace: those of users come after them. */
const groupOf = (project: number) => 1 + (project % figures.groups);

function base(id: number) {
  const now = time(firstTime);
  return {
    id,
    settings: {},
    avatar: null,
    creator_id: 1,
    runners_token: "",
    repository_storage: "default",
    created_at: now,
    updated_at: now,
  };
}

function insertPlaces(tx: Transaction): void {
  for (let id = 1; id <= figures.groups; id += 1) {
    const path = `group${id}`;
    const parent_id = parentOf(id);
    tx.insert(namespaces, { id, kind: "group", name: path, path, parent_id, owner_id: null });
    tx.insert(groups, {
      ...base(id),
      name: path,
      path,
      parent_id,
      description: "",
      visibility: parent_id === null ? "public" : visibilityOf(id),
    });
  }
  for (let id = 1; id <= figures.projects; id += 1) {
    const path = `project${id}`;
    const issuesLevel = id % 40 === 0 ? "disabled" : id % 25 === 0 ? "private" : undefined;
    tx.insert(projects, {
      ...base(id),
      namespace_id: groupOf(id),
      name: path,
      path,
      description: null,
      visibility: visibilityOf(id * 7 + 3),
      settings: issuesLevel === undefined ? {} : { issues_access_level: issuesLevel },
      archived: id % 20 === 0,
      default_branch: null,
      topics: [],
      import_url: null,
      star_count: 0,
      last_activity_at: time(firstTime),
    });
  }
}

/** Everybody is a member of some groups and projects, at all levels. */
function insertMembers(tx: Transaction): void {
  const levels = [10, 15, 20, 30, 30, 30, 40, 50] as const;
  const now = time(firstTime);
  let id = 0;
  const insert = (source_type: "group" | "project", source_id: number, user_id: number) => {
    id += 1;
    const access_level = levels[integer(0, levels.length - 1)] ?? accessLevels.guest;
    tx.insert(memberships, {
      id,
      source_type,
      source_id,
      user_id,
      access_level,
      state: "active",
      expires_at: null,
      created_by_id: null,
      created_at: now,
      updated_at: now,
    });
  };
  for (let userId = 2; userId <= figures.users; userId += 1) {
    const held = { group: new Set<number>(), project: new Set<number>() };
    for (let n = integer(0, 3); n > 0; n -= 1) held.group.add(integer(11, figures.groups));
    for (let n = integer(0, 12); n > 0; n -= 1) held.project.add(integer(1, figures.projects));
    for (const each of held.group) insert("group", each, userId);
    for (const each of held.project) insert("project", each, userId);
  }
  for (let link = 1; link <= 100; link += 1) {
    tx.insert(groupLinks, {
      id: link,
      source_type: "project",
      source_id: link * 7,
      group_id: 100 + link,
      group_access: 30,
      expires_at: null,
      created_at: now,
      updated_at: now,
    });
  }
}

function insertTrackers(tx: Transaction): void {
  const now = time(firstTime);
  const times = { created_at: now, updated_at: now };
  let [label, milestone, epic] = [0, 0, 0];
  const insertMilestones = (source_type: "group" | "project", source_id: number, count: number) => {
    for (let iid = 1; iid <= count; iid += 1) {
      milestone += 1;
      const start = integer(0, 2_600);
      tx.insert(milestones, {
        id: milestone,
        iid,
        source_type,
        source_id,
        title: `v${iid}.${source_id % 10}`,
        description: null,
        state: fraction() < 0.6 ? "active" : "closed",
        start_date: date(start),
        due_date: date(start + integer(20, 90)),
        ...times,
      });
    }
  };
  for (let id = 1; id <= figures.groups; id += 1) {
    for (const title of titlesOfLabels) {
      label += 1;
      tx.insert(labels, {
        id: label,
        source_type: "group",
        source_id: id,
        title,
        description: null,
        color: "#6699CC",
        ...times,
      });
    }
    insertMilestones("group", id, milestonesOfGroup);
    for (let iid = 1; iid <= epicsOfGroup; iid += 1) {
      epic += 1;
      tx.insert(epics, {
        id: epic,
        iid,
        group_id: id,
        parent_id: null,
        title: `Epic ${epic}`,
        description: null,
        state: "opened",
        confidential: false,
        author_id: 2,
        label_ids: [],
        start_date_is_fixed: false,
        start_date_fixed: null,
        due_date_is_fixed: false,
        due_date_fixed: null,
        color: "#6699CC",
        closed_at: null,
        upvotes: 0,
        downvotes: 0,
        ...times,
      });
    }
  }
  for (let id = 1; id <= figures.projects; id += 1) insertMilestones("project", id, milestonesOfProject);
}

const lastIids = new Map<number, number>();

/** About 700 bytes of JSON, of which the names of the fields are 400. */
function issueOf(id: number, count: number): IssueRecord {
  const project_id = oftenFirst(figures.projects);
  const groupId = groupOf(project_id);
  const iid = (lastIids.get(project_id) ?? 0) + 1;
  lastIids.set(project_id, iid);
  const label_ids = new Set<number>();
  for (let n = integer(0, 3); n > 0; n -= 1) label_ids.add((groupId - 1) * labelsOfGroup + oftenFirst(labelsOfGroup));
  const ofGroup = (groupId - 1) * milestonesOfGroup + integer(1, milestonesOfGroup);
  const ofProject =
    figures.groups * milestonesOfGroup + (project_id - 1) * milestonesOfProject + integer(1, milestonesOfProject);
  const created = firstTime + Math.floor((id / count) * spanDays * day) + integer(0, 50_000);
  const isClosed = fraction() < 0.6;
  const assignees = new Set(Array.from({ length: integer(0, 2) }, () => 1 + oftenFirst(figures.users - 1)));
  return {
    id,
    iid,
    project_id,
    title: `${capitalised(word())} ${word()} ${word()} ${word()} in ${word()} ${id.toString(36)}`,
    description: `${word()} ${word()} ${word()}`,
    state: isClosed ? "closed" : "opened",
    author_id: 1 + oftenFirst(figures.users - 1),
    assignee_ids: [...assignees],
    label_ids: [...label_ids].sort((a, b) => a - b),
    milestone_id: fraction() < 0.4 ? null : fraction() < 0.3 ? ofGroup : ofProject,
    epic_id: fraction() < 0.85 ? null : (groupId - 1) * epicsOfGroup + integer(1, epicsOfGroup),
    confidential: fraction() < 0.05,
    issue_type: fraction() < 0.9 ? "issue" : "task",
    severity: "unknown",
    weight: fraction() < 0.6 ? null : integer(0, 9),
    due_date: fraction() < 0.8 ? null : date(integer(0, spanDays)),
    start_date: null,
    discussion_locked: null,
    created_at: time(created),
    updated_at: time(created + Math.floor(fraction() ** 3 * 400 * day)),
    closed_at: isClosed ? time(created + integer(0, 100) * day) : null,
    closed_by_id: isClosed ? 1 + oftenFirst(figures.users - 1) : null,
    moved_to_id: null,
    time_estimate: 0,
    total_time_spent: 0,
    user_notes_count: integer(0, 5),
    upvotes: fraction() < 0.7 ? 0 : integer(1, 20),
    downvotes: 0,
  };
}

const batch = 500;

/** Fills an empty store with issues and nothing else, for their memory. */
export async function fillIssues(store: Store, count: number): Promise<void> {
  await insertAll(store, issues, count, (id) => issueOf(id, count));
  await store.checkpoint();
}

/** Everything around `count` issues that are there. */
export async function fillAround(store: Store, count: number): Promise<void> {
  await insertAll(store, users, Math.max(figures.users, 1), (id) => ({
    ...personOf(id),
    namespace_id: figures.groups + id,
    is_admin: id === 1,
    is_auditor: false,
    state: id % 500 === 0 ? ("banned" as const) : ("active" as const),
  }));
  store.transact(insertPlaces);
  store.transact(insertMembers);
  store.transact(insertTrackers);
  const given = new Set<string>();
  await insertAll(store, awardEmoji, Math.min(figures.reactions, count), (id) => {
    let [awardable_id, user_id] = [0, 0];
    do [awardable_id, user_id] = [integer(1, count), 1 + oftenFirst(figures.users - 1)];
    while (given.has(`${awardable_id} ${user_id}`));
    given.add(`${awardable_id} ${user_id}`);
    const name = id % 3 === 0 ? "heart" : "thumbsup";
    return {
      id,
      awardable_type: "Issue" as const,
      awardable_id,
      user_id,
      name,
      created_at: time(firstTime),
      updated_at: time(firstTime),
    };
  });
  await store.checkpoint();
}

async function insertAll<T extends StoredDocument, D extends IndexDeclarations<T>>(
  store: Store,
  declared: CollectionDeclaration<T, D>,
  count: number,
  make: (id: number) => T,
): Promise<void> {
  for (let done = 0; done < count; done += batch) {
    store.transact((tx) => {
      for (let id = done + 1; id <= Math.min(done + batch, count); id += 1) tx.insert(declared, make(id));
    });
    await store.settled();
  }
}
