import { expect, test } from "bun:test";
import { Failure } from "../../../../src/domain/failure.ts";
import { type Operation, replacePathParameters } from "../../../../src/modules/kernel/operation.ts";
import { operationFor } from "../../../support/checks/declared-answers.ts";
import { operations } from "../../../support/checks/operations.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const person = await world.user();
const withRoot = { "PRIVATE-TOKEN": rootToken };

test("JSON has its bare type, in errors too, whatever a browser accepts", async () => {
  for (const path of ["/user", "/users/9999", "/nothing", "/users?per_page=0"]) {
    const { headers } = await world.get(path, { headers: { Accept: "text/html,application/xhtml+xml" } });
    expect(headers.get("content-type")).toBe("application/json");
  }
});

test("a creation answers 201, a deletion 204 without a body", async () => {
  const { id } = await world.token(person.id);
  const { status, text, headers } = await world.call("DELETE", `/personal_access_tokens/${id}`, { token: rootToken });
  expect([status, text, headers.get("content-type")]).toEqual([204, "", null]);
});

test("times have milliseconds in UTC, days are days", async () => {
  const { body } = await world.get(`/users/${person.id}`);
  expect(body.created_at).toBe("2025-03-10T09:30:00.250Z");
  const token = await world.token(person.id);
  expect(token.expires_at).toBe("2026-03-10");
});

test("every request has an id of its own", async () => {
  const ids = new Set<string>();
  for (const path of ["/user", "/user", "/nothing", "/users/1"]) {
    ids.add((await world.get(path)).headers.get("x-request-id") as string);
  }
  expect(ids.size).toBe(4);
});

for (const [path, caching] of [
  ["/user", "max-age=0, private, must-revalidate"],
  ["/users", "max-age=0, private, must-revalidate"],
  ["/users/9999", "no-cache"],
  ["/nothing", "no-cache"],
] as const) {
  test(`clients may cache GET ${path} as ${caching}`, async () => {
    const { headers } = await world.get(path);
    expect(headers.get("cache-control")).toBe(caching);
    expect(headers.has("etag")).toBe(caching !== "no-cache");
  });
}

test("writes are not cached and carry no tag", async () => {
  const { headers } = await world.call("POST", `/users/${person.id}/personal_access_tokens`, {
    token: rootToken,
    json: { name: "x", scopes: ["api"] },
  });
  expect([headers.get("cache-control"), headers.get("etag")]).toEqual(["no-cache", null]);
});

const changing = new Set(["x-request-id", "x-runtime", "date", "connection", "transfer-encoding", "content-length"]);
const lasting = (headers: Headers) => Object.fromEntries([...headers].filter(([name]) => !changing.has(name)));

/** Operations whose answers differ from one call to the next. */
const ofTheMoment = ["/-/metrics", "/-/health", "/-/readiness", "/-/requests", "/-/figures", "/-/storages"];

/** A target that every operation's path can be made of. */
const example = (path: string) => replacePathParameters(path.replace(":picture", "1.svg"), () => "1");

/** Queries with which an answer that lasts ends at once. */
const endings: Readonly<Record<string, string>> = { "/-/console/events": "?seconds=0" };

for (const { method, path, root } of operations.filter((operation) => operation.method === "GET")) {
  const target = `${root === true ? "" : "/api/v4"}${example(path)}${endings[path] ?? ""}`;

  test(`HEAD ${path} answers as ${method}, without the body`, async () => {
    for (const headers of [withRoot, {}]) {
      const get = await world.wire({ method: "GET", target, headers });
      const head = await world.wire({ method: "HEAD", target, headers });
      expect(head.status).toBe(get.status);
      expect(head.body).toBe("");
      if (ofTheMoment.includes(path)) for (const each of [get, head]) each.headers.delete("etag");
      expect(lasting(head.headers)).toEqual(lasting(get.headers));
    }
  });
}

const methods = new Map<string, string[]>();
const errorFormats = new Map<string, Operation["errorFormat"]>();
for (const { method, path, root, errorFormat } of operations) {
  const target = `${root === true ? "" : "/api/v4"}${path.includes("/self") ? path : example(path)}`;
  methods.set(target, [...(methods.get(target) ?? []), method]);
  errorFormats.set(target, errorFormat);
}

for (const [target, known] of methods) {
  const allow = [
    "OPTIONS",
    ...(known.includes("GET") ? ["HEAD", "GET"] : []),
    ...["POST", "PUT", "PATCH", "DELETE"].filter((method) => known.includes(method)),
  ].join(", ");

  test(`OPTIONS ${target} lists ${allow}`, async () => {
    const answer = await world.wire({ method: "OPTIONS", target });
    expect([answer.status, answer.headers.get("allow"), answer.body]).toEqual([204, allow, ""]);
  });

  for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "TRACE"]) {
    if (known.includes(method) || (method === "HEAD" && known.includes("GET"))) continue;
    // A parameter of another path may stand for the fixed word of this one: `POST /groups/1/projects/shared`.
    if (operationFor(method, target.replace("/api/v4", "")) !== undefined) continue;
    test(`${method} ${target} is not allowed`, async () => {
      const answer = await world.wire({ method, target, headers: withRoot });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
      const refused = { error: "405 Not Allowed" };
      const inWords = errorFormats.get(target)?.failureBody(new Failure("not_allowed", refused)) ?? refused;
      if (method !== "HEAD") expect(JSON.parse(answer.body)).toEqual(inWords);
    });
  }
}

test.each([
  ["PUT", "/jobs/request", "OPTIONS, POST"],
  ["GET", "/runners/verify", "OPTIONS, POST"],
  ["HEAD", "/runners/reset_registration_token", "OPTIONS, POST"],
  ["DELETE", "/runners/all", "OPTIONS, HEAD, GET"],
  ["PUT", "/runners/all.json", "OPTIONS, HEAD, GET"],
  ["GET", "/runners/managers", "OPTIONS, DELETE"],
] as const)(
  "%s %s is not allowed, though the word stands where other paths have an id",
  async (method, path, allow) => {
    const answer = await world.wire({ method, target: `/api/v4${path}`, headers: withRoot });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
  },
);

test("OPTIONS of an unknown path is 404", async () => {
  const answer = await world.wire({ method: "OPTIONS", target: "/api/v4/nothing" });
  expect([answer.status, answer.body]).toEqual([404, '{"error":"404 Not Found"}']);
});

test("HEAD of an unknown path, and of version 3, has no body", async () => {
  for (const [target, status] of [
    ["/api/v4/nothing", 404],
    ["/api/v3/users", 410],
  ] as const) {
    const answer = await world.wire({ method: "HEAD", target });
    expect([answer.status, answer.body]).toEqual([status, ""]);
  }
});

test.each([
  ["close", "/api/v4/version", 200],
  ["Close", "//api/v4/version", 200],
  ["keep-alive, close", "/api/v4/unknown", 404],
  ["close", "/api/v4/users/1", 200],
])("Connection: %s at %s gets close in the answer", async (connection, target, status) => {
  const headers = { Connection: connection, "PRIVATE-TOKEN": rootToken };
  const answer = await world.wire({ method: "GET", target, headers });
  expect([answer.status, answer.headers.get("connection")]).toEqual([status, "close"]);
});

test("a connection that may stay open stays open", async () => {
  for (const connection of ["keep-alive", "closed", ""]) {
    const { headers } = await world.call("GET", "/version", { token: rootToken, headers: { Connection: connection } });
    expect(headers.get("connection")).not.toBe("close");
  }
});

test("a request without a Host, as of old probes, is served", async () => {
  const { exchangeBytes } = await import("../../../support/process/raw-http.ts");
  const answer = await exchangeBytes(world.origin, Buffer.from("GET /-/health HTTP/1.0\r\n\r\n"));
  expect(answer.toString()).toStartWith("HTTP/1.1 200");
});
