import { expect } from "bun:test";
import { visibilities } from "../../../src/domain/visibility.ts";
import { dayMs, toDateTime } from "../../../src/lib/datetime.ts";
import { updateGroupRecord, updateProjectRecord } from "../../../src/modules/core/namespaces/index.ts";
import { userDefaults } from "../../../src/modules/core/users/index.ts";
import { users } from "../../../src/modules/core/users/records.ts";
import { awardEmoji } from "../../../src/modules/discussions/award-emoji/records.ts";
import { type ProjectRecord, projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { groupLinks } from "../../../src/modules/groups-and-projects/shares/records.ts";
import { memberships } from "../../../src/modules/members/members/records.ts";
import { type IssueRecord, issues } from "../../../src/modules/planning/issues/records.ts";
import { labels } from "../../../src/modules/planning/labels/records.ts";
import { milestones } from "../../../src/modules/planning/milestones/records.ts";
import type { ServerContext } from "../../../src/server/bootstrap.ts";
import type { Instance } from "../checks/issue-scan.ts";
import type { Random } from "../checks/random.ts";
import type { FakeClock } from "../fixtures/fake-clock.ts";
import { placesOf } from "../fixtures/places.ts";
import { trackerOf } from "./tracker.ts";

export type Choices = ReturnType<typeof choices>;
export function choices(clock: FakeClock, random: Random) {
  return {
    random,
    some: (chance: number) => random.fraction() < chance,
    pick: <T>(from: readonly T[]): T => from[random.integer(0, from.length - 1)] as T,
    day: (distance: number) => new Date(clock.now() + distance * dayMs).toISOString().slice(0, 10),
    time: () => new Date(clock.now() - random.integer(0, 40) * 3_600_000).toISOString(),
  };
}

export const userIds = [1, 2, 3, 4, 5, 6, 7];
const titles = ["bug", "Bug", "ui", "nobody's"];
export const milestoneTitles = ["1.0", "2.0", "never"];
const words = ["login", "page", "Login page", "q", "über", 'say "hi"'];

/** Six users: root, an auditor, an external one, plain ones, and one whose state changes. */
export function populate({ context: { store, clock } }: ServerContext): void {
  store.transact((tx) => {
    for (const id of userIds) {
      const name = `User${id}`;
      const flags = { is_admin: id === 1, is_auditor: id === 2, external: id === 3 };
      const address = { email: `${name}@people.example`, namespace_id: 10_000 + id };
      tx.insert(users, { ...userDefaults(toDateTime(clock.now())), ...flags, ...address, id, name, username: name });
    }
  });
}

/** One random change of whatever the counts depend on. */
export function changesOf(
  { context: { store } }: ServerContext,
  clock: FakeClock,
  { random, some, pick, day, time }: Choices,
  instance: () => Instance,
) {
  const world = { store, clock } as Parameters<typeof placesOf>[0];
  const [places, tracker] = [placesOf(world), trackerOf(world)];
  const root = places.group({ path: `root${random.integer(0, 1e9)}` });
  const isNear = (project: ProjectRecord) => (each: { source_type: string; source_id: number }) =>
    each.source_type === "group" || each.source_id === project.id;
  const filed = (project: ProjectRecord): Partial<IssueRecord> => {
    const { labels: allLabels, milestones: allMilestones } = instance();
    const near = allMilestones.filter(isNear(project));
    const chosen = new Set(allLabels.filter(isNear(project)).filter(() => some(0.4)));
    return {
      title: `${pick(words)} ${pick(words)}`,
      description: some(0.3) ? null : `${pick(words)}\n${pick(words)}`,
      state: pick(["opened", "closed"]),
      assignee_ids: userIds.filter(() => some(0.2)),
      label_ids: [...chosen].map(({ id }) => id),
      milestone_id: near.length > 0 && some(0.6) ? pick(near).id : null,
      epic_id: some(0.4) ? random.integer(1, 3) : null,
      weight: some(0.5) ? random.integer(0, 2) : null,
      confidential: some(0.4),
      created_at: time(),
      updated_at: time(),
    };
  };
  const feature = () => ({ issues_access_level: pick(["enabled", "private", "disabled"] as const) });
  const dates = () => ({
    start_date: some(0.3) ? null : day(random.integer(-3, 3)),
    due_date: some(0.3) ? null : day(random.integer(-2, 5)),
  });
  const liveProjects = () => instance().projects.filter(({ is_being_deleted }) => is_being_deleted !== true);
  const anyProject = () => pick(liveProjects());
  const anyIssue = () => pick(instance().issues);
  const newProject = () => {
    const settings = some(0.5) ? {} : feature();
    places.project(pick(instance().groups).id, { visibility: pick(visibilities), settings, archived: some(0.2) });
  };
  const newIssue = () => {
    const project = anyProject();
    tracker.issue(project, pick(userIds), filed(project));
  };
  const anySource = () => (some(0.5) ? pick(instance().groups) : anyProject());
  const level = () => pick([5, 10, 15, 20, 30, 50] as const);
  newProject();
  const setUp: (() => unknown)[] = [
    () => places.group({ parent_id: pick(instance().groups).id, visibility: pick(visibilities) }),
    newProject,
    () => {
      const [source, title] = [anySource(), pick(titles.slice(0, 3))];
      const type = "namespace_id" in source ? "project" : "group";
      const isTaken = store.of(labels).by.title_in_source.find(`${type} ${source.id}\n${title}`) !== undefined;
      if (!isTaken) tracker.label(source, title);
    },
    () => {
      const [source, title] = [anySource(), pick(milestoneTitles.slice(0, 2))];
      const type = "namespace_id" in source ? "project" : "group";
      const isTaken = instance().milestones.some(
        (each) => each.source_type === type && each.source_id === source.id && each.title === title,
      );
      const name = isTaken ? `${title}.${random.integer(0, 1e9)}` : title;
      tracker.milestone(source, name, { ...dates(), state: pick(["active", "active", "closed"]) });
    },
    newIssue,
    newIssue,
  ];
  const later: (() => unknown)[] = [
    newIssue,
    newIssue,
    () => {
      const issue = anyIssue();
      const project = store.of(projects).get(issue.project_id) as ProjectRecord;
      store.transact((tx) => tx.update(issues, { ...issue, ...filed(project) }));
    },
    () => store.transact((tx) => tx.remove(issues, anyIssue().id)),
    () => {
      const [issue, project] = [anyIssue(), anyProject()];
      const iid = 1_000 + random.integer(0, 1e9);
      store.transact((tx) => tx.update(issues, { ...issue, project_id: project.id, iid }));
    },
    () => {
      const [issue, userId, name] = [anyIssue(), pick(userIds), pick(["rocket", "heart"])];
      const [given] = store.of(awardEmoji).by.given.find(`Issue ${issue.id} ${userId} ${name}`);
      if (given === undefined) tracker.reaction(issue, userId, name);
      else store.transact((tx) => tx.remove(awardEmoji, given));
    },
    () => {
      const [source, userId] = [anySource(), pick(userIds)];
      const type = "namespace_id" in source ? "project" : "group";
      const held = store.of(memberships).by.holder.find(`${type} ${source.id} ${userId}`);
      if (held === undefined) places.member(source, userId, level(), some(0.2) ? { expires_at: day(1) } : {});
      else store.transact((tx) => tx.remove(memberships, held));
    },
    () => {
      const [source, invited] = [anySource(), pick(instance().groups)];
      const type = "namespace_id" in source ? "project" : "group";
      const held = store.of(groupLinks).by.pair.find(`${type} ${source.id} ${invited.id}`);
      if (held !== undefined) store.transact((tx) => tx.remove(groupLinks, held));
      else if (source.id !== invited.id || type === "project") places.share(source, invited, level());
    },
    () => places.alterProject(anyProject(), { visibility: pick(visibilities) }),
    () => places.alterProject(anyProject(), { settings: feature() }),
    () => places.alterProject(anyProject(), { archived: some(0.5) }),
    () => {
      const live = liveProjects();
      if (live.length > 1 && some(0.3)) places.alterProject(pick(live), { is_being_deleted: true });
    },
    () => {
      const [project, group] = [anyProject(), pick(instance().groups)];
      store.transact((tx) => updateProjectRecord(tx, store, { ...project, namespace_id: group.id }));
    },
    () => {
      const milestone = pick(instance().milestones);
      const state = pick(["active", "closed"] as const);
      store.transact((tx) => tx.update(milestones, { ...milestone, ...dates(), state }));
    },
    () => {
      const milestone = pick(instance().milestones);
      if (instance().milestones.length < 4) return;
      store.transact((tx) => {
        for (const id of [...store.of(issues).by.milestone_id.find(milestone.id)]) {
          tx.update(issues, { ...(store.of(issues).get(id) as IssueRecord), milestone_id: null });
        }
        tx.remove(milestones, milestone.id);
      });
    },
    () => {
      const user = store.of(users).get(7);
      if (user)
        store.transact((tx) => tx.update(users, { ...user, state: user.state === "banned" ? "active" : "banned" }));
    },
    () => {
      const refused = new Error("rolled back");
      const change = () => {
        store.transact((tx) => {
          tx.remove(issues, anyIssue().id);
          const milestone = pick(instance().milestones);
          tx.update(milestones, { ...milestone, ...dates() });
          throw refused;
        });
      };
      expect(change).toThrow(refused);
    },
    () => {
      clock.advance(pick([0, 0, 0, dayMs]));
    },
    () => {
      const group = pick(instance().groups.filter(({ id }) => id !== root.id));
      if (group) store.transact((tx) => updateGroupRecord(tx, store, { ...group, parent_id: root.id }));
    },
  ];
  return { setUp, later };
}
