import { describe, expect, test } from "bun:test";
import { triggers } from "../../../../src/modules/ci/triggers/records.ts";
import { putTrigger } from "../../../support/ci/triggers.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { makeProject } from "./setting.ts";

const world = await startWorld();
const ines = await world.user({ name: "Ines", username: "ines" });
const other = await world.user({ username: "other" });

async function project(attributes = {}) {
  const { id } = await makeProject(world, attributes);
  addMember(world, { id }, ines, "maintainer", "project");
  addMember(world, { id }, other, "maintainer", "project");
  const call = (method: string, end = "", json?: object, token: string | undefined = ines.token) =>
    world.call(method, `/projects/${id}/triggers${end}`, json === undefined ? { token } : { token, json });
  return { id: id as number, call };
}

describe("a trigger token", () => {
  test("is shown in full to its owner, always, and by four characters to others", async () => {
    const { call } = await project();
    const { status, body } = await call("POST", "", { description: "nightly" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      token: expect.stringMatching(/^glptt-\w{20}$/),
      description: "nightly",
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
      last_used: null,
      expires_at: null,
      owner: {
        id: ines.id,
        username: "ines",
        name: "Ines",
        state: "active",
        locked: false,
        avatar_url: ines.record.avatar_url,
        web_url: `${world.origin}/ines`,
      },
    });
    expect((await call("GET", `/${body.id}`)).body).toEqual(body);
    expect((await call("GET")).body).toEqual([body]);
    const part = body.token.slice(6, 10);
    for (const token of [other.token, rootToken]) {
      expect((await call("GET", `/${body.id}`, undefined, token)).body).toEqual({ ...body, token: part });
      expect((await call("GET", "", undefined, token)).body).toEqual([{ ...body, token: part }]);
    }
  });

  test("has a description that may be empty but not absent, and optionally an expiry", async () => {
    const { call } = await project();
    expect((await call("POST", "", {})).body.error).toBe("description is missing");
    expect((await call("POST", "", { description: "" })).body.description).toBe("");
    const { body } = await call("POST", "", { description: "x", expires_at: "2026-02-03T04:05:06Z" });
    expect(body.expires_at).toBe("2026-02-03T04:05:06.000Z");
    for (const expires_at of ["soon", "01/01/2050", "25/26/27", "2308"]) {
      const bad = await call("POST", "", { description: "x", expires_at });
      expect([bad.status, bad.body.error]).toEqual([400, "expires_at is invalid"]);
    }
  });

  test("ends within a year", async () => {
    const { call } = await project();
    const year = new Date(world.clock.now() + 365 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    const late = await call("POST", "", { description: "x", expires_at: `${year}T00:00:00Z` });
    expect([late.status, late.body]).toEqual([
      400,
      { message: `400 Bad request - {"expires_at":["must be before ${year}"]}` },
    ]);
    const last = new Date(Date.parse(year) - 1000).toISOString();
    expect((await call("POST", "", { description: "x", expires_at: last })).body.expires_at).toBe(last);
    expect((await call("GET")).body).toHaveLength(1);
  });

  test("is changed by its owner alone", async () => {
    const { call } = await project();
    const { body } = await call("POST", "", { description: "one" });
    world.clock.advance(1000);
    const changed = await call("PUT", `/${body.id}`, { description: "two" });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...body, description: "two", updated_at: world.clock.time() },
    ]);
    expect((await call("PUT", `/${body.id}`, {})).body.description).toBe("two");
    const message = "403 Forbidden - The current user is not authorized to update the pipeline trigger token";
    for (const token of [other.token, rootToken]) {
      const refused = await call("PUT", `/${body.id}`, { description: "three" }, token);
      expect([refused.status, refused.body]).toEqual([403, { message }]);
    }
  });

  test("is removed by any maintainer, unless it has changed since", async () => {
    const { id, call } = await project();
    const { body } = await call("POST", "", { description: "one" });
    const headers = { "If-Unmodified-Since": new Date(world.clock.now() - 60_000).toUTCString() };
    const path = `/projects/${id}/triggers/${body.id}`;
    const late = await world.call("DELETE", path, { token: ines.token, headers });
    expect([late.status, late.body]).toEqual([412, { message: "412 Precondition Failed" }]);
    expect((await call("GET")).body).toHaveLength(1);
    expect((await call("DELETE", `/${body.id}`, undefined, other.token)).status).toBe(204);
    expect((await call("GET", `/${body.id}`)).status).toBe(404);
  });

  test("is found by its id, in its project", async () => {
    const { call } = await project();
    const elsewhere = putTrigger(world, (await project()).id, ines.id);
    for (const end of ["/999999", "/-1", `/${elsewhere.id}`]) {
      for (const [method, json] of [["GET"], ["PUT", { description: "x" }], ["DELETE"]] as const) {
        const { status, body } = await call(method, end, json);
        expect([status, body]).toEqual([404, { message: "404 Not found" }]);
      }
    }
    const { status, body } = await call("GET", "/one");
    expect([status, body.error]).toEqual([400, "trigger_id is invalid"]);
  });

  test("writes no audit event", async () => {
    const { call } = await project();
    const before = world.events().length;
    const { body } = await call("POST", "", { description: "one" });
    await call("PUT", `/${body.id}`, { description: "two" });
    await call("DELETE", `/${body.id}`);
    expect(world.events(before)).toEqual([]);
  });
});

test("the list is by id, in pages", async () => {
  const { id, call } = await project();
  const ids = [1, 2, 3].map(() => putTrigger(world, id, ines.id).id);
  putTrigger(world, (await project()).id, ines.id);
  const { body, headers } = await call("GET", "?per_page=2");
  expect(body.map((each: { id: number }) => each.id)).toEqual(ids.slice(0, 2));
  expect([headers.get("x-total"), headers.get("x-next-page")]).toEqual(["3", "2"]);
});

test("the right is checked before the existence", async () => {
  const { id, call } = await project();
  const stranger = await world.user();
  const path = `/projects/${id}/triggers/999999`;
  expect((await world.call("GET", path)).body).toEqual({ message: "401 Unauthorized" });
  expect((await call("GET", "/999999", undefined, "unknown")).status).toBe(401);
  expect((await call("GET", "/999999", undefined, stranger.token)).body).toEqual({ message: "404 Project Not Found" });
  const open = await project({ visibility: "public" });
  expect((await open.call("GET", "/999999", undefined, stranger.token)).body).toEqual({ message: "403 Forbidden" });
});

test("a trigger token is deleted with its project, and with its owner", async () => {
  const { id } = await project();
  const gone = await world.user();
  const [ofProject, ofOwner] = [putTrigger(world, id, ines.id), putTrigger(world, (await project()).id, gone.id)];
  expect((await world.call("DELETE", `/projects/${id}`, { token: rootToken })).status).toBe(202);
  expect((await world.call("DELETE", `/users/${gone.id}`, { token: rootToken })).status).toBe(204);
  await world.jobsDone();
  const { store } = world;
  expect([ofProject, ofOwner].map(({ id: each }) => store.of(triggers).get(each))).toEqual([undefined, undefined]);
});
