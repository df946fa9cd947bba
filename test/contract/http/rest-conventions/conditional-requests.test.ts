import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const person = await world.user();

test("two equal representations have equal tags, two different ones different tags", async () => {
  const [first, second] = [await world.get("/users/1"), await world.get("/users/1")];
  expect(first.headers.get("etag")).toBe(second.headers.get("etag") as string);
  expect((await world.get(`/users/${person.id}`)).headers.get("etag")).not.toBe(first.headers.get("etag"));
});

const tag = (await world.get("/users")).headers.get("etag") as string;
const bare = tag.replace(/^W\//, "");

for (const given of [tag, bare, "*", `"a", ${tag}`, `"a",${bare} , "b"`, `W/"a", W/${bare}`]) {
  test(`If-None-Match: ${given} is answered 304 with the tag and nothing else`, async () => {
    for (const method of ["GET", "HEAD"]) {
      const { status, text, headers } = await world.call(method, "/users", {
        token: rootToken,
        headers: { "If-None-Match": given },
      });
      expect([status, text, headers.get("etag")]).toEqual([304, "", tag]);
    }
  });
}

for (const given of ['"other"', 'W/"other"', bare.slice(1, -1), "", ",", '""', bare.toUpperCase().slice(0, -2)]) {
  test(`If-None-Match: ${given} does not match the representation`, async () => {
    const { status } = await world.get("/users", { headers: { "If-None-Match": given } });
    expect(status).toBe(200);
  });
}

test("a tag of another page, or after a change, does not match", async () => {
  expect((await world.get("/users?page=2", { headers: { "If-None-Match": tag } })).status).toBe(200);
  await world.user();
  expect((await world.get("/users", { headers: { "If-None-Match": tag } })).status).toBe(200);
});

test("writes ignore If-None-Match", async () => {
  const { status } = await world.call("POST", `/users/${person.id}/personal_access_tokens`, {
    token: rootToken,
    json: { name: "x", scopes: ["api"] },
    headers: { "If-None-Match": "*" },
  });
  expect(status).toBe(201);
});

test("an error has no tag", async () => {
  expect((await world.get("/users/9999", { headers: { "If-None-Match": "*" } })).status).toBe(404);
});

async function deleteWith(unmodifiedSince: string) {
  const { id } = await world.token(person.id);
  const { status, body } = await world.call("DELETE", `/personal_access_tokens/${id}`, {
    token: rootToken,
    headers: { "If-Unmodified-Since": unmodifiedSince },
  });
  const { revoked } = (await world.get(`/personal_access_tokens/${id}`)).body;
  return { status, body, revoked };
}

for (const early of [
  "Mon, 10 Mar 2025 09:30:00 GMT",
  "2025-03-10T09:30:00Z",
  "2025-03-10T09:30:00.249Z",
  "2025-03-09",
  "10 Mar 2025 09:30:00 GMT",
]) {
  test(`a DELETE of the state as of ${early} deletes nothing`, async () => {
    expect(await deleteWith(early)).toEqual({
      status: 412,
      body: { message: "412 Precondition Failed" },
      revoked: false,
    });
  });
}

for (const late of [
  "Mon, 10 Mar 2025 09:30:01 GMT",
  "2025-03-10T09:30:00.250Z",
  "2026-01-01",
  "yesterday",
  "0",
  "",
  "Mon, 99 Foo 2025",
]) {
  test(`a DELETE of the state as of ${JSON.stringify(late)} is accepted`, async () => {
    expect(await deleteWith(late)).toEqual({ status: 204, body: undefined, revoked: true });
  });
}

test("other methods ignore If-Unmodified-Since", async () => {
  expect((await world.get("/users/1", { headers: { "If-Unmodified-Since": "2000-01-01" } })).status).toBe(200);
});
