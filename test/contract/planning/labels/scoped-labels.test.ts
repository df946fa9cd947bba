import { describe, expect, test } from "bun:test";
import { type IssueRecord, issues } from "../../../../src/modules/planning/issues/records.ts";
import { type Json, rootToken, startWorld, type World } from "../../../support/fixtures/world.ts";

const world = await startWorld({ edition: "premium" });
const community = await startWorld({ edition: "community" });

/** A call as root; throws for what fails. */
async function call({ call: send }: World, method: string, path: string, json: object): Promise<Json> {
  const { status, body, text } = await send(method, path, { token: rootToken, json });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return body;
}

let count = 0;
async function issue(where: World, labels: string) {
  count += 1;
  const { id } = await call(where, "POST", "/projects", { path: `tracker${count}` });
  const at = `/projects/${id}/issues`;
  const made = await call(where, "POST", at, { title: "Broken", labels });
  const change = async (json: object) => (await call(where, "PUT", `${at}/${made.iid}`, json)).labels;
  const note = async (body: string) => {
    await call(where, "POST", `${at}/${made.iid}/notes`, { body });
    return (await where.call("GET", `${at}/${made.iid}`, { token: rootToken })).body.labels;
  };
  return { at, made, change, note };
}

describe("of labels with one scope, an issue has one", () => {
  test("the last of those that it begins with", async () => {
    const { made } = await issue(world, "bug,priority::low,team::a,priority::high");
    expect(made.labels).toEqual(["bug", "priority::high", "team::a"]);
  });

  test("the one that is added, by the API and by a quick action", async () => {
    const { change, note } = await issue(world, "bug,priority::low,priority,team::b,team::a");
    expect(await change({ add_labels: "priority::high" })).toEqual(["bug", "priority", "priority::high", "team::a"]);
    expect(await note("/label ~priority::low ~team::b")).toEqual(["bug", "priority", "priority::low", "team::b"]);
    expect(await change({ labels: "priority::low,priority::high" })).toEqual(["priority::high"]);
    expect(await note("/relabel ~bug ~priority::low")).toEqual(["bug", "priority::low"]);
  });

  test("where only what is before the last two colons is the scope", async () => {
    const { made, change } = await issue(world, "a::b::1,a::1,::x");
    expect(made.labels).toEqual(["::x", "a::1", "a::b::1"]);
    expect(await change({ add_labels: "a::b::2,::y" })).toEqual(["::y", "a::1", "a::b::2"]);
  });

  test("not one that is removed in the same request", async () => {
    const { change } = await issue(world, "p::1");
    expect(await change({ add_labels: "p::2", remove_labels: "p::2" })).toEqual(["p::1"]);
  });
});

test("so has an epic", async () => {
  const { id } = await call(world, "POST", "/groups", { name: "Plans", path: "plans" });
  const { iid } = await call(world, "POST", `/groups/${id}/epics`, { title: "Big", labels: "p::1,p::2,x" });
  const shown = await call(world, "PUT", `/groups/${id}/epics/${iid}`, { add_labels: "p::3" });
  expect(shown.labels).toEqual(["p::3", "x"]);
});

test("labels of one scope that came together stay until another one is added", async () => {
  const { made, change } = await issue(world, "p::1,q");
  const other = await issue(world, "p::2");
  const [record, { label_ids }] = [made, other.made].map(({ id }) => world.store.of(issues).get(id) as IssueRecord) as [
    IssueRecord,
    IssueRecord,
  ];
  world.store.transact((tx) => tx.update(issues, { ...record, label_ids: [...record.label_ids, ...label_ids] }));
  expect(await change({ add_labels: "r" })).toEqual(["p::1", "p::2", "q", "r"]);
  expect(await change({ add_labels: "p::3" })).toEqual(["p::3", "q", "r"]);
});

test("in the community edition, scopes mean nothing", async () => {
  const { change } = await issue(community, "p::1,p::2");
  expect(await change({ add_labels: "p::3" })).toEqual(["p::1", "p::2", "p::3"]);
});
