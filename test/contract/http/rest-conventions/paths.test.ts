import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const withRoot = { "PRIVATE-TOKEN": rootToken };
const read = (target: string) => world.wire({ method: "GET", target, headers: withRoot });
const unknownRoute = JSON.stringify({ error: "404 Not Found" });

for (const target of ["/api/v3", "/api/v3/", "/api/v3/projects", "/api/v3/users/1?x=1", "//api//v3//users"]) {
  for (const method of ["GET", "POST", "DELETE"]) {
    test(`${method} ${target} says to use version 4`, async () => {
      const answer = await world.wire({ method, target });
      expect(answer.status).toBe(410);
      expect(JSON.parse(answer.body)).toEqual({ error: "API V3 is no longer supported. Use API V4 instead." });
    });
  }
}

test("the current user is the one thing that version 3 still answers, to readers", async () => {
  const answer = await read("/api/v3/user");
  expect([answer.status, JSON.parse(answer.body).username]).toEqual([200, "root"]);
  expect((await world.wire({ method: "GET", target: "/api/v3/user" })).status).toBe(401);
  expect((await world.wire({ method: "PUT", target: "/api/v3/user", headers: withRoot })).status).toBe(410);
});

test("dates may leave out leading zeros", async () => {
  const { status, body } = await read("/api/v4/users?created_after=2000-1-1&username=root");
  expect([status, JSON.parse(body).length]).toEqual([200, 1]);
});

for (const target of [
  "/",
  "/api",
  "/api/",
  "/api/v4",
  "/api/v4/",
  "/api/v5/user",
  "/api/v33/user",
  "/api/users",
  "/user",
  "/api/v4/nothing",
  "/api/v4/User",
  "/API/v4/user",
  "/api/v4/users/1/nothing",
  "/api/v4/user%2F",
  "/api/v4%2Fuser",
  "/api/v4/%75ser",
  "/api/v4/__proto__",
  "/api/v4/constructor",
]) {
  test(`${target} is an unknown route, for anonymous callers too`, async () => {
    for (const headers of [withRoot, {}]) {
      const answer = await world.wire({ method: "GET", target, headers });
      expect(answer.status).toBe(404);
      expect(answer.body).toBe(unknownRoute);
    }
  });
}

for (const target of [
  "//api//v4//user",
  "/api/v4/user/",
  "/api/v4/user///",
  "/api/v4//user/?",
  "/api/v4/user?",
  "/api/v4/user/?page=1",
  "/api/v4/user.json",
  "/api/v4/./user",
]) {
  test(`${target} is the current user`, async () => {
    const answer = await read(target);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).username).toBe("root");
  });
}

test("a POST with repeated slashes keeps its body", async () => {
  const answer = await world.wire({
    method: "POST",
    target: "/api/v4//users//1//personal_access_tokens//",
    headers: { ...withRoot, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "slashes", scopes: ["api"] }),
  });
  expect(answer.status).toBe(201);
  expect(JSON.parse(answer.body).name).toBe("slashes");
});

for (const path of ["/users.json", "/version.json", "/metadata.json", "/user.json", "/personal_access_tokens.json"]) {
  test(`the server drops the end of ${path}`, async () => {
    const [plain, suffixed] = [await read(`/api/v4${path.replace(".json", "")}`), await read(`/api/v4${path}`)];
    expect(suffixed.status).toBe(200);
    expect(suffixed.headers.get("etag")).toBe(plain.headers.get("etag") as string);
  });
}

test("a last segment that is a parameter keeps its dot", async () => {
  expect((await read("/api/v4/users/1.json")).body).toBe(unknownRoute);
  expect((await read("/api/v4/personal_access_tokens/1.json")).body).toBe(unknownRoute);
});

test("a segment is decoded exactly once, after matching", async () => {
  expect((await read("/api/v4/users/%31")).status).toBe(200);
  expect((await read("/api/v4/users/%2531")).body).toBe(unknownRoute);
  expect((await read("/api/v4/users/1%2Fpersonal_access_tokens")).body).toBe(unknownRoute);
});

for (const id of ["1ASDF", "ASDF", "1.5", "1e1", "+1", "%201", "constructor", "__proto__", "%F0%9F%A6%8A", "0x1"]) {
  test(`/users/${id} matches no route, for anonymous callers too`, async () => {
    for (const headers of [withRoot, {}]) {
      const answer = await world.wire({ method: "GET", target: `/api/v4/users/${id}`, headers });
      expect([answer.status, answer.body]).toEqual([404, unknownRoute]);
    }
  });
}

for (const id of ["0", "-1", "-0", "4294967297", "9007199254740993", "9".repeat(400), "000000000000000000000000002"]) {
  test(`/users/${id.slice(0, 30)} is a user that does not exist`, async () => {
    const answer = await read(`/api/v4/users/${id}`);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([404, { message: "404 User Not Found" }]);
  });
}

for (const [what, target] of [
  ["an invalid escape", "/api/v4/users/%zz"],
  ["half an escape", "/api/v4/users/%2"],
  ["a byte that is not UTF-8", "/api/v4/users/%ff"],
  ["a raw byte that is not UTF-8", "/api/v4/users/\xff"],
  ["a NUL", "/api/v4/users/%00"],
  ["an invalid escape in the query", "/api/v4/users?search=%zz"],
  ["a byte that is not UTF-8 in the query", "/api/v4/users?search=%ff"],
  ["a NUL in the query", "/api/v4/users?search=a%00b"],
  ["a NUL in a key of the query", "/api/v4/users?a%00b=1"],
] as const) {
  test(`${what} is a bad request`, async () => {
    const answer = await read(target);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([400, { error: "Bad Request" }]);
  });
}

test("a target of 8,000 bytes works, one of more than 8,192 is too long", async () => {
  const start = "/api/v4/user?x=";
  expect((await read(start.padEnd(8000, "1"))).status).toBe(200);
  expect((await read(start.padEnd(8192, "1"))).status).toBe(200);
  for (const length of [8193, 12_000]) {
    const answer = await read(start.padEnd(length, "1"));
    expect([answer.status, JSON.parse(answer.body)]).toEqual([414, { message: "414 Request-URI Too Large" }]);
  }
});

for (const host of [
  "a b",
  "",
  "[::1",
  "a,b",
  'a"b',
  "a<b>",
  "a:99999",
  "999.1.1.1",
  "h\xffst",
  "user:pw@host",
  "a/b?c#d",
] as const) {
  test(`the Host ${JSON.stringify(host)} is invalid in a URL, so URLs have the server's own name`, async () => {
    const answer = await world.wire({
      method: "GET",
      target: "/api/v4//users?per_page=1",
      headers: { ...withRoot, Host: host },
    });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)[0].web_url).toBe(`${world.origin}/root`);
    expect(answer.headers.get("link")).toContain(`<${world.origin}/api/v4/users?`);
  });
}

for (const host of ["outpost.example", "outpost.example:8443", "[::1]:80", "my_host", "10.0.0.7"]) {
  test(`URLs in answers have the Host ${host} of the request`, async () => {
    const answer = await world.wire({
      method: "GET",
      target: "/api/v4/users?per_page=1",
      headers: { ...withRoot, Host: host },
    });
    const base = `http://${host.replace(/:80$/, "")}`;
    expect(JSON.parse(answer.body)[0].web_url).toBe(`${base}/root`);
    expect(answer.headers.get("link")).toStartWith(`<${base}/api/v4/users?`);
  });
}
