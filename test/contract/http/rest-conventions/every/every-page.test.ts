import { describe, expect, test } from "bun:test";
import { expectedPaging, pagingOf } from "../../../../support/checks/paging.ts";
import { linksOf } from "../../../../support/fixtures/links.ts";
import { type Answer, type Json, rootToken } from "../../../../support/fixtures/world.ts";
import { type FilledList, fillList, furnish, lists } from "../../../matrix/lists.ts";
import { allSamples, nameOf } from "../../../matrix/samples.ts";
import { setScene } from "../../../matrix/scene.ts";

const scene = await setScene();
const { world, boss, testers } = scene;
const { token } = boss;
const samples = allSamples(scene);

const apiPath = (path: string) => (path.startsWith("/-/") ? path : `/api/v4${path}`);

/** Lists with one entry at most. */
const short: readonly string[] = [
  "/projects/:id/groups",
  "/projects/:id/repository/tree",
  "/projects/:id/repository/contributors",
  "/projects/:id/issues/:issue_iid/participants",
  "/projects/:id/issues/:issue_iid/related_merge_requests",
  "/projects/:id/issues/:issue_iid/closed_by",
  "/groups/:id/billable_members/:user_id/memberships",
  "/groups/:id/billable_members/:user_id/indirect",
  "/projects/:id/milestones/:milestone_id/merge_requests",
  "/groups/:id/milestones/:milestone_id/merge_requests",
  ...["commits", "diffs", "versions", "participants", "reviewers"].map(
    (list) => `/projects/:id/merge_requests/:merge_request_iid/${list}`,
  ),
  "/projects/:id/pipeline_schedules/:pipeline_schedule_id/pipelines",
  "/projects/:id/error_tracking/errors/:error_id/events",
  "/projects/:id/pipelines/:pipeline_id/jobs",
  "/projects/:id/pipelines/:pipeline_id/bridges",
  "/projects/:id/repository_storage_moves",
  "/groups/:id/repository_storage_moves",
  "/snippets/:id/repository_storage_moves",
  "/runners/:id/managers",
  "/runners/:id/jobs",
  "/-/jobs",
];

/** Lists of the caller's own groups, of which an administrator may have fewer. */
const ofCaller: readonly string[] = ["/projects/:id/transfer_locations", "/groups/:id/transfer_locations"];

/** All but the commits of a repository, and the refs and the changed files of one, which nobody counts, and lists that have keyset pages only. */
const counted = lists.filter(({ path, answer }) => {
  const isAlwaysKeyset = answer.kind === "page" && answer.keyset?.isAlways === true;
  return !isAlwaysKeyset && !/\/repository\/commits(?:\/:sha\/(?:refs|diff))?$/.test(path);
});

const idsOf = (items: Json) => items.map((item: Json) => JSON.stringify(item));

const callers = [...testers.map(({ person }) => person.token), rootToken];

/** Headers that say something of the answer, not of the request that it answers. */
function lastingHeaders({ headers }: Answer): Record<string, string> {
  const passing = ["x-request-id", "x-runtime", "date", "content-length", "transfer-encoding", "connection"];
  return Object.fromEntries([...headers].filter(([name]) => !passing.includes(name)));
}

async function whole(list: FilledList, by: string | undefined = token): Promise<Json[]> {
  const all: Json[] = [];
  const headersOfPages: Headers[] = [];
  for (let page = 1; all.length === (page - 1) * 100; page += 1) {
    const { status, body, headers } = await list.ask(by, `per_page=100&page=${page}`);
    expect(status).toBe(200);
    all.push(...body);
    headersOfPages.push(headers);
  }
  for (const [index, headers] of headersOfPages.entries()) {
    expect(pagingOf(headers)).toEqual(expectedPaging(index + 1, 100, all.length));
  }
  return all;
}

await furnish(scene);
const filled: FilledList[] = [];
for (const operation of counted) filled.push(await fillList(scene, samples, operation));

for (const list of filled) {
  const { operation } = list;
  describe(nameOf(operation), () => {
    test("every page has its part, and headers and links to the others", async () => {
      const all = await whole(list);
      const total = all.length;
      if (!short.includes(operation.path)) expect(total).toBeGreaterThan(1);
      const last = Math.max(1, total);
      for (const page of new Set([1, 2, last, last + 1, last + 7])) {
        const { status, body, headers } = await list.ask(token, `per_page=1&page=${page}&nonsense[]=a,b`);
        expect(status).toBe(200);
        expect(idsOf(body)).toEqual(idsOf(all.slice(page - 1, page)));
        expect(pagingOf(headers)).toEqual(expectedPaging(page, 1, total));
        const links = linksOf(headers);
        const pageOf = (name: string) => new URL(links.get(name) as string).searchParams.get("page");
        expect([...links.keys()].map((name) => [name, pageOf(name)])).toEqual([
          ...(page > 1 ? [["prev", `${page - 1}`]] : []),
          ...(page < total ? [["next", `${page + 1}`]] : []),
          ["first", "1"],
          ["last", `${last}`],
        ]);
        const { origin, pathname, searchParams } = new URL(links.get("first") as string);
        expect([origin, pathname]).toEqual([world.origin, apiPath(list.path)]);
        expect([searchParams.get("per_page"), searchParams.get("nonsense[]")]).toEqual(["1", "a,b"]);
      }
    });

    test("sizes and numbers out of bounds are refused or limited", async () => {
      for (const [query, error] of [
        ["per_page=0", "per_page has a value not allowed"],
        ["page=abc", "page is invalid"],
        ["per_page=abc", "per_page is invalid"],
      ]) {
        const { status, body } = await list.ask(token, query);
        expect([query, status, body.error]).toEqual([query, 400, error]);
      }
      for (const [query, perPage] of [
        ["per_page=101", "100"],
        ["per_page=-1&page=-1", "20"],
        ["per_page=&page=", "20"],
        ["page=0", "20"],
      ]) {
        const { status, headers } = await list.ask(token, query);
        expect([query, status, ...pagingOf(headers).slice(0, 2)]).toEqual([query, 200, "1", perPage as string]);
      }
    });

    test("every allowed caller gets the total of what they see", async () => {
      const most = (await whole(list)).length;
      for (const each of callers) {
        const { status, headers } = await list.ask(each, "per_page=1");
        if (status !== 200) continue;
        const { length } = await whole(list, each);
        expect(headers.get("x-total")).toBe(`${length}`);
        if (typeof operation.who === "object" && !ofCaller.includes(operation.path))
          expect(length).toBeLessThanOrEqual(most);
      }
    });

    if (operation.method === "GET") {
      test("HEAD has the same headers without the list, and a known answer is not sent again", async () => {
        const got = await list.ask(token, "per_page=2");
        const head = await list.ask(token, "per_page=2", { method: "HEAD" });
        expect([head.status, head.text]).toEqual([200, ""]);
        expect(lastingHeaders(head)).toEqual(lastingHeaders(got));
        const known = { "If-None-Match": got.headers.get("etag") as string };
        const { status, text } = await list.ask(token, "per_page=2", { headers: known });
        expect([status, text]).toEqual([304, ""]);
      });
    }

    test("the ending .json, repeated slashes and unknown parameters have no effect", async () => {
      const { text } = await list.ask(token, "per_page=100");
      const unknown = "per_page=100&nonsense=1&nonsense[]=2&more[k]=v&ID=7&Page=9";
      expect((await list.ask(token, unknown)).text).toBe(text);
      const { path } = list;
      const isFixed = operation.root !== true && !/:[a-z_]+$/.test(operation.path);
      const paths = [`${path}/`, `${path}//`, ...(isFixed ? [`${path}.json`] : [])];
      for (const each of paths) {
        const answer = await list.ask(token, "per_page=100", { path: apiPath(each) });
        expect({ each, text: answer.text }).toEqual({ each, text });
      }
    });
  });
}
