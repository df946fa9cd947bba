import { expect, test } from "bun:test";
import { scopes } from "../../../../../src/domain/scopes.ts";
import { operations } from "../../../../support/checks/operations.ts";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { nameOf } from "../../../matrix/samples.ts";

const world = await startWorld();
const admin = await world.user({ admin: true });

/** Every operation there is, and the scopes that open it. Its answer may still be another 4xx. */
const reads = ["api", "read_api"];
const readsOfUsers = [...reads, "read_user"];
const table: [string, string, string[] | "any"][] = [
  ["GET", "/version", readsOfUsers],
  ["GET", "/metadata", readsOfUsers],
  ["GET", "/user", readsOfUsers],
  ["GET", "/users", readsOfUsers],
  ["GET", "/users/1", readsOfUsers],
  ["GET", "/users/9999", readsOfUsers],
  ["POST", "/users", ["api"]],
  ["GET", "/personal_access_tokens", reads],
  ["GET", "/personal_access_tokens/1", reads],
  ["GET", "/personal_access_tokens/self", "any"],
  ["POST", "/users/1/personal_access_tokens", ["api"]],
  ["POST", "/user/personal_access_tokens", ["api"]],
  ["DELETE", "/personal_access_tokens/9999", ["api"]],
];

test("read_user reads everything under users, and beyond that only the version", () => {
  const isAbout = (path: string) => /^\/(users?|user_counts|version|metadata)(\/|$)/.test(path);
  const opened = operations.filter(({ scopes: named }) => named !== "any" && named?.includes("read_user") === true);
  const wanted = operations.filter(({ method, path, root }) => method === "GET" && root !== true && isAbout(path));
  expect(opened.map(nameOf)).toEqual(wanted.map(nameOf));
});

for (const scope of scopes) {
  const { token } = await world.token(admin.id, { name: scope, scopes: [scope] });

  for (const [method, path, opening] of table) {
    const isOpen = opening === "any" || opening.includes(scope);
    test(`${scope} ${isOpen ? "opens" : "does not open"} ${method} ${path}`, async () => {
      const { status, body } = await world.call(method, path, { token });
      if (isOpen) expect([401, 403]).not.toContain(status);
      else {
        expect([status, body]).toEqual([
          403,
          {
            error: "insufficient_scope",
            error_description: "The request requires higher privileges than provided by the access token.",
            scope: (opening as string[]).join(" "),
          },
        ]);
      }
      if (method === "GET") expect((await world.call("HEAD", path, { token })).status).toBe(status);
    });
  }

  test(`a token of scope ${scope} may revoke itself`, async () => {
    const own = await world.token(admin.id, { name: scope, scopes: [scope] });
    expect((await world.call("DELETE", "/personal_access_tokens/self", { token: own.token })).status).toBe(204);
    expect((await world.call("GET", "/personal_access_tokens/self", { token: own.token })).status).toBe(401);
  });
}

test("a public read with an insufficient scope is refused", async () => {
  const { token } = await world.token(admin.id, { scopes: ["read_registry"] });
  expect((await world.call("GET", "/users?username=root")).status).toBe(200);
  expect((await world.call("GET", "/users?username=root", { token })).status).toBe(403);
});

test("scopes add up", async () => {
  const { token } = await world.token(admin.id, { scopes: ["read_registry", "read_user"] });
  expect((await world.call("GET", "/user", { token })).status).toBe(200);
  expect((await world.call("GET", "/personal_access_tokens", { token })).status).toBe(403);
});

test("the scope is checked before the parameters", async () => {
  const { token } = await world.token(admin.id, { scopes: ["read_registry"] });
  expect((await world.call("GET", "/users?per_page=0", { token })).status).toBe(403);
});

test("root's first token has every scope and no expiry", async () => {
  const { body } = await world.call("GET", "/personal_access_tokens/self", { token: rootToken });
  expect(body.scopes.toSorted()).toEqual([...scopes].sort());
  expect([body.expires_at, body.active, body.user_id]).toEqual([null, true, 1]);
});
