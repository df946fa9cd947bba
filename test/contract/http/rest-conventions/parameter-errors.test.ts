import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const person = await world.user();
const post = (path: string, json: unknown, token: string | undefined = rootToken) =>
  world.call("POST", path, { token, json });

test("every error is reported, in the order of declaration, with the first missing one in the message", async () => {
  const { status, body } = await post("/users", { external: "maybe", projects_limit: "x" });
  expect(status).toBe(400);
  expect(body).toEqual({
    error:
      "email is missing, name is missing, username is missing, external is invalid, projects_limit is invalid, " +
      "password, reset_password, force_random_password are missing, at least one parameter must be provided",
    message: '400 (Bad request) "email" not given',
  });
});

test("a single missing parameter is in both keys", async () => {
  const { body } = await post("/users", { email: "a@b.example", name: "A", reset_password: true });
  expect(body).toEqual({ error: "username is missing", message: '400 (Bad request) "username" not given' });
});

test("null for a required text is missing", async () => {
  const { body } = await post("/users", { email: null, name: "A", username: "aa", reset_password: true });
  expect(body.error).toBe("email is missing");
});

test("equal errors are reported once", async () => {
  const { body } = await post(`/users/${person.id}/personal_access_tokens`, { name: "x", scopes: ["a", "b", "c"] });
  expect(body.error).toBe("scopes does not have a valid value");
});

test("a request with none of a group of which one is required is refused", async () => {
  const { status, body } = await post("/users", { email: "a@b.example", name: "A", username: "aa" });
  expect(status).toBe(400);
  expect(body.error).toBe(
    "password, reset_password, force_random_password are missing, at least one parameter must be provided",
  );
});

for (const half of [{ provider: "saml" }, { extern_uid: "u" }]) {
  test(`only ${Object.keys(half)} of a pair`, async () => {
    const attributes = { email: "a@b.example", name: "A", username: "aa", reset_password: true, ...half };
    expect((await post("/users", attributes)).body.error).toBe(
      "extern_uid, provider provide all or none of parameters",
    );
    const { status, body } = await world.get("/users", { query: half });
    expect([status, body.error]).toEqual([400, "extern_uid, provider provide all or none of parameters"]);
  });
}

test("an excluded value", async () => {
  const { status, body } = await world.get("/users", { query: { per_page: 0 } });
  expect([status, body.error]).toEqual([400, "per_page has a value not allowed"]);
});

test("credentials are checked first, then parameters, the role, the existence of named things, and the model's rules", async () => {
  const incomplete = { name: "A" };
  const unruly = { email: "no address", name: "A", username: "aa", reset_password: true };
  expect((await world.call("POST", "/users", { json: incomplete })).status).toBe(401);
  expect((await post("/users", incomplete, person.token)).status).toBe(400);
  expect((await post("/users", unruly, person.token)).status).toBe(403);
  expect((await post("/users", unruly)).body).toEqual({ message: { email: ["is invalid"] } });
});

test("the token operations below a user check the role, then the parameters, then the user", async () => {
  expect((await post(`/users/${person.id}/personal_access_tokens`, {}, person.token)).status).toBe(403);
  expect((await post("/users/9999/personal_access_tokens", {})).status).toBe(400);
  const { status, body } = await post("/users/9999/personal_access_tokens", { name: "x", scopes: [] });
  expect([status, body]).toEqual([404, { message: "404 User Not Found" }]);
});
