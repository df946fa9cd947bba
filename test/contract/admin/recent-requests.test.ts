import { expect, test } from "bun:test";
import { RequestRing } from "../../../src/modules/admin/recent-requests/index.ts";
import { FakeClock } from "../../support/fixtures/fake-clock.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user();
const list = async (query = "") => (await world.get(`/-/requests${query}`)).body as Json[];
const newest = async () => (await list("?limit=1"))[0] as Json;
const details = async (id: number) => (await world.get(`/-/requests/${id}`)).body as Json;

test("an administrator sees each request, newest first", async () => {
  const { headers } = await world.call("GET", "/version", { token: ann.token });
  world.clock.advance(1_000);
  await world.call("GET", "/metadata");
  const [anonymous, ofAnn] = await list("?limit=2");
  expect(ofAnn).toEqual({
    id: expect.any(Number),
    at: expect.any(String),
    request_id: headers.get("x-request-id"),
    method: "GET",
    route: "/version",
    path: "/api/v4/version",
    status: 200,
    duration_ms: expect.any(Number),
    username: ann.username,
  });
  expect(anonymous).toMatchObject({ id: ofAnn.id + 1, route: "/metadata", status: 401, username: null });
  expect(Date.parse(anonymous.at) - Date.parse(ofAnn.at)).toBe(1_000);
});

test("one request has the names of its parameters and its sizes, and no value of them", async () => {
  const secret = "a-secret-value-of-a-body";
  const json = { name: secret, visibility: "private" };
  const query = { private_token: ann.token, search: secret };
  const { text } = await world.call("POST", `/projects/user/${ann.id}`, { query, json, token: rootToken });
  const { id } = await newest();
  const shown = await details(id);
  expect(shown.parameters).toEqual([
    { name: "user_id", in: "path" },
    { name: "private_token", in: "query" },
    { name: "search", in: "query" },
    { name: "name", in: "body" },
    { name: "visibility", in: "body" },
  ]);
  expect(shown.request_bytes).toBe(JSON.stringify(json).length);
  expect(shown.response_bytes).toBe(Buffer.byteLength(text));
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(JSON.stringify(shown)).not.toContain(ann.token);
});

test("a refused request says why, with the role that was missing", async () => {
  const { body: project } = await world.call("POST", "/projects", { token: rootToken, json: { name: "Hidden" } });
  await world.call("GET", `/projects/${project.id}`, { token: ann.token });
  expect(await details((await newest()).id)).toMatchObject({
    status: 404,
    refusal: "404 Project Not Found",
    explanation: expect.stringContaining(
      `${ann.username}: 404: the project ${project.path_with_namespace} is private, and ${ann.username} has no role in it`,
    ),
  });
  await world.call("GET", "/application/settings", { token: ann.token });
  expect(await details((await newest()).id)).toMatchObject({
    refusal: "403 Forbidden",
    explanation: expect.stringContaining("only administrators may call"),
  });
  await world.call("GET", "/unheard-of");
  expect(await details((await newest()).id)).toMatchObject({
    route: null,
    explanation: "no operation answers this method and path",
  });
  await world.call("POST", "/groups", { token: rootToken, json: { path: "lonely" } });
  expect(await details((await newest()).id)).toMatchObject({
    refusal: '400 (Bad request) "name" not given',
    explanation: null,
  });
});

test("filters choose by method, class of status and text, and the list goes on before an id", async () => {
  await world.call("DELETE", "/projects/4711", { token: ann.token });
  const [removed, ...others] = await list("?method=DELETE");
  expect(removed).toMatchObject({ method: "DELETE", path: "/api/v4/projects/4711" });
  expect(others.every(({ method }: Json) => method === "DELETE")).toBe(true);
  expect((await list("?status=4xx")).map(({ status }: Json) => Math.floor(status / 100))).toContain(4);
  expect((await list("?status=2xx")).every(({ status }: Json) => status < 300)).toBe(true);
  expect((await list(`?search=${ann.username.toUpperCase()}`)).length).toBeGreaterThan(2);
  expect((await list(`?search=${removed.request_id}`)).map(({ id }: Json) => id)).toEqual([removed.id]);
  const before = await list(`?id_before=${removed.id}&limit=2`);
  expect(before.map(({ id }: Json) => id)).toEqual([removed.id - 1, removed.id - 2]);
  expect((await world.get("/-/requests?limit=2001")).status).toBe(400);
});

test("what may be a token is left out of paths that no operation has", async () => {
  await world.call("GET", `/unheard_of/${rootToken}-and-more`);
  expect((await newest()).path).toBe("/api/v4/unheard_of/…");
});

test("an unknown request is 404, and other callers see nothing", async () => {
  expect((await world.get("/-/requests/0")).status).toBe(404);
  expect((await world.get("/-/requests/99999999")).status).toBe(404);
  expect((await world.call("GET", "/-/requests", { token: ann.token })).status).toBe(403);
  expect((await world.call("GET", "/-/requests")).status).toBe(401);
});

test("the ring has the last 2,000, and keeps no long target", () => {
  const ring = new RequestRing(new FakeClock());
  for (let count = 0; count < 2_500; count += 1) ring.add(`/p${count}`, "", count % 2 === 0 ? 500 : 200);
  const entries = [...ring.entries()].map(({ path }) => path);
  expect([entries.length, entries[0], entries.at(-1)]).toEqual([2_000, "/p2499", "/p500"]);
  expect([ring.find(500)?.path, ring.find(501)?.path, ring.serverErrors]).toEqual([undefined, "/p500", 1_250]);
  expect(ring.add("/long", "x".repeat(5_000), 200)).toMatchObject({ path: "", search: "" });
});
