import { describe, expect, test } from "bun:test";
import { dayMs, toCalendarDate } from "../../../src/lib/datetime.ts";
import { pipelines } from "../../../src/modules/ci/pipelines/records.ts";
import { ciJobs } from "../../../src/modules/ci/pipelines/records-jobs.ts";
import { Access } from "../../../src/modules/core/access/index.ts";
import { users } from "../../../src/modules/core/users/records.ts";
import { awardEmoji } from "../../../src/modules/discussions/award-emoji/records.ts";
import { notes } from "../../../src/modules/discussions/notes/records.ts";
import { groups } from "../../../src/modules/groups-and-projects/groups/records.ts";
import { projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { projectStars } from "../../../src/modules/groups-and-projects/projects/records-stars.ts";
import { groupLinks } from "../../../src/modules/groups-and-projects/shares/records.ts";
import { accessRequests } from "../../../src/modules/members/access-requests/records.ts";
import { memberships } from "../../../src/modules/members/members/records.ts";
import { alerts } from "../../../src/modules/monitoring/alerts/records.ts";
import { epicIssues } from "../../../src/modules/planning/epics/records.ts";
import { issues } from "../../../src/modules/planning/issues/records.ts";
import { storageMoves } from "../../../src/modules/repositories/storage-moves/records.ts";
import { idOf, seededWorld } from "./seeded-world.ts";

const { world, report, until } = await seededWorld();
const { store, context } = world;

interface Kept<T> {
  get(id: number): T | undefined;
}

/** The documents with the first ids, which are all that a small store has. */
function all<T>(documents: Kept<T>, last: number): T[] {
  return Array.from({ length: last }, (_, at) => documents.get(at + 1)).filter((each) => each !== undefined);
}

const everyIssue = all(store.of(issues), 2_000);
const everyProject = all(store.of(projects), 200);

describe("an organisation of scale 1", () => {
  test("has about two thousand documents", () => {
    expect(report.documents).toBeWithin(1_500, 2_500);
    const { sequences: _, ...counts } = store.statistics().documents;
    const kept = Object.values(counts).reduce((sum, count) => sum + count, 0);
    // Root, its namespace, token, events and the note of the first start were there before.
    expect(kept - report.documents).toBe(6);
  });

  test("has two years of history before its day", () => {
    const times = everyIssue.flatMap(({ created_at, updated_at, closed_at }) => [
      created_at,
      updated_at,
      closed_at ?? "",
    ]);
    const written = times.filter((time) => time !== "").map((time) => Date.parse(time));
    expect(Math.max(...written)).toBeLessThan(until);
    expect(Math.min(...written)).toBeGreaterThan(until - 731 * dayMs);
    expect(Math.max(...written) - Math.min(...written)).toBeGreaterThan(500 * dayMs);
  });

  test("has events in the order of their times, each about an existing thing", () => {
    const events = world.events(2);
    const times = events.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted());
    const names = new Set(events.map(({ event_name }) => event_name));
    for (const name of ["user_created", "user_blocked", "group_created", "project_created", "member_created"]) {
      expect(names).toContain(name);
    }
    for (const name of ["member_updated", "member_destroyed", "project_archived", "personal_access_token_created"]) {
      expect(names).toContain(name);
    }
    const created = events.filter(({ event_name }) => event_name === "project_created");
    expect(created.map(({ entity_id }) => entity_id).toSorted((a, b) => a - b)).toEqual(
      everyProject.map(({ id }) => id),
    );
  });

  test("has correct counts", () => {
    for (const issue of everyIssue) {
      const subject = `Issue ${issue.id}`;
      const given = [...store.of(awardEmoji).by.awardable.find(subject)].map(
        (id) => store.of(awardEmoji).get(id)?.name,
      );
      expect([issue.id, issue.user_notes_count, issue.upvotes, issue.downvotes]).toEqual([
        ...[issue.id, store.of(notes).by.noteable.find(subject).size],
        ...["thumbsup", "thumbsdown"].map((name) => given.filter((each) => each === name).length),
      ] as number[]);
      expect([issue.id, store.of(epicIssues).by.issue_id.find(issue.id) === undefined]).toEqual([
        issue.id,
        issue.epic_id === null,
      ]);
      expect(issue.state === "closed").toBe(issue.closed_at !== null);
    }
    for (const { id, star_count } of everyProject) {
      expect([id, store.of(projectStars).by.project_id.find(id).size]).toEqual([id, star_count]);
    }
  });

  test("has issues of authors who can see them, in ascending numbers", () => {
    const last = new Map<number, number>();
    for (const issue of everyIssue) {
      const author = store.of(users).get(issue.author_id);
      const project = store.of(projects).get(issue.project_id);
      if (author === undefined || project === undefined) throw new Error(`issue ${issue.id} is of nobody or nowhere`);
      const isThere = author.user_type !== "human" || context.get(Access).canSeeProject(author, project);
      expect([issue.id, author.username, isThere]).toEqual([issue.id, author.username, true]);
      expect(issue.iid).toBe((last.get(issue.project_id) ?? 0) + 1);
      last.set(issue.project_id, issue.iid);
    }
  });

  test("has no role that is older than its user or its source", async () => {
    const { world: larger } = await seededWorld({ seed: 4, scale: 10 });
    for (const role of all(larger.store.of(memberships), 2_000)) {
      const place = role.source_type === "group" ? larger.store.of(groups) : larger.store.of(projects);
      const sides = [larger.store.of(users).get(role.user_id), place.get(role.source_id)];
      for (const side of sides) {
        expect([role.id, (side?.created_at ?? "gone") <= role.created_at]).toEqual([role.id, true]);
      }
    }
  });

  test("has pipelines and jobs in many states", () => {
    const statusesOf = (records: readonly { readonly status: string }[]) =>
      new Set(records.map(({ status }) => status));
    const made = statusesOf(all(store.of(pipelines), 200));
    for (const status of ["success", "failed"]) expect(made).toContain(status);
    const jobs = statusesOf(all(store.of(ciJobs), 1_000));
    for (const status of ["success", "failed", "skipped", "manual"]) expect(jobs).toContain(status);
    expect(made.size).toBeGreaterThan(3);
  });

  test("has logs of jobs that show their results, and runners that took them", async () => {
    for (const status of ["success", "failed"] as const) {
      const job = all(store.of(ciJobs), 1_000).find((each) => each.status === status);
      const path = `/projects/${job?.project_id}/jobs/${job?.id}`;
      const { text } = await world.get(`${path}/trace`);
      expect(text).toStartWith("Running with ");
      expect(text).toEndWith(status === "success" ? "Job succeeded\n" : "ERROR: Job failed: exit code 1\n");
      expect((await world.get(path)).body.runner).toMatchObject({ id: job?.runner_id });
    }
  });

  test("has open alerts, and incidents", () => {
    const found = all(store.of(alerts), 100);
    expect(found.some(({ status }) => status === "triggered" || status === "acknowledged")).toBe(true);
    expect(found.some(({ issue_id }) => issue_id !== null)).toBe(true);
  });

  test("has finished moves, and the moved repositories are at their destinations", async () => {
    const moves = all(store.of(storageMoves.project), 100);
    expect(new Set(moves.map(({ state }) => state))).toEqual(new Set(["finished", "failed"]));
    const [moved] = moves.filter(({ state }) => state === "finished");
    const storage = await world.get(`/projects/${moved?.container_id}`);
    expect(storage.body.repository_storage).toBe("cold");
    const commits = await world.get(`/projects/${moved?.container_id}/repository/commits`);
    expect(commits.body.length).toBeGreaterThan(2);
  });
});

describe("every kind of membership", () => {
  const access = context.get(Access);
  const today = toCalendarDate(until);
  const project = async (path: string) =>
    store.of(projects).get(await idOf(world, `/projects/${encodeURIComponent(path)}`));
  const effectiveMembershipsOf = async (username: string, path: string) => {
    const user = await idOf(world, `/users?username=${username}`);
    const record = await project(path);
    return access.explain(user, { type: "project", id: record?.id ?? 0 }).map(({ channel }) => channel.kind);
  };

  test.each([
    ["odile", "skylark/handbook", "direct"],
    ["sefa.lakemore", "skylark/firmware/radio/lora-stack", "inherited"],
    ["yuki.tanabe", "skylark/apps/station-console", "invited"],
    ["priya", "skylark/apps/field-app", "invited"],
  ])("%s gets access to %s through one that is %s", async (username, path, kind) => {
    const ways = await effectiveMembershipsOf(username, path);
    expect(ways).toContain(kind as (typeof ways)[number]);
  });

  test("some roles and shares have expired, some expire soon, and some are requested", () => {
    const ends = (rows: readonly { readonly expires_at: string | null }[]) =>
      rows.map(({ expires_at }) => expires_at).filter((day) => day !== null);
    const days = ends(all(store.of(memberships), 1_000));
    expect(days.some((day) => day <= today)).toBe(true);
    expect(days.some((day) => day > today)).toBe(true);
    expect(ends(all(store.of(groupLinks), 200)).some((day) => day > today)).toBe(true);
    expect(store.of(accessRequests).size).toBeGreaterThan(1);
  });

  test("no role is below those inherited from above", () => {
    for (const row of all(store.of(memberships), 1_000)) {
      const source = { type: row.source_type, id: row.source_id } as const;
      const inherited = access.explain(row.user_id, source).filter(({ channel }) => channel.kind === "inherited");
      for (const { level } of inherited) expect([row.id, row.access_level >= level]).toEqual([row.id, true]);
    }
  });
});
