import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const group = places.group({ path: "ops" });
const maintainer = await world.user();
places.member(group, maintainer.id, accessLevels.maintainer);
const developer = await world.user();
places.member(group, developer.id, accessLevels.developer);

const project = () => places.project(group.id).id;
const settingsOf = (id: number | string) => `/projects/${id}/error_tracking/settings`;
const keysOf = (id: number | string) => `/projects/${id}/error_tracking/client_keys`;
const call = (method: string, path: string, options = {}) =>
  world.call(method, path, { token: maintainer.token, ...options });
const put = (id: number, json: Json) => call("PUT", settingsOf(id), { json });
const patch = (id: number, json: Json) => call("PATCH", settingsOf(id), { json });
const keys = async (id: number): Promise<Json[]> => (await call("GET", keysOf(id))).body;

const shown = (active: boolean, integrated: boolean) => ({
  active,
  project_name: null,
  tracker_external_url: null,
  sentry_external_url: null,
  api_url: null,
  integrated,
});
const noSetting = { status: 404, body: { message: "404 Error Tracking Setting Not Found" } };

describe("error tracking settings", () => {
  test("are created, replaced and switched, and have exactly six members", async () => {
    const id = project();
    expect(await put(id, { active: true, integrated: true })).toMatchObject({ status: 200, body: shown(true, true) });
    expect((await call("GET", settingsOf(id))).body).toEqual(shown(true, true));
    expect((await put(id, { active: false, integrated: true })).body).toEqual(shown(false, true));
    expect((await patch(id, { active: true })).body).toEqual(shown(true, true));
    expect((await patch(id, { active: false, integrated: false })).body).toEqual(shown(false, false));
    expect((await patch(id, { active: false, integrated: null })).body).toEqual(shown(false, false));
    expect((await call("GET", settingsOf(id))).body).toEqual(shown(false, false));
  });

  test("may be off at their creation", async () => {
    const id = project();
    expect(await put(id, { active: false, integrated: false })).toMatchObject({
      status: 200,
      body: shown(false, false),
    });
    expect((await call("GET", settingsOf(id))).body).toEqual(shown(false, false));
    expect(await keys(id)).toEqual([]);
  });

  test("may be in the query, with booleans in every spelling", async () => {
    for (const [spelling, active] of [
      ...["true", "1", "t", "on", "yes", "y"].map((each) => [each, true] as const),
      ...["false", "0", "f", "off", "no", "n"].map((each) => [each, false] as const),
    ]) {
      const id = project();
      const query = { active: spelling, integrated: "true" };
      expect((await call("PUT", settingsOf(id), { query, json: {} })).body).toEqual(shown(active, true));
      expect((await call("PATCH", settingsOf(id), { query: { active: spelling }, json: {} })).status).toBe(200);
    }
    expect((await call("PUT", settingsOf(project()), { form: { active: "1", integrated: "1" } })).status).toBe(200);
  });

  test("are 404 until they are created", async () => {
    const id = project();
    expect(await call("GET", settingsOf(id))).toMatchObject(noSetting);
    expect(await patch(id, { active: true })).toMatchObject(noSetting);
    expect(await patch(id, { active: "maybe" })).toMatchObject({ status: 400, body: { error: "active is invalid" } });
    expect(await patch(id, { active: true, integrated: "maybe" })).toMatchObject({
      status: 400,
      body: { error: "integrated is invalid" },
    });
  });

  test.each([
    ["PUT", { active: "maybe", integrated: true }, "active is invalid"],
    ["PUT", { active: "", integrated: true }, "active is empty"],
    ["PUT", { integrated: true }, "active is missing, active is empty"],
    ["PUT", { active: true }, "integrated is missing"],
    ["PUT", { active: true, integrated: [] }, "integrated is invalid"],
    ["PATCH", { active: null }, "active is empty"],
    ["PATCH", {}, "active is missing, active is empty"],
    ["PATCH", { active: { a: 1 } }, "active is invalid"],
  ])("%s of %j is refused: %s", async (method, json, error) => {
    const id = project();
    await put(id, { active: false, integrated: true });
    const answer = await call(method, settingsOf(id), { json });
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 400, error });
    if (error.endsWith("missing")) expect(answer.body.message).toContain("not given");
    expect((await call("GET", settingsOf(id))).body).toEqual(shown(false, true));
  });

  test("cannot become active without the integrated backend, and a refusal stores nothing", async () => {
    const id = project();
    const refused = { status: 400, body: { message: expect.any(String) } };
    expect(await put(id, { active: true, integrated: false })).toMatchObject(refused);
    expect(await call("GET", settingsOf(id))).toMatchObject(noSetting);
    await put(id, { active: false, integrated: false });
    expect(await patch(id, { active: true })).toMatchObject(refused);
    expect(await patch(id, { active: true, integrated: false })).toMatchObject(refused);
    expect((await call("GET", settingsOf(id))).body).toEqual(shown(false, false));
    expect((await patch(id, { active: true, integrated: true })).body).toEqual(shown(true, true));
  });

  test("refuse users without the right before they check parameters", async () => {
    const { id } = places.project(group.id, { visibility: "public" });
    const stranger = await world.user();
    for (const [method, path] of [
      ["PUT", settingsOf(id)],
      ["PATCH", settingsOf(id)],
      ["DELETE", `${keysOf(id)}/x`],
      ["GET", `${keysOf(id)}?page=x`],
    ] as const) {
      for (const { token } of [developer, stranger]) {
        const answer = await world.call(method, path, { token, query: { active: "maybe", page: "x" } });
        expect(answer).toMatchObject({ status: 403, body: { message: "403 Forbidden" } });
      }
      const anonymous = await world.call(method, path, { query: { active: "maybe" } });
      expect(anonymous).toMatchObject({ status: 401, body: { message: "401 Unauthorized" } });
    }
    const hidden = project();
    const answer = await world.call("PUT", settingsOf(hidden), { token: stranger.token, json: { active: "maybe" } });
    expect(answer).toMatchObject({ status: 404, body: { message: "404 Project Not Found" } });
  });
});

describe("client keys", () => {
  test("are created with the first settings that need one, and again once none is left", async () => {
    const id = project();
    await put(id, { active: true, integrated: true });
    const [first, ...others] = await keys(id);
    expect(others).toEqual([]);
    await put(id, { active: true, integrated: true });
    await patch(id, { active: true });
    expect(await keys(id)).toEqual([first]);
    await call("DELETE", `${keysOf(id)}/${first.id}`);
    await patch(id, { active: false });
    expect(await keys(id)).toEqual([]);
    await patch(id, { active: true });
    expect(await keys(id)).toMatchObject([{ active: true }]);
    expect((await keys(id))[0].id).toBeGreaterThan(first.id);
  });

  test("are created, listed by id in pages, and deleted with the key as the answer; no setting is needed", async () => {
    const id = project();
    const made = [];
    for (let count = 0; count < 3; count += 1) made.push(await call("POST", keysOf(id)));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [one, two, three] = made.map(({ body }) => body);
    expect(one).toEqual({
      id: expect.any(Number),
      active: true,
      public_key: expect.stringMatching(/^glet_[0-9a-f]{32}$/),
      sentry_dsn: `${world.origin.replace("://", `://${one.public_key}@`)}/api/v4/error_tracking/collector/${id}`,
    });
    expect(new Set([one.public_key, two.public_key, three.public_key]).size).toBe(3);
    expect(await keys(id)).toEqual([one, two, three]);
    const page = await call("GET", `${keysOf(id)}?per_page=2&page=2`);
    expect(page.body).toEqual([three]);
    expect([page.headers.get("x-total"), page.headers.get("x-total-pages")]).toEqual(["3", "2"]);
    expect(await call("DELETE", `${keysOf(id)}/${two.id}`)).toMatchObject({ status: 200, body: two });
    expect(await keys(id)).toEqual([one, three]);
    expect(await call("GET", settingsOf(id))).toMatchObject(noSetting);
  });

  test("that do not exist, or are of another project, are 404", async () => {
    const id = project();
    const other = (await call("POST", keysOf(project()))).body;
    for (const key of [other.id, 999_999, "x", "-1", "1x"]) {
      const answer = await call("DELETE", `${keysOf(id)}/${key}`);
      expect(answer).toMatchObject({ status: 404, body: { message: "404 Not found" } });
    }
    expect((await call("DELETE", keysOf(id))).status).toBe(405);
  });

  test("have the external address of the server", async () => {
    const below = await startWorld({ externalUrl: "https://company.example/outpost" });
    const space = placesOf(below);
    const { id } = space.project(space.group().id);
    const { body } = await below.call("POST", keysOf(id), { token: rootToken });
    const address = "company.example/outpost/api/v4/error_tracking/collector";
    expect(body.sentry_dsn).toBe(`https://${body.public_key}@${address}/${id}`);
  });
});
