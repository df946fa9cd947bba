import { expect, test } from "bun:test";
import { placesOf } from "../../../support/fixtures/places.ts";
import { startWorld } from "../../../support/fixtures/world.ts";

const ultimate = await startWorld();
const community = await startWorld({ edition: "community" });
const group = placesOf(ultimate).group({ path: "cars", visibility: "public" });
const project = placesOf(ultimate).project(group.id, { visibility: "public" });
const ann = await ultimate.user();
const paths = [
  "/issues_statistics",
  `/groups/${group.id}/issues_statistics`,
  `/projects/${project.id}/issues_statistics`,
];

const refusals: readonly (readonly [query: string, text: string])[] = [
  ["author_id=1&author_username=ann", "author_id, author_username are mutually exclusive"],
  ["assignee_id=1&assignee_username=ann", "assignee_id, assignee_username are mutually exclusive"],
  ["assignee_id=None&assignee_username[]=ann", "assignee_id, assignee_username are mutually exclusive"],
  ["milestone_id=Any&milestone=1.0", "milestone_id, milestone are mutually exclusive"],
  ["not[author_id]=1&not[author_username]=ann", "not[author_id], not[author_username] are mutually exclusive"],
  ["not[assignee_id]=1&not[assignee_username]=a", "not[assignee_id], not[assignee_username] are mutually exclusive"],
  ["not[milestone_id]=Started&not[milestone]=1", "not[milestone_id], not[milestone] are mutually exclusive"],
  ["assignee_id=foo", "assignee_id should be an integer, none, or any, however got foo"],
  ["epic_id=foo", "epic_id should be an integer, none, or any, however got foo"],
  ["scope=foo", "scope does not have a valid value"],
  ["scope=All", "scope does not have a valid value"],
  ["milestone_id=foo", "milestone_id does not have a valid value"],
  ["milestone_id=none", "milestone_id does not have a valid value"],
  ["milestone_id=5", "milestone_id does not have a valid value"],
  ["author_id=foo", "author_id is invalid"],
  ["author_id=None", "author_id is invalid"],
  ["iids[]=foo", "iids is invalid"],
  ["iids=1,foo", "iids is invalid"],
  ["created_after=foo", "created_after is invalid"],
  ["created_before=foo", "created_before is invalid"],
  ["updated_after=2024-13-01", "updated_after is invalid"],
  ["updated_before=foo", "updated_before is invalid"],
  ["confidential=foo", "confidential is invalid"],
  ["not[author_id]=foo", "not[author_id] is invalid"],
  ["not[assignee_id]=foo", "not[assignee_id] should be an integer, none, or any, however got foo"],
  ["not[milestone_id]=foo", "not[milestone_id] does not have a valid value"],
  ["author_id=foo&iids[]=bar&scope=baz", "author_id is invalid, iids is invalid, scope does not have a valid value"],
  [
    "confidential=foo&created_after=x&assignee_id=y&author_id=1&author_username=a",
    "assignee_id should be an integer, none, or any, however got y, created_after is invalid, confidential is invalid, author_id, author_username are mutually exclusive",
  ],
];

for (const [query, text] of refusals) {
  test(`${query} is refused on all paths: ${text}`, async () => {
    for (const path of paths) {
      const { status, body } = await ultimate.call("GET", path, { token: ann.token, query });
      expect([status, body]).toEqual([400, { error: text, message: text }]);
    }
  });
}

test("parameters are checked before the group or project is looked up, and after the token", async () => {
  for (const path of ["/groups/999999/issues_statistics", "/projects/no%2Fwhere/issues_statistics"]) {
    expect((await ultimate.call("GET", path, { token: ann.token, query: "scope=foo" })).status).toBe(400);
    expect((await ultimate.call("GET", path, { query: "scope=foo" })).status).toBe(401);
  }
});

const ignored = [
  "state=opened",
  "state=nonsense",
  "order_by=foo&sort=sideways",
  "page=0&per_page=foo",
  "page=foo",
  "due_date=never",
  "issue_type=foo",
  "with_labels_details=maybe",
  "non_archived=perhaps",
  "closed_by_id=foo",
  "iteration_id=foo&iteration_title=foo",
  "whatever[x]=1",
  "scope=&milestone=&milestone_id=&author_id=&author_username=&assignee_id=&assignee_username=&epic_id=&iids=&search=",
  "labels=&my_reaction_emoji=&in=&created_after=&created_before=&updated_after=&updated_before=&confidential=&weight=",
  "not[labels]=&not[milestone]=&not[author_id]=&not[assignee_username]=&not[iids]=",
  "author_id=&author_username=ann&assignee_username=&assignee_id=1&milestone=&milestone_id=Any",
];

for (const query of ignored) {
  test(`${query} is accepted`, async () => {
    for (const path of paths) {
      expect((await ultimate.call("GET", path, { token: ann.token, query })).status).toBe(200);
    }
  });
}

test("in the community edition one assignee can be named, in either form", async () => {
  const ines = await community.user();
  const asked = (query: string) => community.call("GET", "/issues_statistics", { token: ines.token, query });
  const text = "assignee_username allows one value, but found 2: ann, bob";
  const { status, body } = await asked("assignee_username[]=ann&assignee_username[]=bob");
  expect([status, body]).toEqual([400, { error: text, message: text }]);
  expect((await asked("assignee_username[]=ann")).status).toBe(200);
  expect((await asked("assignee_username=ann&assignee_username=bob")).status).toBe(200);
  expect((await asked("not[assignee_username][]=ann&not[assignee_username][]=bob")).body.error).toBe(
    "not[assignee_username] allows one value, but found 2: ann, bob",
  );
});

test("in the community edition epics and weights are ignored", async () => {
  const ines = await community.user();
  for (const query of ["epic_id=foo", "epic_id=1", "weight=foo", "not[weight]=foo", "not[epic_id]=foo"]) {
    expect((await community.call("GET", "/issues_statistics", { token: ines.token, query })).status).toBe(200);
  }
});
