import type { CallerUser } from "../../../src/domain/caller.ts";
import type { AccessPolicy } from "../../../src/modules/core/access/index.ts";
import { type UserRecord, users } from "../../../src/modules/core/users/records.ts";
import { type AwardEmojiRecord, awardEmoji } from "../../../src/modules/discussions/award-emoji/records.ts";
import { type GroupRecord, groups } from "../../../src/modules/groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import type { IssueFilters, IssueScope } from "../../../src/modules/planning/issues/index.ts";
import { type IssueRecord, issues } from "../../../src/modules/planning/issues/records.ts";
import { type LabelRecord, labels } from "../../../src/modules/planning/labels/records.ts";
import { type MilestoneRecord, milestones } from "../../../src/modules/planning/milestones/records.ts";
import type { Store } from "../../../src/store/index.ts";

/** All documents that statistics depend on, read without an index. */
export interface Instance {
  readonly users: readonly UserRecord[];
  readonly groups: readonly GroupRecord[];
  readonly projects: readonly ProjectRecord[];
  readonly labels: readonly LabelRecord[];
  readonly milestones: readonly MilestoneRecord[];
  readonly awards: readonly AwardEmojiRecord[];
  readonly issues: readonly IssueRecord[];
}

export function readInstance(store: Store): Instance {
  return {
    users: everyOf(store.of(users)),
    groups: everyOf(store.of(groups)),
    projects: everyOf(store.of(projects)),
    labels: everyOf(store.of(labels)),
    milestones: everyOf(store.of(milestones)),
    awards: everyOf(store.of(awardEmoji)),
    issues: everyOf(store.of(issues)),
  };
}

function everyOf<T>(documents: { readonly size: number; get(id: number): T | undefined }): T[] {
  const found: T[] = [];
  for (let id = 1; found.length < documents.size; id += 1) {
    const document = documents.get(id);
    if (document !== undefined) found.push(document);
  }
  return found;
}

/** A caller and the time of the question. */
export interface Asking {
  readonly user: CallerUser;
  readonly access: AccessPolicy;
  readonly isPaid: boolean;
}

type Test = (issue: IssueRecord) => boolean;

/** A page that counts, word by word: one look at every issue of the instance. */
export function countByScan(instance: Instance, asking: Asking, filters: IssueFilters, scope: IssueScope) {
  const tests = testsOf(instance, asking, filters, scope);
  let [opened, closed] = [0, 0];
  for (const issue of instance.issues) {
    let holds = true;
    for (let i = 0; holds && i < tests.length; i += 1) holds = (tests[i] as Test)(issue);
    if (!holds) continue;
    if (issue.state === "closed") closed += 1;
    else opened += 1;
  }
  return { all: opened + closed, closed, opened };
}

function testsOf(instance: Instance, asking: Asking, filters: IssueFilters, scope: IssueScope): Test[] {
  const { user } = asking;
  const tests = [isReadable(instance, asking, scope), ...plainTests(instance, asking, filters)];
  const { labels: titles = [], not = {}, confidential, search = "" } = filters;
  const unwanted = plainTests(instance, asking, not);
  if (not.milestone_id !== undefined) tests.push(ofOtherMilestones(instance, asking, not.milestone_id));
  tests.push(
    ...unwanted.map(
      (test): Test =>
        (issue) =>
          !test(issue),
    ),
  );
  const own = filters.scope?.replaceAll("-", "_");
  if (own === "created_by_me") tests.push((issue) => issue.author_id === user.id);
  if (own === "assigned_to_me") tests.push((issue) => issue.assignee_ids.includes(user.id));
  if (titles.length > 0) tests.push(hasLabels(instance, titles));
  for (const title of not.labels ?? []) {
    const has = hasLabels(instance, [title]);
    tests.push((issue) => !has(issue));
  }
  if (filters.milestone_id !== undefined) tests.push(ofMilestones(instance, asking, filters.milestone_id));
  for (const name of filters.assignee_username ?? []) tests.push(isAssigned(idOf(instance, name)));
  for (const name of not.assignee_username ?? []) {
    const is = isAssigned(idOf(instance, name));
    tests.push((issue) => !is(issue));
  }
  tests.push(...timeTests(filters));
  if (confidential !== undefined) tests.push((issue) => issue.confidential === confidential);
  if (search.trim() !== "") tests.push(mentions(search, filters.in));
  return tests;
}

function plainTests(
  instance: Instance,
  { user, isPaid }: Asking,
  filters: Omit<NonNullable<IssueFilters["not"]>, "labels" | "milestone_id" | "assignee_username">,
): Test[] {
  const tests: Test[] = [];
  const { author_id, author_username, assignee_id, epic_id, weight, my_reaction_emoji, iids = [], milestone } = filters;
  if (milestone !== undefined) tests.push(hasMilestone(instance, milestone));
  if (author_id !== undefined) tests.push((issue) => issue.author_id === author_id);
  if (author_username !== undefined) {
    const id = idOf(instance, author_username);
    tests.push((issue) => issue.author_id === id);
  }
  if (assignee_id === "none") tests.push(({ assignee_ids }) => assignee_ids.length === 0);
  else if (assignee_id === "any") tests.push(({ assignee_ids }) => assignee_ids.length > 0);
  else if (assignee_id !== undefined) tests.push(isAssigned(assignee_id));
  if (isPaid && epic_id !== undefined) tests.push(isOrWord(epic_id, (issue) => issue.epic_id));
  if (isPaid && weight !== undefined) tests.push(isOrWord(weight, (issue) => issue.weight));
  if (my_reaction_emoji !== undefined) tests.push(hasReaction(instance, user, my_reaction_emoji));
  if (iids.length > 0) tests.push((issue) => iids.includes(issue.iid));
  return tests;
}

/** The projects of the path whose issues somebody reads, with the level there: rules 1 and 2 of "What is counted". */
export function readableLevels({ projects: all, groups: allGroups }: Instance, asking: Asking, scope: IssueScope) {
  const { user, access } = asking;
  const seesAll = user.is_admin || user.is_auditor;
  const groupIds = new Set<number>();
  if (typeof scope === "object" && "group" in scope) {
    groupIds.add(scope.group.id);
    for (let size = 0; size < groupIds.size; ) {
      size = groupIds.size;
      for (const { id, parent_id } of allGroups) if (groupIds.has(parent_id ?? 0)) groupIds.add(id);
    }
  }
  const levels = new Map<number, number>();
  for (const project of all) {
    if (project.is_being_deleted === true) continue;
    if (typeof scope === "object" && "group" in scope && !groupIds.has(project.namespace_id)) continue;
    if (typeof scope === "object" && "project" in scope && scope.project.id !== project.id) continue;
    const member = access.explain(user.id, { type: "project", id: project.id })[0]?.level ?? 0;
    const isMember = member >= 10;
    const isOpen = project.visibility === "public" || (project.visibility === "internal" && !user.external);
    if (!seesAll && !isMember && !isOpen) continue;
    const feature = project.settings.issues_access_level ?? "enabled";
    if (feature === "disabled" || (feature === "private" && !seesAll && !isMember)) continue;
    levels.set(project.id, seesAll ? 50 : member);
  }
  return levels;
}

function isReadable(instance: Instance, asking: Asking, scope: IssueScope): Test {
  const { user } = asking;
  const levels = readableLevels(instance, asking, scope);
  const banned = new Set(instance.users.filter(({ state }) => state === "banned").map(({ id }) => id));
  return (issue) => {
    const level = levels.get(issue.project_id);
    if (level === undefined || (!user.is_admin && banned.has(issue.author_id))) return false;
    if (!issue.confidential || level >= 15) return true;
    return issue.author_id === user.id || issue.assignee_ids.includes(user.id);
  };
}

function hasLabels({ labels: all }: Instance, titles: readonly string[]): Test {
  const words = titles.map((title) => title.toLowerCase());
  if (words.includes("none")) return (issue) => issue.label_ids.length === 0;
  if (words.includes("any")) return (issue) => issue.label_ids.length > 0;
  const sets = titles.map((title) => new Set(all.filter((label) => label.title === title).map(({ id }) => id)));
  return (issue) => sets.every((ids) => issue.label_ids.some((id) => ids.has(id)));
}

function hasMilestone({ milestones: all }: Instance, title: string): Test {
  const word = title.toLowerCase();
  if (word === "none") return (issue) => issue.milestone_id === null;
  if (word === "any") return (issue) => issue.milestone_id !== null;
  return isIn(all.filter((milestone) => milestone.title === title));
}

type MilestoneWord = NonNullable<IssueFilters["milestone_id"]>;

function ofMilestones({ milestones: all }: Instance, { access: { today } }: Asking, word: MilestoneWord): Test {
  if (word === "None") return (issue) => issue.milestone_id === null;
  if (word === "Any") return (issue) => issue.milestone_id !== null;
  const active = all.filter(({ state }) => state === "active");
  if (word === "Started") return isIn(active.filter((each) => each.start_date !== null && each.start_date <= today));
  const upcoming = active.filter((each) => each.due_date !== null && each.due_date > today);
  const first = new Map<string, string>();
  for (const { source_type, source_id, due_date } of upcoming) {
    const place = `${source_type} ${source_id}`;
    const known = first.get(place);
    if (due_date !== null && (known === undefined || due_date < known)) first.set(place, due_date);
  }
  return isIn(
    upcoming.filter(({ source_type, source_id, due_date }) => first.get(`${source_type} ${source_id}`) === due_date),
  );
}

/** `not[milestone_id]`: the active ones of the other kind. */
function ofOtherMilestones(instance: Instance, asking: Asking, word: MilestoneWord): Test {
  if (word === "None" || word === "Any") return ofMilestones(instance, asking, word === "None" ? "Any" : "None");
  const { today } = asking.access;
  const active = instance.milestones.filter(({ state }) => state === "active");
  if (word === "Started") return isIn(active.filter((each) => each.start_date !== null && each.start_date > today));
  return isIn(active.filter((each) => each.due_date !== null && each.due_date <= today));
}

function isIn(found: readonly MilestoneRecord[]): Test {
  const ids = new Set<number | null>(found.map(({ id }) => id));
  return (issue) => ids.has(issue.milestone_id);
}

function hasReaction({ awards }: Instance, user: CallerUser, name: string): Test {
  const own = awards.filter((award) => award.user_id === user.id && award.awardable_type === "Issue");
  const word = name.toLowerCase();
  const isWord = word === "none" || word === "any";
  const ids = new Set(own.filter((award) => isWord || award.name === name).map((award) => award.awardable_id));
  return word === "none" ? (issue) => !ids.has(issue.id) : (issue) => ids.has(issue.id);
}

function isOrWord(wanted: number | "none" | "any", valueIn: (issue: IssueRecord) => number | null): Test {
  if (wanted === "none") return (issue) => valueIn(issue) === null;
  if (wanted === "any") return (issue) => valueIn(issue) !== null;
  return (issue) => valueIn(issue) === wanted;
}

function isAssigned(userId: number | undefined): Test {
  return (issue) => userId !== undefined && issue.assignee_ids.includes(userId);
}

function idOf({ users: everybody }: Instance, username: string): number | undefined {
  return everybody.find((user) => user.username.toLowerCase() === username.toLowerCase())?.id;
}

function timeTests({ created_after, created_before, updated_after, updated_before }: IssueFilters): Test[] {
  const tests: Test[] = [];
  if (created_after !== undefined) tests.push((issue) => issue.created_at >= created_after);
  if (created_before !== undefined) tests.push((issue) => issue.created_at <= created_before);
  if (updated_after !== undefined) tests.push((issue) => issue.updated_at >= updated_after);
  if (updated_before !== undefined) tests.push((issue) => issue.updated_at <= updated_before);
  return tests;
}

function mentions(search: string, fields = "title,description"): Test {
  const words = [...search.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, phrase, word]) => (phrase ?? word ?? "").trim().toLowerCase())
    .filter((word) => word !== "");
  const named = fields.split(",").map((each) => each.trim());
  const hasTitle = named.includes("title");
  const hasDescription = named.includes("description");
  const isAnywhere = hasTitle === hasDescription;
  return ({ title, description }) =>
    words.every(
      (word) =>
        ((isAnywhere || hasTitle) && title.toLowerCase().includes(word)) ||
        ((isAnywhere || hasDescription) && description !== null && description.toLowerCase().includes(word)),
    );
}
