import { describe, expect, test } from "bun:test";
import type { Operation } from "../../../src/modules/kernel/operation.ts";
import { operations } from "../../support/checks/operations.ts";
import type { Json } from "../../support/fixtures/world.ts";
import { seededWorld } from "./seeded-world.ts";

const { world, report } = await seededWorld();

/** Paths that not every project has, and the status of their absence; all others exist. */
const absences: readonly (readonly [path: RegExp, status: number])[] = [
  [/error_tracking\//, 404],
  [/repository\/tree$/, 404],
  [/ci\/lint$/, 404],
  [/pipelines\/latest$/, 403],
  [/pipelines\/latest$/, 404],
  [/alert_management_on_call_integration$/, 404],
  [/user_agent_detail$/, 404],
  // Of an archived project.
  [/projects\/:id\/variables/, 403],
  // The seed signs no commit.
  [/commits\/:sha\/signature$/, 404],
  // Without the revisions to compare, or the version.
  [/repository\/(?:compare|merge_base|changelog)$/, 400],
  // Of top groups alone.
  [/billable_members$|pending_members$/, 400],
  // With the token of a job alone.
  [/^\/job$/, 404],
];

/** More of one list are not followed: they are alike. */
const followed = 3;

const lists = new Map<string, Promise<Json[]>>();

function listed(path: string): Promise<Json[]> {
  const known = lists.get(path);
  if (known !== undefined) return known;
  const asked = world
    .get(`${path}${path.includes("?") ? "&" : "?"}per_page=100`)
    .then(({ status, body }) => (status === 200 ? body : []));
  lists.set(path, asked);
  return asked;
}

const names: Readonly<Record<string, (item: Json, above: string) => string | number | undefined>> = {
  branch: ({ name }) => name,
  name: ({ name }) => name,
  tag_name: ({ name }) => name,
  sha: ({ id }) => id,
  issue_iid: ({ iid }) => iid,
  // The list has those of subgroups, too.
  epic_iid: ({ iid, group_id }, above) => (above === `/groups/${group_id}/epics` ? iid : undefined),
  alert_iid: ({ iid }) => iid,
  id_or_username: ({ username }) => username,
};

/** Paths of an operation with what is there in the place of its parameters, found in the lists above them. */
async function pathsOf({ path }: Operation): Promise<string[]> {
  let paths = [""];
  for (const segment of path.split("/").slice(1)) {
    if (!segment.startsWith(":")) {
      paths = paths.map((each) => `${each}/${segment}`);
      continue;
    }
    const nameOf = names[segment.slice(1)] ?? (({ id }: Json) => id);
    const next: string[] = [];
    for (const above of paths) {
      const items = await listed(above);
      const most = above === "/projects" || above === "/groups" ? items.length : followed;
      for (const item of items.slice(0, most)) {
        const name = nameOf(item, above);
        if (name !== undefined) next.push(`${above}/${encodeURIComponent(name)}`);
      }
    }
    paths = next;
  }
  return paths;
}

const reads = operations.filter(
  ({ method, answer, root, path }) =>
    method === "GET" &&
    root !== true &&
    (answer.kind === "page" || answer.kind === "ok") &&
    !path.includes("file_path"),
);

describe("every read of a seeded store has its declared answer", () => {
  test.each(reads.map((operation) => [operation.path, operation] as const))("GET %s", async (path, operation) => {
    const paths = await pathsOf(operation);
    for (const each of paths) {
      const { status } = await world.get(each);
      const isAbsent = absences.some(([pattern, absent]) => pattern.test(path) && status === absent);
      expect([each, isAbsent ? 200 : status]).toEqual([each, 200]);
    }
  });
});

describe("the accounts that a seed prints", () => {
  test.each(report.accounts.map((account) => [account.username, account] as const))(
    "%s signs in with the token",
    async (username, { token }) => {
      expect((await world.call("GET", "/user", { token })).body).toMatchObject({ username, state: "active" });
    },
  );

  test.each(report.calls.map((call) => [call.about, call] as const))("%s", async (_, call) => {
    const token = report.accounts.find(({ username }) => username === call.as)?.token;
    const { status, body } = await world.call(call.method, call.path, { token, ...(call.form && { form: call.form }) });
    expect(status).toBe(call.method === "POST" ? 201 : 200);
    if (Array.isArray(body)) expect(body).not.toBeEmpty();
  });

  test("anonymous callers see only public things", async () => {
    const paths = (body: Json) => body.map((project: Json) => project.path_with_namespace).sort();
    const seen = paths((await world.call("GET", "/projects?per_page=100")).body);
    expect(seen).toEqual(paths((await world.get("/projects?per_page=100&visibility=public")).body));
    expect(seen).toContain("skylark/handbook");
  });
});
