import { describe, expect, test } from "bun:test";
import { projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { memberships } from "../../../src/modules/members/members/records.ts";
import { makeGroup } from "../../support/fixtures/groups.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const mia = await world.user({ username: "mia" });

let count = 0;
const group = (attributes: Json = {}, token = ann.token) => {
  count += 1;
  return makeGroup(world, { path: `group-${count}`, ...attributes }, token);
};
const transfer = (id: number, group_id?: number, token = ann.token) =>
  world.call("POST", `/groups/${id}/transfer`, { token, json: group_id === undefined ? {} : { group_id } });

async function refused(answer: ReturnType<typeof transfer>, text: string) {
  const { status, body } = await answer;
  expect({ status, body }).toEqual({ status: 400, body: { message: `Transfer failed: ${text}` } });
}

describe("a transfer", () => {
  test("moves a group under another, with all below it", async () => {
    const [one, other] = [await group(), await group()];
    const child = await group({ parent_id: one.id, path: "child" });
    const { status, body } = await transfer(one.id, other.id);
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: one.id, parent_id: other.id, full_path: `${other.path}/${one.path}` });
    expect((await world.get(`/groups/${child.id}`)).body.full_path).toBe(`${other.path}/${one.path}/child`);
    expect((await world.get(`/groups/${one.path}`)).status).toBe(404);
  });

  test("moves a subgroup to the top level, where it has an owner", async () => {
    const parent = await group();
    const child = await group({ parent_id: parent.id });
    expect((await transfer(child.id)).body).toMatchObject({ parent_id: null, full_path: child.path });

    const sub = await group({ parent_id: parent.id });
    const [row] = world.store.of(memberships).by.source.find(`group ${sub.id}`);
    world.store.transact((tx) => tx.remove(memberships, row as number));
    expect((await transfer(sub.id)).status).toBe(201);
    const [owner] = world.store.of(memberships).by.source.find(`group ${sub.id}`);
    expect(world.store.of(memberships).get(owner as number)).toMatchObject({ user_id: ann.id, access_level: 50 });
  });

  test("makes an owner of a caller who had another level there", async () => {
    const parent = await group();
    const sub = places.group({ parent_id: parent.id });
    places.member(sub, ann.id, 30);
    places.member(sub, mia.id, 50, { expires_at: "2001-01-01" });
    expect((await transfer(sub.id)).status).toBe(201);
    const { body } = await world.get(`/groups/${sub.id}/members`);
    expect(body.map((each: Json) => [each.id, each.access_level])).toEqual([[ann.id, 50]]);
  });

  test("is refused where a group would be below more than twenty others", async () => {
    let target = await group();
    for (let level = 1; level <= 18; level += 1) target = places.group({ parent_id: target.id });
    const moved = await group();
    const child = await group({ parent_id: moved.id });
    const grandchild = await group({ parent_id: child.id });
    await refused(transfer(moved.id, target.id), "Parent has too deep level of nesting");
    expect((await transfer(child.id, target.id)).status).toBe(201);
    expect((await world.get(`/groups/${grandchild.id}`)).status).toBe(200);
  });

  test("lowers visibilities above the target's, below too", async () => {
    const target = await group({ visibility: "internal" });
    const moved = await group({ visibility: "public" });
    const wide = await group({ parent_id: moved.id, visibility: "public" });
    const narrow = await group({ parent_id: moved.id, visibility: "private" });
    const project = places.project(wide.id, { path: "app", visibility: "public" });
    expect((await transfer(moved.id, target.id)).body.visibility).toBe("internal");
    expect((await world.get(`/groups/${wide.id}`)).body.visibility).toBe("internal");
    expect((await world.get(`/groups/${narrow.id}`)).body.visibility).toBe("private");
    expect(world.store.of(projects).get(project.id)?.visibility).toBe("internal");
  });

  test("lowers the visibility of thousands of projects in parts, and of all of them", async () => {
    const target = await group({ visibility: "private" });
    const moved = await group({ visibility: "public" });
    const made = Array.from({ length: 2_250 }, () => places.project(moved.id, { visibility: "public" }).id);
    const seen = () => made.filter((id) => world.store.of(projects).get(id)?.visibility !== "private").length;
    let mostAtOnce = 0;
    let inTransaction = 0;
    world.store.watch(projects, () => {
      if (inTransaction === 0) queueMicrotask(() => (inTransaction = 0));
      inTransaction += 1;
      mostAtOnce = Math.max(mostAtOnce, inTransaction);
    });
    expect((await transfer(moved.id, target.id)).body.visibility).toBe("private");
    await world.jobsDone();
    expect(seen()).toBe(0);
    expect(mostAtOnce).toBeLessThanOrEqual(2_000);
  });

  test("gives the members of the target access", async () => {
    const [target, moved] = [await group(), await group()];
    places.member(target, mia.id, 30);
    expect((await world.call("GET", `/groups/${moved.id}`, { token: mia.token })).status).toBe(404);
    await transfer(moved.id, target.id);
    expect((await world.call("GET", `/groups/${moved.id}`, { token: mia.token })).status).toBe(200);
  });
});

describe("refusals", () => {
  test("include a group that is there already", async () => {
    const parent = await group();
    const child = await group({ parent_id: parent.id });
    await refused(transfer(parent.id), "Group is already a root group.");
    await refused(transfer(child.id, parent.id), "Group is already associated to the parent group.");
  });

  test("include a path that is taken there", async () => {
    const [one, other] = [await group({ path: "same" }), await group()];
    await group({ parent_id: other.id, path: "SAME", name: "else" });
    const text = "The parent group already has a subgroup or a project with the same path.";
    await refused(transfer(one.id, other.id), text);
    const third = await group();
    places.project(third.id, { path: "same" });
    await refused(transfer(one.id, third.id), text);
    const sub = await group({ parent_id: third.id, path: "mia" });
    await refused(transfer(sub.id), text);
  });

  test("include a name that is taken there, and a reserved word at the top", async () => {
    const [one, other] = [await group({ name: "Twin" }), await group()];
    await group({ parent_id: other.id, name: "twin" });
    await refused(transfer(one.id, other.id), "Name has already been taken");
    const api = await group({ parent_id: other.id, path: "api" });
    await refused(transfer(api.id), "Path api is a reserved name");
  });

  test("include a group into itself or below itself", async () => {
    const parent = await group();
    const child = await group({ parent_id: parent.id });
    for (const target of [parent.id, child.id]) {
      await refused(transfer(parent.id, target), "Cannot transfer group to one of its subgroup.");
    }
  });

  test("include a target where the owner may not create groups", async () => {
    const own = await group();
    const open = await group({ visibility: "public" }, rootToken);
    await refused(transfer(own.id, open.id), "You don't have enough permissions.");
    const guest = await world.user({ can_create_group: false });
    const parent = await group();
    const child = await group({ parent_id: parent.id });
    places.member(child, guest.id, 50);
    await refused(transfer(child.id, undefined, guest.token), "You don't have enough permissions.");
  });

  test("include all but owners, a hidden target, an unknown one, and an invalid number", async () => {
    const [own, hidden] = [await group({ visibility: "public" }), await group({}, rootToken)];
    places.member(own, mia.id, 40);
    expect((await transfer(own.id, undefined, mia.token)).body).toEqual({ message: "403 Forbidden" });
    for (const target of [hidden.id, 999_999]) {
      expect((await transfer(own.id, target)).body).toEqual({ message: "404 Group Not Found" });
    }
    const { body } = await world.call("POST", `/groups/${own.id}/transfer`, {
      token: ann.token,
      json: { group_id: "x" },
    });
    expect(body.error).toBe("group_id is invalid");
  });
});
