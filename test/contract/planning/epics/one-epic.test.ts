import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { milestones } from "../../../../src/modules/planning/milestones/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld();
const { group, project, person, epic, issue } = await setTracker(world);
const { group: makeGroup, member } = placesOf(world);
const planner = await person(accessLevels.planner);
const guest = await person(accessLevels.guest);
const owner = await person(accessLevels.owner);

const path = `/groups/${group.id}/epics`;
const put = (iid: number, json: Json, token = planner.token) => world.call("PUT", `${path}/${iid}`, { token, json });
const show = async (iid: number, token = planner.token) => (await world.call("GET", `${path}/${iid}`, { token })).body;

describe("a new epic", () => {
  test("has the given attributes and defaults for the rest", async () => {
    const { body } = await world.call("POST", path, { token: planner.token, json: { title: "Quiet wheels" } });
    const url = `${world.origin}/api/v4/groups/${group.id}`;
    expect(body).toEqual({
      id: expect.any(Number),
      iid: 1,
      group_id: group.id,
      parent_id: null,
      title: "Quiet wheels",
      description: null,
      state: "opened",
      confidential: false,
      web_url: `${world.origin}/groups/tracked-private/-/epics/1`,
      reference: "&1",
      references: { short: "&1", relative: "&1", full: "tracked-private&1" },
      author: expect.objectContaining({ id: planner.id, username: planner.username }),
      start_date: null,
      start_date_is_fixed: false,
      start_date_fixed: null,
      start_date_from_milestones: null,
      start_date_from_inherited_source: null,
      end_date: null,
      due_date: null,
      due_date_is_fixed: false,
      due_date_fixed: null,
      due_date_from_milestones: null,
      due_date_from_inherited_source: null,
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
      closed_at: null,
      labels: [],
      upvotes: 0,
      downvotes: 0,
      color: "#1068bf",
      _links: { self: `${url}/epics/1`, epic_issues: `${url}/epics/1/issues`, group: url, parent: null },
      subscribed: true,
    });
    expect(await show(1)).toEqual(body);
    expect(await show(1, guest.token)).toEqual({ ...body, subscribed: false });
  });

  test("takes every attribute", async () => {
    const parent = await epic({ title: "All wheels" });
    const json = {
      title: "Round wheels",
      description: "Rounder",
      labels: "wheels, noise ,wheels",
      confidential: true,
      start_date_is_fixed: true,
      start_date_fixed: "2024-02-01",
      due_date_is_fixed: true,
      due_date_fixed: "2024-03-01",
      parent_id: parent.id,
      color: "#abc",
    };
    const { status, body } = await world.call("POST", path, { token: planner.token, json });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        ...json,
        labels: ["noise", "wheels"],
        color: "#aabbcc",
        start_date: "2024-02-01",
        end_date: "2024-03-01",
        due_date: "2024-03-01",
        _links: { parent: `${world.origin}/api/v4/groups/${group.id}/epics/${parent.iid}` },
      },
    });
  });

  test("may have a colour by name", async () => {
    expect((await epic({ color: "Tomato" })).color).toBe("#FF6347");
  });

  test("finds labels of the groups above and creates unknown ones in its group", async () => {
    const below = makeGroup({ parent_id: group.id, path: "below", visibility: "private" });
    const above = await epic({ labels: "known" });
    await epic({ labels: "known,unknown" }, { groupId: below.id });
    const { body } = await world.get(`${path}?with_labels_details=true&labels=known`);
    const ids = body.map(({ labels }: Json) => labels.find(({ name }: Json) => name === "known").id);
    expect(new Set(ids).size).toBe(1);
    expect(body.map(({ id }: Json) => id)).toContain(above.id);
    expect(body[0].labels[0]).toEqual({
      id: expect.any(Number),
      name: "known",
      color: expect.stringMatching(/^#[\dA-F]{6}$/),
      description: null,
      description_html: "",
      text_color: expect.stringMatching(/^#[\dA-F]{6}$/),
    });
  });

  test("takes its date from owners and administrators only", async () => {
    const created_at = "2020-01-02T03:04:05.000Z";
    expect((await epic({ created_at }, { token: owner.token })).created_at).toBe(created_at);
    expect((await epic({ created_at }, { token: planner.token })).created_at).toBe(world.clock.time());
  });

  test("never gets a number of a deleted one", async () => {
    const { iid } = await epic();
    await world.call("DELETE", `${path}/${iid}`, { token: owner.token });
    expect((await epic()).iid).toBe(iid + 1);
  });

  test.each([
    [{}, { message: '400 (Bad request) "title" not given', error: "title is missing" }],
    [{ title: " " }, { message: { title: ["can't be blank"] } }],
    [{ title: "x".repeat(256) }, { message: { title: ["is too long (maximum is 255 characters)"] } }],
    [
      { title: "x", description: "x".repeat(1_048_577) },
      { message: { description: ["is too long (maximum is 1048576 characters)"] } },
    ],
    [{ title: "x", color: "loud" }, { message: { color: ["must be a valid color code"] } }],
    [
      { title: "x", confidential: "maybe" },
      { message: "confidential is invalid", error: "confidential is invalid" },
    ],
    [
      { title: "x", due_date_fixed: "soon" },
      { message: "due_date_fixed is invalid", error: "due_date_fixed is invalid" },
    ],
  ])("is refused for %j", async (json, expected) => {
    const { status, body } = await world.call("POST", path, { token: planner.token, json });
    expect({ status, body }).toEqual({ status: 400, body: expect.objectContaining(expected) });
  });
});

test("a title has no blanks around it, from its creation and its changes on", async () => {
  const { iid, title } = await epic({ title: "  Quiet wheels " });
  expect(title).toBe("Quiet wheels");
  expect((await put(iid, { title: "\tSilent wheels\n" })).body.title).toBe("Silent wheels");
  expect((await put(iid, { title: " " })).body).toEqual({ message: { title: ["can't be blank"] } });
});

describe("an update", () => {
  test("changes the given attributes and no others", async () => {
    const before = await epic({ labels: "a,b", description: "d" });
    world.clock.advance(1000);
    const { status, body } = await put(before.iid, { title: "Silent wheels", add_labels: ["c"], remove_labels: "a" });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      title: "Silent wheels",
      labels: ["b", "c"],
      updated_at: world.clock.time(),
      subscribed: false,
    });
  });

  test("closes and reopens, and changes nothing in the same state", async () => {
    const before = await epic();
    world.clock.advance(1000);
    const { body: closed } = await put(before.iid, { state_event: "close" });
    expect(closed).toMatchObject({ state: "closed", closed_at: world.clock.time() });
    world.clock.advance(1000);
    expect((await put(before.iid, { state_event: "close" })).body).toEqual(closed);
    expect((await put(before.iid, { state_event: "reopen" })).body).toMatchObject({ state: "opened", closed_at: null });
  });

  test("clears with null or an empty text", async () => {
    const full = { description: "d", labels: "a", start_date_fixed: "2024-01-01", due_date_fixed: "2024-01-01" };
    const { iid } = await epic(full);
    const cleared = { description: null, labels: [], start_date_fixed: null, due_date_fixed: null };
    const nulls = { description: null, labels: null, start_date_fixed: null, due_date_fixed: null };
    expect((await put(iid, nulls)).body).toMatchObject(cleared);
    await put(iid, full);
    const empty = { description: "", labels: "", start_date_fixed: "", due_date_fixed: "" };
    expect((await put(iid, empty)).body).toMatchObject({ ...cleared, description: "" });
  });

  test("refuses null for what cannot be null", async () => {
    const { iid } = await epic();
    expect((await put(iid, { title: null })).body).toEqual({ message: { title: ["can't be blank"] } });
    for (const name of ["confidential", "start_date_is_fixed", "due_date_is_fixed", "color"]) {
      expect((await put(iid, { [name]: null })).body.error).toBe(`${name} is empty`);
    }
  });

  test("requires an attribute", async () => {
    const { status, body } = await put((await epic()).iid, {});
    const error =
      "title, description, labels, confidential, start_date_is_fixed, start_date_fixed, due_date_is_fixed, " +
      "due_date_fixed, parent_id, color, add_labels, remove_labels, state_event are missing, " +
      "at least one parameter must be provided";
    expect({ status, body }).toEqual({ status: 400, body: { message: error, error } });
    expect((await put((await epic()).iid, { state_event: "burn" })).body.error).toBe(
      "state_event does not have a valid value",
    );
  });
});

describe("the parent of an epic", () => {
  test("can be set, changed and removed", async () => {
    const [one, other] = [await epic(), await epic()];
    const child = await epic({ parent_id: one.id });
    expect((await put(child.iid, { parent_id: other.id })).body.parent_id).toBe(other.id);
    expect((await put(child.iid, { parent_id: 0 })).body.parent_id).toBe(null);
    await put(child.iid, { parent_id: one.id });
    expect((await put(child.iid, { parent_id: null })).body.parent_id).toBe(null);
  });

  test("is neither the epic itself nor one below it, and there are at most seven levels", async () => {
    const chain = [await epic()];
    for (let level = 2; level <= 7; level += 1) chain.push(await epic({ parent_id: chain.at(-1).id }));
    const loop = { message: { parent: ["cannot be the epic itself or one below it"] } };
    expect((await put(chain[0].iid, { parent_id: chain[0].id })).body).toEqual(loop);
    expect((await put(chain[0].iid, { parent_id: chain[6].id })).body).toEqual(loop);
    const deep = { message: { parent: ["is too deep (maximum is 7 levels)"] } };
    const json = { title: "x", parent_id: chain[6].id };
    expect((await world.call("POST", path, { token: planner.token, json })).body).toEqual(deep);
    const top = await epic();
    expect((await put(chain[0].iid, { parent_id: top.id })).body).toEqual(deep);
  });

  test("must be readable for the caller, and is shown to users who can read it", async () => {
    const elsewhere = makeGroup({ path: "elsewhere", visibility: "private" });
    const hidden = await epic({}, { groupId: elsewhere.id });
    const child = await epic();
    const { status, body } = await put(child.iid, { parent_id: hidden.id });
    expect({ status, body }).toEqual({ status: 404, body: { message: "404 Epic Not Found" } });
    expect((await put(child.iid, { parent_id: hidden.id }, rootToken)).body.parent_id).toBe(hidden.id);
    expect(await show(child.iid)).toMatchObject({ parent_id: null, _links: { parent: null } });
    member(elsewhere, planner.id, accessLevels.guest);
    expect((await show(child.iid)).parent_id).toBe(hidden.id);
  });
});

test("dates come from the milestones of the epic's issues until they are fixed", async () => {
  const milestone = (start_date: string | null, due_date: string | null) =>
    world.store.transact((tx) => {
      const id = tx.nextId("milestones");
      const now = world.clock.time();
      const place = { source_type: "project", source_id: project.id } as const;
      const rest = { title: `m${id}`, description: null, state: "active", created_at: now, updated_at: now } as const;
      return tx.insert(milestones, { id, iid: id, ...place, ...rest, start_date, due_date });
    });
  const made = await epic();
  for (const [start, due] of [
    ["2024-05-02", "2024-05-09"],
    ["2024-05-01", null],
    [null, "2024-05-20"],
  ] as const) {
    await issue({ milestone_id: milestone(start, due).id, epic_id: made.id });
  }
  const inherited = { start_date_from_milestones: "2024-05-01", due_date_from_milestones: "2024-05-20" };
  expect(await show(made.iid)).toMatchObject({
    ...inherited,
    start_date: "2024-05-01",
    start_date_from_inherited_source: "2024-05-01",
    end_date: "2024-05-20",
    due_date: "2024-05-20",
    due_date_from_inherited_source: "2024-05-20",
  });
  const fixed = { start_date_is_fixed: true, start_date_fixed: "2024-04-01", due_date_is_fixed: true };
  expect((await put(made.iid, fixed)).body).toMatchObject({
    ...inherited,
    start_date: "2024-04-01",
    end_date: null,
    due_date: null,
  });
});
