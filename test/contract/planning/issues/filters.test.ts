import { expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { awardEmoji } from "../../../../src/modules/discussions/award-emoji/records.ts";
import { type IssueRecord, issues } from "../../../../src/modules/planning/issues/records.ts";
import { createRandom } from "../../../support/checks/random.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type CallOptions, type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { trackerOf } from "../../../support/planning/tracker.ts";

const world = await startWorld();
const places = placesOf(world);
const tracker = trackerOf(world);
const random = createRandom();
const pick = <T>(from: readonly T[]): T => from[random.integer(0, from.length - 1)] as T;
const some = (chance: number) => random.fraction() < chance;

const ann = await world.user({ username: "Ann" });
const bob = await world.user({ username: "bob" });
const people = [ann, bob];
const group = places.group({ path: "one", visibility: "private" });
const below = places.group({ path: "below", parent_id: group.id });
const projects = [places.project(group.id), places.project(below.id), places.project(places.group({ path: "two" }).id)];
for (const project of projects) places.member(project, ann.id, accessLevels.reporter);
// Epics are for members of their group.
places.member(group, ann.id, accessLevels.guest);

const labels = [
  tracker.label(group, "bug"),
  ...projects.flatMap((project) => [
    tracker.label(project, "bug"),
    tracker.label(project, "Bug"),
    tracker.label(project, "ui"),
  ]),
];
const day = (distance: number) => world.clock.day(distance);
const milestones = [
  tracker.milestone(group, "1.0", { start_date: day(-3), due_date: day(3) }),
  ...projects.flatMap((project) => [
    tracker.milestone(project, "1.0", { start_date: day(0), due_date: day(5) }),
    tracker.milestone(project, "2.0", { start_date: day(1), due_date: day(2) }),
    tracker.milestone(project, "old", { start_date: day(-9), due_date: day(-1) }),
    tracker.milestone(project, "shut", { state: "closed", start_date: day(-9), due_date: day(1) }),
  ]),
];
const epics = [tracker.epic(group.id, ann.id), tracker.epic(group.id, ann.id)];
const words = ["login", "page", "Login page", "fix", "q", "ab", 'say "hi"', "über"];
const sentence = () => Array.from({ length: random.integer(0, 3) }, () => pick(words)).join(" ");
const at = (hours: number) => new Date(Date.parse("2024-05-01T00:00:00.000Z") + hours * 3_600_000).toISOString();

for (let count = 0; count < 90; count += 1) {
  const project = pick(projects);
  const isNear = (id: number, type: string) => (type === "project" ? id === project.id : project !== projects[2]);
  const near = labels.filter((label) => isNear(label.source_id, label.source_type) && some(0.3));
  const milestone = some(0.6) ? pick(milestones) : undefined;
  const isMilestoneNear = milestone !== undefined && isNear(milestone.source_id, milestone.source_type);
  const issue = tracker.issue(project, pick(people).id, {
    title: `${sentence()}.`,
    description: some(0.3) ? null : sentence(),
    state: pick(["opened", "closed"]),
    closed_by_id: some(0.3) ? pick(people).id : null,
    assignee_ids: people.filter(() => some(0.4)).map(({ id }) => id),
    label_ids: near.map(({ id }) => id),
    milestone_id: isMilestoneNear ? milestone.id : null,
    epic_id: some(0.5) ? pick(epics).id : null,
    confidential: some(0.3),
    issue_type: pick(["issue", "incident", "test_case", "task"]),
    weight: some(0.5) ? random.integer(0, 3) : null,
    ...(some(0.5) ? { health_status: some(0.5) ? ("at_risk" as const) : ("on_track" as const) } : {}),
    due_date: some(0.3) ? null : day(random.integer(-20, 45)),
    created_at: at(random.integer(0, 30)),
    updated_at: at(random.integer(30, 60)),
    upvotes: random.integer(0, 3),
  });
  for (const person of people) {
    for (const name of ["rocket", "thumbsup"]) if (some(0.2)) tracker.reaction(issue, person.id, name);
  }
}

const all = Array.from({ length: 90 }, (_, index) => world.store.of(issues).get(index + 1) as IssueRecord);
type Holds = (issue: IssueRecord) => boolean;
const titlesOf = (issue: IssueRecord) =>
  issue.label_ids.map((id) => labels.find((label) => label.id === id)?.title ?? "");
const milestoneOf = (issue: IssueRecord) => milestones.find(({ id }) => id === issue.milestone_id);
const { by } = world.store.of(awardEmoji);
const isGiven = (issue: IssueRecord, name: string) => by.given.find(`Issue ${issue.id} ${ann.id} ${name}`).size > 0;
const given = new Map(all.map((issue) => [issue.id, ["rocket", "thumbsup"].filter((name) => isGiven(issue, name))]));
const today = day(0);
const started: Holds = (issue) => {
  const found = milestoneOf(issue);
  return found?.state === "active" && (found.start_date ?? "9") <= today;
};
/** The milestones "2.0" are due before "1.0" in each project; the group has one. */
const upcoming: Holds = (issue) => {
  const found = milestoneOf(issue);
  return found !== undefined && (found.title === "2.0" || found.source_type === "group");
};

/** Each with what it must leave, as the pages say it. */
const filters: readonly (readonly [Readonly<Record<string, Json>>, Holds])[] = [
  [{ labels: "bug" }, (issue) => titlesOf(issue).includes("bug")],
  [{ labels: "bug, ui" }, (issue) => ["bug", "ui"].every((title) => titlesOf(issue).includes(title))],
  [{ labels: ["Bug", "ui,bug"] }, (issue) => ["Bug", "ui", "bug"].every((title) => titlesOf(issue).includes(title))],
  [{ label_name: "ui" }, (issue) => titlesOf(issue).includes("ui")],
  [{ labels: "nobody's" }, () => false],
  [{ labels: "bug,NONE" }, (issue) => issue.label_ids.length === 0],
  [{ labels: "any" }, (issue) => issue.label_ids.length > 0],
  [{ labels: "" }, () => true],
  [{ milestone: "1.0" }, (issue) => milestoneOf(issue)?.title === "1.0"],
  [{ milestone_title: "2.0" }, (issue) => milestoneOf(issue)?.title === "2.0"],
  [{ milestone: "none" }, (issue) => issue.milestone_id === null],
  [{ milestone: "Any" }, (issue) => issue.milestone_id !== null],
  [{ milestone: "No Milestone" }, (issue) => issue.milestone_id === null],
  [{ milestone: "Any Milestone" }, (issue) => issue.milestone_id !== null],
  [{ milestone: "nothing" }, () => false],
  [{ milestone: "#started" }, started],
  [{ milestone: "#upcoming" }, upcoming],
  [{ milestone_id: "Started" }, started],
  [{ milestone_id: "Upcoming" }, upcoming],
  [{ milestone_id: "None" }, (issue) => issue.milestone_id === null],
  [{ milestone_id: "Any" }, (issue) => issue.milestone_id !== null],
  [{ author_id: bob.id }, (issue) => issue.author_id === bob.id],
  [{ author_username: "BOB" }, (issue) => issue.author_id === bob.id],
  [{ author_username: "nobody" }, () => false],
  [{ assignee_id: bob.id }, (issue) => issue.assignee_ids.includes(bob.id)],
  [{ assignee_id: "NONE" }, (issue) => issue.assignee_ids.length === 0],
  [{ assignee_id: "any" }, (issue) => issue.assignee_ids.length > 0],
  [{ assignee_username: "ann" }, (issue) => issue.assignee_ids.includes(ann.id)],
  [{ assignee_username: ["ANN", "bob"] }, (issue) => issue.assignee_ids.length === 2],
  [{ assignee_username: ["ann", "nobody"] }, () => false],
  [{ epic_id: epics[0]?.id }, (issue) => issue.epic_id === epics[0]?.id],
  [{ epic_id: "none" }, (issue) => issue.epic_id === null],
  [{ epic_id: "ANY" }, (issue) => issue.epic_id !== null],
  [{ my_reaction_emoji: "rocket" }, ({ id }) => given.get(id)?.includes("rocket") === true],
  [{ my_reaction_emoji: "+1" }, ({ id }) => given.get(id)?.includes("thumbsup") === true],
  [{ my_reaction_emoji: "None" }, ({ id }) => given.get(id)?.length === 0],
  [{ my_reaction_emoji: "any" }, ({ id }) => given.get(id)?.length !== 0],
  [{ iids: [1, 3] }, (issue) => [1, 3].includes(issue.iid)],
  [{ iids: "2,4" }, (issue) => [2, 4].includes(issue.iid)],
  [{ scope: "created_by_me" }, (issue) => issue.author_id === ann.id],
  [{ scope: "assigned-to-me" }, (issue) => issue.assignee_ids.includes(ann.id)],
  [{ scope: "all" }, () => true],
  [
    { created_after: at(10), created_before: at(20) },
    (issue) => issue.created_at >= at(10) && issue.created_at <= at(20),
  ],
  [{ updated_after: at(45) }, (issue) => issue.updated_at >= at(45)],
  [{ updated_before: at(45) }, (issue) => issue.updated_at <= at(45)],
  [{ confidential: true }, (issue) => issue.confidential],
  [{ confidential: "off" }, (issue) => !issue.confidential],
  [{ weight: 2 }, (issue) => issue.weight === 2],
  [{ weight: 0 }, (issue) => issue.weight === 0],
  [{ weight: "None" }, (issue) => issue.weight === null],
  [{ weight: "any" }, (issue) => issue.weight !== null],
  [{ health_status: "at_risk" }, (issue) => issue.health_status === "at_risk"],
  [{ health_status: "None" }, (issue) => issue.health_status === undefined],
  [{ health_status: "any" }, (issue) => issue.health_status !== undefined],
  [{ state: "closed" }, (issue) => issue.state === "closed"],
  [{ state: "all" }, () => true],
  [{ issue_type: "task" }, (issue) => issue.issue_type === "task"],
  [{ closed_by_id: ann.id }, (issue) => issue.closed_by_id === ann.id],
  [{ due_date: "0" }, (issue) => issue.due_date === null],
  [{ due_date: "any" }, (issue) => issue.due_date !== null],
  [{ due_date: "" }, () => true],
  [{ due_date: "today" }, (issue) => issue.due_date === today],
  [{ due_date: "tomorrow" }, (issue) => issue.due_date === day(1)],
  [{ due_date: "overdue" }, (issue) => issue.due_date !== null && issue.due_date < today],
  [{ due_date: "month" }, (issue) => issue.due_date?.slice(0, 7) === today.slice(0, 7)],
  [
    { due_date: "next_month_and_previous_two_weeks" },
    ({ due_date }) => due_date !== null && due_date >= day(-14) && due_date.slice(0, 7) <= nextMonth(today),
  ],
  [{ "not[labels]": "bug,ui" }, (issue) => !titlesOf(issue).some((title) => title === "bug" || title === "ui")],
  [{ "not[milestone]": "1.0" }, (issue) => milestoneOf(issue)?.title !== "1.0"],
  [{ "not[milestone_id]": "Started" }, (issue) => milestoneOf(issue)?.title === "2.0"],
  [{ "not[milestone_id]": "Upcoming" }, (issue) => milestoneOf(issue)?.title === "old"],
  [{ "not[author_id]": bob.id }, (issue) => issue.author_id !== bob.id],
  [{ "not[author_username]": "bob" }, (issue) => issue.author_id !== bob.id],
  [{ "not[author_username]": "nobody" }, () => true],
  [{ "not[assignee_id]": bob.id }, (issue) => !issue.assignee_ids.includes(bob.id)],
  [{ "not[assignee_username]": "bob" }, (issue) => !issue.assignee_ids.includes(bob.id)],
  [{ "not[iids]": [1, 2] }, (issue) => issue.iid > 2],
  [{ "not[weight]": 2 }, (issue) => issue.weight !== 2],
  [{ "not[health_status]": "at_risk" }, (issue) => issue.health_status !== "at_risk"],
  [{ "not[epic_id]": epics[0]?.id }, (issue) => issue.epic_id !== epics[0]?.id],
  [{ "not[my_reaction_emoji]": "rocket" }, ({ id }) => given.get(id)?.includes("rocket") !== true],
  [{ unheard_of: 1 }, () => true],
];

const has = (issue: IssueRecord, word: string, fields: readonly ("title" | "description")[]) =>
  fields.some((field) => (issue[field] ?? "").toLowerCase().includes(word.toLowerCase()));
const both = ["title", "description"] as const;
const searches: readonly (readonly [Readonly<Record<string, Json>>, Holds])[] = [
  [{ search: "LOGIN" }, (issue) => has(issue, "login", both)],
  [{ search: "page fix" }, (issue) => has(issue, "page", both) && has(issue, "fix", both)],
  [{ search: '"login page"' }, (issue) => has(issue, "login page", both)],
  [{ search: "q", in: "title" }, (issue) => has(issue, "q", ["title"])],
  [{ search: "ab", in: "description" }, (issue) => has(issue, "ab", ["description"])],
  [{ search: "ix", in: "description,title" }, (issue) => has(issue, "ix", both)],
  [{ search: "ÜBER", in: "nothing" }, (issue) => has(issue, "über", both)],
  [{ search: '"' }, (issue) => has(issue, '"', both)],
  [{ search: "" }, () => true],
];

function nextMonth(date: string): string {
  const [year = 0, month = 0] = date.split("-").map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
}

async function idsOf(path: string, query: Readonly<Record<string, Json>>): Promise<number[]> {
  const options: CallOptions = { token: ann.token, query: { per_page: 100, ...query } };
  const { status, body, text, headers } = await world.call("GET", path, options);
  if (status !== 200) throw new Error(`${path} ${JSON.stringify(query)}: ${status} ${text}`);
  expect(headers.get("x-total")).toBe(String(body.length));
  return body.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
}

const scopes: readonly (readonly [string, Readonly<Record<string, Json>>, Holds])[] = [
  ["/issues", { scope: "all" }, () => true],
  [`/groups/${group.id}/issues`, {}, (issue) => issue.project_id !== projects[2]?.id],
  ...projects.map(
    (project) =>
      [`/projects/${project.id}/issues`, {}, (issue: IssueRecord) => issue.project_id === project.id] as const,
  ),
];

/** The filters that statistics ignore; they use all others. */
const ofLists = ["label_name", "milestone_title", "state", "issue_type", "closed_by_id", "due_date"];

for (const [path, base, isInScope] of scopes) {
  test(`statistics of ${path} count the result of each filter, and ignore filters of lists only`, async () => {
    for (const [query, holds] of [...filters, ...searches]) {
      const isIgnored = ofLists.some((name) => name in query);
      const expected = all.filter((issue) => isInScope(issue) && (isIgnored || holds(issue)));
      const closed = expected.filter(({ state }) => state === "closed").length;
      const options: CallOptions = { token: ann.token, query: { ...base, ...query } };
      const { body } = await world.call("GET", path.replace(/issues$/, "issues_statistics"), options);
      expect(body, `seed ${random.seed} ${JSON.stringify(query)}`).toEqual({
        statistics: { counts: { all: expected.length, closed, opened: expected.length - closed } },
      });
    }
  });

  test(`each filter gives the result of its page in ${path}`, async () => {
    for (const [query, holds] of [...filters, ...searches]) {
      const expected = all.filter((issue) => isInScope(issue) && holds(issue)).map(({ id }) => id);
      const found = await idsOf(path, { ...base, ...query });
      expect(found, `seed ${random.seed} ${JSON.stringify(query)}`).toEqual(expected);
    }
  });
}

test("filters combine", async () => {
  for (let round = 0; round < 80; round += 1) {
    const chosen = [pick(filters), pick(filters), pick(some(0.5) ? searches : filters)];
    const query = Object.assign({}, ...chosen.map(([each]) => each));
    const names = chosen.flatMap(([each]) =>
      Object.keys(each).map((name) => name.replace(/_(id|username|title)\b/, "")),
    );
    if (new Set(names).size < names.length || ("label_name" in query && "labels" in query)) continue;
    const [path, base, isInScope] = pick(scopes);
    const expected = all.filter((issue) => isInScope(issue) && chosen.every(([, holds]) => holds(issue)));
    const found = await idsOf(path, { ...base, ...query });
    expect(found, `seed ${random.seed} ${path} ${JSON.stringify(query)}`).toEqual(expected.map(({ id }) => id));
  }
});

test("a list without scope has all issues in a project or group, and the caller's own elsewhere", async () => {
  expect(await idsOf("/issues", {})).toEqual(all.filter(({ author_id }) => author_id === ann.id).map(({ id }) => id));
});

test("an order is by its key, and by the id for equal keys", async () => {
  const dueOf = (issue: IssueRecord) => milestoneOf(issue)?.due_date ?? null;
  const keys: Readonly<Record<string, (issue: IssueRecord) => string | number | null>> = {
    created_at: (issue) => issue.created_at,
    updated_at: (issue) => issue.updated_at,
    title: (issue) => issue.title.toLowerCase(),
    popularity: (issue) => issue.upvotes,
    relative_position: () => 0,
    due_date: (issue) => issue.due_date,
    weight: (issue) => issue.weight,
    milestone_due: dueOf,
  };
  for (const [order_by, keyOf] of Object.entries(keys)) {
    for (const sort of ["asc", "desc"] as const) {
      const sign = sort === "asc" ? 1 : -1;
      const sorted = all.toSorted((one, other) => {
        const [a, b] = [keyOf(one), keyOf(other)];
        if (a === b) return sign * (one.id - other.id);
        if (a === null || b === null) return a === null ? 1 : -1;
        return a < b ? -sign : sign;
      });
      const met: number[] = [];
      for (let page = 1; page < 15; page += 1) {
        const query = { scope: "all", order_by, sort, page, per_page: 7 };
        const { body } = await world.call("GET", "/issues", { token: rootToken, query });
        met.push(...body.map(({ id }: { id: number }) => id));
      }
      expect(met, `${order_by} ${sort}`).toEqual(sorted.map(({ id }) => id));
    }
  }
});
