import { describe, expect, test } from "bun:test";
import { collections } from "../../../src/modules/index.ts";
import type { CollectionDeclaration } from "../../../src/store/index.ts";
import type { Json } from "../../support/checks/json.ts";
import { seededWorld } from "./seeded-world.ts";

// Chance shares a project with the same group twice with the seed 1.
await seededWorld({ seed: 1, scale: 3 });
const { world, until } = await seededWorld({ seed: 5, scale: 3 });
const { store } = world;

type Kept = Json;

/** All documents of the house, by collection and id. */
const all = new Map(
  collections
    .filter(({ kind }) => kind === "hot")
    .map((declared) => {
      const documents = store.of(declared as unknown as CollectionDeclaration<Kept, Record<never, never>>);
      const found = new Map<number, Kept>();
      for (let id = 1; found.size < documents.size; id += 1) {
        const document = documents.get(id);
        if (document !== undefined) found.set(id, document);
      }
      return [declared.name, found] as const;
    }),
);

const of = (name: string): ReadonlyMap<number, Kept> => all.get(name) as ReadonlyMap<number, Kept>;

/** The collections that fields of these names refer to, in any collection. */
const targets: Readonly<Record<string, string>> = {
  ...{ user_id: "users", author_id: "users", creator_id: "users", created_by_id: "users", owner_id: "users" },
  ...{ closed_by_id: "users", assignee_id: "users", assignee_ids: "users", follower_id: "users", followee_id: "users" },
  ...{ project_id: "projects", project_ids: "projects", issue_id: "issues", epic_id: "epics" },
  ...{ milestone_id: "milestones", label_id: "labels", label_ids: "labels", pipeline_id: "pipelines" },
  ...{ runner_id: "runners", runner_manager_id: "runner-managers", job_id: "ci-jobs", group_id: "groups" },
  ...{ namespace_id: "namespaces", integration_id: "alert-integrations", error_id: "tracked-errors" },
};

/** Every id that a record names, and what it is of. */
function* named(record: Kept): Generator<readonly [field: string, target: string, id: number]> {
  for (const [field, target] of Object.entries(targets)) {
    const ids: readonly (number | null | undefined)[] = [record[field]].flat();
    for (const id of ids) if (typeof id === "number") yield [field, target, id];
  }
  if (["project", "group"].includes(record.source_type)) {
    yield ["source_id", `${record.source_type}s`, record.source_id];
  }
}

function isRoot(field: string, id: number): boolean {
  return targets[field] === "users" && id === 1;
}

/** The first of what should not be, to be read in the failure of a test. */
function findings(found: Iterable<string>): string[] {
  return [...found].slice(0, 5);
}

/** But for root and what is root's: they were there before. */
const records = [...all]
  .flatMap(([name, documents]) => [...documents.values()].map((record) => ({ name, record })))
  .filter(({ name, record }) => (name === "users" ? record.id : record.user_id) !== 1);

describe("a seeded store", () => {
  test("refers to nothing that does not exist", () => {
    const lost = records.flatMap(({ name, record }) =>
      [...named(record)]
        .filter(([, target, id]) => !of(target).has(id))
        .map(([field, , id]) => `${name} ${record.id}: ${field} ${id}`),
    );
    expect(findings(lost)).toEqual([]);
    expect(records.length).toBeGreaterThan(4_000);
  });

  test("has nothing that is older than its references", () => {
    const early = records.flatMap(({ name, record }) =>
      [...named(record)]
        .filter(([, target, id]) => of(target).get(id)?.created_at > record.created_at)
        // Fields that are set later; and root, who existed before.
        .filter(([field, , id]) => !["closed_by_id", "milestone_id", "issue_id"].includes(field) && !isRoot(field, id))
        .map(([field, , id]) => `${name} ${record.id} of ${record.created_at}: ${field} ${id}`),
    );
    expect(findings(early)).toEqual([]);
  });

  test("has no time before its beginning or after its end", () => {
    const ends = ["updated_at", "closed_at", "ended_at", "started_at", "queued_at", "finished_at", "last_activity_at"];
    const wrong = records.flatMap(({ name, record }) => [
      ...ends
        .filter((field) => typeof record[field] === "string" && record[field] < record.created_at)
        .map((field) => `${name} ${record.id}: ${field} before it was created`),
      ...[...ends, "created_at", "last_sign_in_at", "current_sign_in_at"]
        .filter((field) => typeof record[field] === "string" && Date.parse(record[field]) >= until)
        .map((field) => `${name} ${record.id}: ${field} is to come`),
    ]);
    expect(findings(wrong)).toEqual([]);
    for (const job of of("ci-jobs").values()) {
      const times = [job.created_at, job.queued_at, job.started_at, job.finished_at].filter((time) => time !== null);
      expect([job.id, times]).toEqual([job.id, times.toSorted()]);
    }
  });

  test("shows no thing to more users than its groups", () => {
    const openness = ["private", "internal", "public"];
    for (const { id, parent_id, namespace_id, visibility } of [...of("groups").values(), ...of("projects").values()]) {
      const above = of("groups").get(parent_id ?? namespace_id);
      if (above === undefined) continue;
      expect([id, openness.indexOf(visibility) <= openness.indexOf(above.visibility)]).toEqual([id, true]);
    }
  });

  test("has whole sentences, and none twice in one place", () => {
    const unfilled = records.flatMap(({ name, record }) =>
      [record.title, record.body, record.description, record.name]
        .filter((text) => typeof text === "string" && /\{\w+\}|undefined| {2}/.test(text) && name !== "tracked-errors")
        .map((text) => `${name} ${record.id}: ${text}`),
    );
    // Two blanks end a line of an incident.
    expect(findings(unfilled.filter((text) => !text.includes("**Start time:**")))).toEqual([]);
    const titles = [...of("issues").values()].filter((issue) => issue.issue_type !== "incident");
    const places = titles.map(({ project_id, title }) => `${project_id} ${title}`);
    expect(places.length - new Set(places).size).toBe(0);
    for (const { id, author_id, body } of of("notes").values()) {
      expect([id, body.includes(`@${of("users").get(author_id).username}`)]).toEqual([id, false]);
    }
  });

  test("has activity at plausible hours", () => {
    const times = [...of("issues").values(), ...of("notes").values()].map(({ created_at }) => new Date(created_at));
    const share = (isMeant: (time: Date) => boolean) => times.filter(isMeant).length / times.length;
    expect(share((time) => time.getUTCDay() % 6 === 0)).toBeWithin(0.001, 0.12);
    expect(share((time) => time.getUTCHours() < 6)).toBeWithin(0.001, 0.12);
  });

  test("has users whose last activity is their last event", () => {
    for (const { id, author_id, created_at } of [...of("issues").values(), ...of("notes").values()]) {
      const { user_type, last_activity_on, state, updated_at } = of("users").get(author_id);
      if (user_type !== "human") continue;
      expect([id, created_at.slice(0, 10) <= last_activity_on]).toEqual([id, true]);
      if (state !== "active") expect([id, created_at <= updated_at]).toEqual([id, true]);
    }
    const states = new Set([...of("users").values()].map(({ state }) => state));
    expect([...states].sort()).toEqual(["active", "banned", "blocked", "deactivated"]);
  });
});
