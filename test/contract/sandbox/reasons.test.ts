import { expect, test } from "bun:test";
import { type CallOptions, rootToken, startWorld, type World } from "../../support/fixtures/world.ts";

const world = await startWorld({ sandbox: true });
const ordinary = await startWorld();

const asRoot = (path: string, json: object, of: World = world) => of.call("POST", path, { token: rootToken, json });

/** A private group `mill` with the project `mill/loom`, a developer there, and a stranger. */
async function fill(of: World) {
  const { body: group } = await asRoot("/groups", { name: "mill", path: "mill", visibility: "private" }, of);
  await asRoot("/projects", { name: "loom", namespace_id: group.id, visibility: "private" }, of);
  const developer = await of.user({ username: "kofi" });
  const stranger = await of.user({ username: "priya" });
  await asRoot("/groups/mill/members", { user_id: developer.id, access_level: 30 }, of);
  return { developer: developer.token, stranger: stranger.token };
}

const { developer, stranger } = await fill(world);

async function reasonFor(method: string, path: string, options: CallOptions) {
  const { status, headers } = await world.call(method, path, options);
  return [status, headers.get("x-outpost-reason")];
}

test("a 404 says whether the project exists", async () => {
  expect(await reasonFor("GET", "/projects/mill%2Floom", { token: stranger })).toEqual([
    404,
    "priya is no member of the project mill/loom, and cannot see it",
  ]);
  expect(await reasonFor("GET", "/projects/mill%2Fgone", { token: stranger })).toEqual([
    404,
    "there is no project mill/gone",
  ]);
  expect(await reasonFor("GET", "/groups/mill", {})).toEqual([
    404,
    "an anonymous caller is no member of the group mill, and cannot see it",
  ]);
});

test("a 403 says which role the caller has, and which one the call needs", async () => {
  const json = { user_id: 1, access_level: 30 };
  expect(await reasonFor("POST", "/projects/mill%2Floom/members", { token: developer, json })).toEqual([
    403,
    "kofi is Developer (30) of the project mill/loom, and the call needs Maintainer (40)",
  ]);
  expect(await reasonFor("GET", "/application/settings", { token: developer })).toEqual([
    403,
    "only administrators may call",
  ]);
});

test("a refusal of the operation itself is told apart", async () => {
  expect(await reasonFor("GET", "/projects/mill%2Floom/issues/7", { token: developer })).toEqual([
    404,
    "kofi is Developer (30) of the project mill/loom, and the operation says: 404 Issue Not Found",
  ]);
  expect(await reasonFor("GET", "/users/99", { token: developer })).toEqual([
    404,
    "kofi may make the call, and the operation says: 404 User Not Found",
  ]);
});

test("the scopes of a token, an edition and a path with other letters are named", async () => {
  const { token } = await world.token(1, { scopes: ["read_user"] });
  expect(await reasonFor("GET", "/projects", { token })).toEqual([
    403,
    "the credential: the token needs one of the scopes api read_api",
  ]);
  expect(await reasonFor("GET", "/projects/m%C3%BChle%2Floom", { token: developer })).toEqual([
    404,
    "there is no project m?hle/loom",
  ]);
});

test("an ordinary server tells no reason", async () => {
  await fill(ordinary);
  for (const path of ["/projects/mill%2Floom", "/projects/mill%2Fgone", "/application/settings"]) {
    const answer = await ordinary.call("GET", path, {});
    expect(answer.headers.has("x-outpost-reason")).toBe(false);
  }
});

test("an unknown operation keeps its reason", async () => {
  expect(await reasonFor("GET", "/nowhere", { token: developer })).toEqual([404, "unknown operation"]);
});
