import { expect, test } from "bun:test";
import { type CallOptions, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const person = await world.user();
const tokensOf = `/users/${person.id}/personal_access_tokens`;

const jsonType = { "Content-Type": "application/json" };

/** Whether a token of this name is made. */
async function create(options: CallOptions) {
  return world.call("POST", tokensOf, { token: rootToken, ...options });
}

const missing = {
  error: "name is missing, scopes is missing",
  message: '400 (Bad request) "name" not given',
};

test("a body overrides the query, and the path overrides both", async () => {
  const other = await world.user();
  const { status, body } = await create({
    query: { name: "query", scopes: "read_user", user_id: other.id },
    json: { name: "body", user_id: other.id },
  });
  expect(status).toBe(201);
  expect([body.name, body.scopes, body.user_id]).toEqual(["body", ["read_user"], person.id]);
});

test("an id in the query does not override the one in the path", async () => {
  const { body } = await world.get(`/users/${person.id}`, { query: { id: "<built-in function id>" } });
  expect(body.id).toBe(person.id);
});

test("undeclared parameters are ignored, and names are case-sensitive", async () => {
  const { status } = await create({
    json: { name: "x", scopes: ["api"], unknown: { deep: [1] }, constructor: 1, toString: 2, hasOwnProperty: 3 },
  });
  expect(status).toBe(201);
  expect((await create({ json: { Name: "x", SCOPES: ["api"] } })).body).toEqual(missing);
});

for (const [what, raw] of [
  ["an array", "[]"],
  ["an array of objects", '[{"name":"x"}]'],
  ["a number", "7"],
  ["a text", '"name"'],
  ["null", "null"],
  ["an empty object", "{}"],
  ["nothing", ""],
] as const) {
  test(`a JSON body of ${what} has no parameters`, async () => {
    for (const type of ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON"]) {
      const { status, body } = await create({ raw, headers: { "Content-Type": type } });
      expect([status, body]).toEqual([400, missing]);
    }
  });
}

for (const raw of ["{", "{}x", "{'a':1}", "name=x", '{"name":"x",}', " ", "nan"]) {
  test(`${JSON.stringify(raw)} is not JSON`, async () => {
    const { status, body } = await create({ raw, headers: jsonType });
    expect(status).toBe(400);
    expect(body.error).toBeString();
  });
}

test("a form's plus is a space, and its brackets make an array", async () => {
  const { status, body } = await create({
    raw: "name=two+words%2B&scopes%5B%5D=api&scopes[]=read_user",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  expect(status).toBe(201);
  expect([body.name, body.scopes]).toEqual(["two words+", ["api", "read_user"]]);
});

test("a multipart body has the same keys, and an empty part is an empty text", async () => {
  const multipart = new FormData();
  multipart.set("name", "from multipart");
  multipart.append("scopes[]", "api");
  multipart.set("description", "");
  const { status, body } = await create({ multipart });
  expect(status).toBe(201);
  expect([body.name, body.scopes, body.description]).toEqual(["from multipart", ["api"], ""]);
});

test("a body without a type is read as a form", async () => {
  const { status, body } = await world.wire({
    method: "POST",
    target: `/api/v4${tokensOf}`,
    headers: { "PRIVATE-TOKEN": rootToken },
    body: "name=untyped&scopes[]=api",
  });
  expect([status, JSON.parse(body).name]).toEqual([201, "untyped"]);
});

test("a body in chunks is read", async () => {
  const body = JSON.stringify({ name: "in chunks", scopes: ["api"] });
  const stream = new ReadableStream({
    start(controller) {
      for (const part of [body.slice(0, 10), body.slice(10)]) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  const response = await fetch(`${world.origin}/api/v4${tokensOf}`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": rootToken, ...jsonType },
    body: stream,
  });
  expect([response.status, await response.json()]).toEqual([201, expect.objectContaining({ name: "in chunks" })]);
});

for (const type of ["image/png", "text/plain; charset=utf-8", "application/xml", "application/jsonp"]) {
  test(`a POST body of type ${type} is not supported`, async () => {
    const { status, body } = await create({ raw: "x", headers: { "Content-Type": type } });
    const mediaType = type.split(";")[0];
    expect([status, body]).toEqual([415, { error: `The provided content-type '${mediaType}' is not supported.` }]);
  });
}

test("an empty body may have any type", async () => {
  const empty = { method: "POST", target: `/api/v4${tokensOf}` };
  for (const type of ["image/png", "application/json", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    const headers = { "PRIVATE-TOKEN": rootToken, "Content-Type": type, "Content-Length": "0" };
    const { status, body } = await world.wire({ ...empty, headers });
    expect([status, JSON.parse(body)]).toEqual([400, missing]);
  }
});

for (const [what, headers, body] of [
  ["{} as JSON", jsonType, "{}"],
  ["an empty JSON body", { ...jsonType, "Content-Length": "0" }, ""],
  ["an empty form", { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": "0" }, ""],
  ["a body of a type that is nothing to it", { "Content-Type": "image/png" }, "x"],
] as const) {
  test(`a DELETE may have ${what}`, async () => {
    const { id } = await world.token(person.id);
    const answer = await world.wire({
      method: "DELETE",
      target: `/api/v4/personal_access_tokens/${id}`,
      headers: { "PRIVATE-TOKEN": rootToken, ...headers },
      body,
    });
    expect([answer.status, answer.body]).toEqual([204, ""]);
  });

  test(`a GET may have ${what}`, async () => {
    const answer = await world.wire({
      method: "GET",
      target: "/api/v4/user",
      headers: { "PRIVATE-TOKEN": rootToken, ...headers },
      body,
    });
    expect([answer.status, JSON.parse(answer.body).id]).toEqual([200, 1]);
  });
}

test("a DELETE reads its body", async () => {
  const { id } = await world.token(person.id);
  const { status } = await world.call("DELETE", `/personal_access_tokens/${id}`, {
    json: { private_token: rootToken },
  });
  expect(status).toBe(204);
});

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const array = (length: number) => `[${"1,".repeat(length - 1)}1]`;
const hash = (length: number) => `{${Array.from({ length }, (_, at) => `"k${at}":1`).join(",")}}`;
const withExtra = (extra: string) => `{"name":"limits","scopes":["api"],"extra":${extra}}`;

for (const [what, raw, error] of [
  ["nesting over 32 levels", withExtra(nested(32)), "Parameters nested too deeply"],
  ["an array of 50,001 items", withExtra(array(50_001)), "Array parameter too large"],
  ["an object of 50,001 keys", withExtra(hash(50_001)), "Hash parameter too large"],
  ["more than 100,000 elements in all", withExtra(`[${array(50_000)},${array(50_000)}]`), "Too many total parameters"],
  ["more than 16 MiB", withExtra(`"${"x".repeat(16 * 1024 * 1024)}"`), "JSON body too large"],
] as const) {
  test(`JSON with ${what} is refused`, async () => {
    const { status, body } = await create({ raw, headers: jsonType });
    expect([status, body.error]).toEqual([400, error]);
  });
}

for (const [what, raw] of [
  ["32 levels", withExtra(nested(31))],
  ["an array of 50,000 items", withExtra(array(50_000))],
  ["an object of 50,000 keys", withExtra(hash(50_000))],
] as const) {
  test(`JSON with ${what} is accepted`, async () => {
    expect((await create({ raw, headers: jsonType })).status).toBe(201);
  });
}

test("a body over 100 MiB is refused before it is sent", async () => {
  for (const type of ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
    const { status, body } = await world.wire({
      method: "POST",
      target: `/api/v4${tokensOf}`,
      headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": type, "Content-Length": `${100 * 1024 * 1024 + 1}` },
    });
    expect([status, JSON.parse(body)]).toEqual([413, { message: "413 Request Entity Too Large" }]);
  }
});

for (const [what, raw, type] of [
  ["a NUL in JSON", '{"name":"a\\u0000b","scopes":["api"]}', "application/json"],
  ["a NUL in a key of JSON", '{"a\\u0000b":1}', "application/json"],
  ["a deep NUL in JSON", '{"x":[{"y":"\\u0000"}]}', "application/json"],
  ["half a surrogate pair in JSON", '{"name":"\\ud800","scopes":["api"]}', "application/json"],
  ["a NUL in a form", "name=a%00b&scopes[]=api", "application/x-www-form-urlencoded"],
  ["bad UTF-8 in a form", "name=%ff&scopes[]=api", "application/x-www-form-urlencoded"],
  ["bad UTF-8 in raw JSON", Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "application/json"],
] as const) {
  test(`${what} is a bad request`, async () => {
    const { status, body } = await create({ raw, headers: { "Content-Type": type } });
    expect([status, body.error]).toEqual([400, "Bad Request"]);
  });
}

test("keys of prototypes are ordinary keys", async () => {
  const raw = '{"__proto__":{"name":"stolen","is_admin":true},"constructor":{"prototype":{"name":"x"}}}';
  expect((await create({ raw, headers: jsonType })).body).toEqual(missing);
  expect((await create({ query: "__proto__[name]=x&constructor[prototype][name]=x" })).body).toEqual(missing);
  expect(({} as Record<string, unknown>).name).toBeUndefined();
});
