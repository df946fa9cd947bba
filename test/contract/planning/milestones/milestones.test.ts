import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addIssues } from "../../../support/planning/issues.ts";
import { addMilestone } from "../../../support/planning/labels.ts";

const world = await startWorld();
const places = placesOf(world);
const group = places.group({ path: "trees" });
const project = places.project(group.id, { path: "oak" });
const ann = await world.user({ username: "ann" });
places.member(group, ann.id, accessLevels.planner);
const guest = await world.user({ username: "gus" });
places.member(group, guest.id, accessLevels.guest);

const inProject = `/projects/${project.id}/milestones`;
const inGroup = `/groups/${group.id}/milestones`;
const send = (method: string, path: string, json?: Json, { token } = ann) => world.call(method, path, { token, json });

let count = 0;
const fresh = () => {
  count += 1;
  return `milestone ${count}`;
};
async function made(path = inProject, json: Json = {}): Promise<Json> {
  const { status, body, text } = await send("POST", path, { title: fresh(), ...json });
  if (status !== 201) throw new Error(text);
  return body;
}

const today = () => world.clock.time().slice(0, 10);
const missing = { status: 404, body: { message: "404 Milestone Not Found" } };
const forbidden = { status: 403, body: { message: "403 Forbidden" } };

describe("a new milestone", () => {
  test("has the given attributes and defaults for the rest", async () => {
    const fresh = places.project(group.id, { path: "elm" });
    const { status, body } = await send("POST", `/projects/${fresh.id}/milestones`, { title: " 1.0 " });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      iid: 1,
      project_id: fresh.id,
      title: "1.0",
      description: null,
      state: "active",
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
      due_date: null,
      start_date: null,
      expired: false,
      web_url: `${world.origin}/trees/elm/-/milestones/1`,
    });
    expect((await world.get(`/projects/${fresh.id}/milestones/${body.id}`)).body).toEqual(body);
  });

  test("of a group has a group_id, and numbers of its own", async () => {
    const other = places.group({ path: "bushes" });
    const post = () =>
      world.call("POST", `/groups/${other.id}/milestones`, { token: rootToken, json: { title: fresh() } });
    const first = await post();
    expect(first.body).toMatchObject({
      ...{ iid: 1, group_id: other.id, web_url: `${world.origin}/groups/bushes/-/milestones/1` },
    });
    expect(first.body).not.toHaveProperty("project_id");
    await world.call("DELETE", `/groups/${other.id}/milestones/${first.body.id}`, { token: rootToken });
    expect((await post()).body.iid).toBe(2);
  });

  test("takes dates, empty ones and null", async () => {
    const json = { description: "d", start_date: "2024-05-01", due_date: "2024-05-01" };
    expect(await made(inProject, json)).toMatchObject(json);
    expect(await made(inProject, { start_date: "", due_date: null })).toMatchObject({
      start_date: null,
      due_date: null,
    });
  });

  test("is expired from the day after its due date on", async () => {
    expect((await made(inProject, { due_date: today() })).expired).toBe(false);
    expect((await made(inProject, { due_date: "2020-02-29" })).expired).toBe(true);
  });

  test.each([
    [{}, { error: "title is missing", message: '400 (Bad request) "title" not given' }],
    [{ title: null }, { error: "title is missing", message: '400 (Bad request) "title" not given' }],
    [
      { title: "x", due_date: "2024-13-01" },
      { error: "due_date is invalid", message: "due_date is invalid" },
    ],
    [{ title: " " }, { message: `Failed to create milestone {:title=>["can't be blank"]}` }],
    [
      { title: "x".repeat(256) },
      { message: 'Failed to create milestone {:title=>["is too long (maximum is 255 characters)"]}' },
    ],
    [
      { title: "x", start_date: "2024-05-02", due_date: "2024-05-01" },
      { message: 'Failed to create milestone {:due_date=>["must be greater than start date"]}' },
    ],
  ])("%j is refused: %j", async (json, body) => {
    for (const path of [inProject, inGroup]) {
      expect(await send("POST", path, json)).toMatchObject({ status: 400, body });
    }
  });

  test("with a title that is taken there, in the group, or in one of its projects is refused", async () => {
    const [own, above] = [(await made()).title, (await made(inGroup)).title];
    const taken = { status: 400, body: { message: 'Failed to create milestone {:title=>["has already been taken"]}' } };
    const elsewhere = {
      status: 400,
      body: {
        message: 'Failed to create milestone {:title=>["already being used for another group or project milestone."]}',
      },
    };
    expect(await send("POST", inProject, { title: own })).toMatchObject(taken);
    expect(await send("POST", inGroup, { title: above })).toMatchObject(taken);
    expect(await send("POST", inProject, { title: above })).toMatchObject(elsewhere);
    expect(await send("POST", inGroup, { title: own })).toMatchObject(elsewhere);
    const sibling = places.project(group.id);
    expect((await send("POST", `/projects/${sibling.id}/milestones`, { title: own })).status).toBe(201);
  });
});

describe("a milestone", () => {
  test("is found by its id, and by its iid where no milestone of the place has that id", async () => {
    const first = places.project(group.id);
    const path = `/projects/${first.id}/milestones`;
    const milestone = await made(path);
    expect((await world.get(`${path}/${milestone.iid}`)).body.id).toBe(milestone.id);
    const like = addMilestone(world, { type: "project", id: first.id }, { iid: milestone.id });
    expect((await world.get(`${path}/${milestone.id}`)).body.id).toBe(milestone.id);
    expect((await world.get(`${path}/${like.id}`)).body.id).toBe(like.id);
    expect(await send("PUT", `${path}/1`, { title: fresh() })).toMatchObject({
      status: 200,
      body: { id: milestone.id },
    });
    expect((await send("DELETE", `${path}/1`)).status).toBe(204);
    expect((await world.get(`${path}/${milestone.id}`)).body.id).toBe(like.id);
  });

  test("of another place is 404", async () => {
    const above = await made(inGroup);
    expect(await world.get(`${inProject}/${above.id}`)).toMatchObject(missing);
    expect(await world.get(`${inProject}/99999999999999999999`)).toMatchObject(missing);
    expect((await world.get(`${inProject}/none`)).body).toEqual({ error: "404 Not Found" });
  });

  test("gets the given attributes", async () => {
    const { id, created_at } = await made();
    world.clock.advance(5_000);
    const json = { title: fresh(), description: "d", start_date: "2024-01-01", due_date: "2024-02-01" };
    const { status, body } = await send("PUT", `${inProject}/${id}`, { ...json, state_event: "close" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...json, state: "closed", created_at, updated_at: world.clock.time() });
    world.clock.advance(5_000);
    const again = await send("PUT", `${inProject}/${id}`, { state_event: "close", title: json.title });
    expect([again.status, again.body.updated_at]).toEqual([200, body.updated_at]);
    const cleared = { description: null, start_date: null, due_date: "" };
    expect((await send("PUT", `${inProject}/${id}`, { ...cleared, state_event: "activate" })).body).toMatchObject({
      ...{ ...cleared, due_date: null, state: "active" },
    });
  });

  test.each([
    [{}, "title, description, start_date, due_date, state_event are missing, at least one parameter must be provided"],
    [{ state_event: "reopen" }, "state_event does not have a valid value"],
    [{ title: null }, "title is empty"],
    [{ start_date: "soon" }, "start_date is invalid"],
  ])("changed by %j is refused: %s", async (json, error) => {
    const { id } = await made();
    const { status, body } = await send("PUT", `${inProject}/${id}`, json);
    expect([status, body.error]).toEqual([400, error]);
  });

  test("cannot be due before its start, nor have a title that is taken", async () => {
    const [{ id }, other] = [await made(inProject, { start_date: "2024-01-02" }), await made()];
    expect((await send("PUT", `${inProject}/${id}`, { due_date: "2024-01-01" })).body.message).toBe(
      'Failed to update milestone {:due_date=>["must be greater than start date"]}',
    );
    expect((await send("PUT", `${inProject}/${id}`, { title: other.title })).body.message).toBe(
      'Failed to update milestone {:title=>["has already been taken"]}',
    );
  });

  test("is removed from its issues when it is deleted", async () => {
    const { id } = await made();
    const [issue] = addIssues(world, project.id, [{ milestone_id: id }]);
    const path = `/projects/${project.id}/issues/${issue?.iid}`;
    expect((await world.get(path)).body.milestone.id).toBe(id);
    expect(await send("DELETE", `${inProject}/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect((await world.get(path)).body.milestone).toBeNull();
    expect(await send("DELETE", `${inProject}/${id}`)).toMatchObject(missing);
  });

  test("that has changed since the caller's read is not deleted", async () => {
    const { id, updated_at } = await made();
    world.clock.advance(60_000);
    await send("PUT", `${inProject}/${id}`, { description: "new" });
    const headers = { "If-Unmodified-Since": updated_at };
    expect((await world.call("DELETE", `${inProject}/${id}`, { token: ann.token, headers })).status).toBe(412);
    expect((await world.get(`${inProject}/${id}`)).status).toBe(200);
  });

  test("is changed only by planners and above, and hidden from anonymous callers", async () => {
    const { id } = await made();
    expect(await send("POST", inProject, { title: fresh() }, guest)).toMatchObject(forbidden);
    expect(await send("PUT", `${inProject}/${id}`, { title: fresh() }, guest)).toMatchObject(forbidden);
    expect(await send("DELETE", `${inProject}/${id}`, {}, guest)).toMatchObject(forbidden);
    expect(await send("DELETE", `${inProject}/0`, {}, guest)).toMatchObject(missing);
    expect(await send("GET", `${inProject}/${id}`, undefined, guest)).toMatchObject({ status: 200, body: { id } });
    const open = places.project(places.group({ visibility: "public" }).id, { visibility: "public" });
    const stranger = await world.user();
    expect((await send("GET", `/projects/${open.id}/milestones`, undefined, stranger)).body).toEqual([]);
    expect(await world.call("GET", `/projects/${open.id}/milestones`)).toMatchObject({
      ...{ status: 401, body: { message: "401 Unauthorized" } },
    });
    expect((await send("GET", inProject, undefined, stranger)).body).toEqual({ message: "404 Project Not Found" });
    expect((await send("GET", inGroup, undefined, stranger)).body).toEqual({ message: "404 Group Not Found" });
  });
});

describe("the issues of a milestone", () => {
  test("are those that the caller may read, in its project or below its group", async () => {
    const { id } = await made();
    const [one, secret] = addIssues(world, project.id, [
      { milestone_id: id },
      { milestone_id: id, confidential: true },
    ]);
    const ids = ({ body }: Json) => body.map((issue: Json) => issue.id);
    const path = `${inProject}/${id}/issues`;
    const answer = await send("GET", path);
    expect(ids(answer)).toEqual([one?.id, secret?.id]);
    expect(answer.headers.get("x-total")).toBe("2");
    const urgent = await world.call("POST", `/projects/${project.id}/labels`, {
      ...{ token: rootToken, json: { name: "urgent", color: "#112233", priority: 1 } },
    });
    const labels = { token: rootToken, json: { labels: "urgent" } };
    await world.call("PUT", `/projects/${project.id}/issues/${secret?.iid}`, labels);
    expect([urgent.status, ids(await send("GET", path))]).toEqual([201, [secret?.id, one?.id]]);
    expect(ids(await send("GET", path, undefined, guest))).toEqual([one?.id]);
    expect((await send("GET", `${inProject}/${id}/merge_requests`)).body).toEqual([]);

    const above = await made(inGroup);
    const below = places.project(places.group({ parent_id: group.id }).id);
    const [deep] = addIssues(world, below.id, [{ milestone_id: above.id }]);
    const listed = await send("GET", `${inGroup}/${above.id}/issues`);
    expect(ids(listed)).toEqual([deep?.id]);
    expect((await send("GET", `${inGroup}/${above.id}/merge_requests`)).body).toEqual([]);
    for (const suffix of ["issues", "merge_requests"]) {
      expect(await send("GET", `${inProject}/0/${suffix}`)).toMatchObject(missing);
      expect((await world.call("GET", `${inProject}/${id}/${suffix}`)).status).toBe(401);
    }
  });
});
