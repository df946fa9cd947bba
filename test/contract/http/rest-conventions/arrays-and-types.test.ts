import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const person = await world.user();

async function scopesOf(body: string, type = "application/x-www-form-urlencoded") {
  const answer = await world.call("POST", `/users/${person.id}/personal_access_tokens`, {
    token: rootToken,
    raw: body,
    headers: { "Content-Type": type },
  });
  return answer.body.scopes ?? answer.body.error;
}

for (const [body, scopes] of [
  ["name=x&scopes[]=api&scopes[]=read_user", ["api", "read_user"]],
  ["name=x&scopes%5B%5D=api&scopes%5b%5d=read_user", ["api", "read_user"]],
  ["name=x&scopes=api", ["api"]],
  ["name=x&scopes=api,read_user", ["api", "read_user"]],
  ["name=x&scopes=api%2C%20read_user,", ["api", "read_user"]],
  ["name=x&scopes=read_user&scopes=api", ["api"]],
  ["name=x&scopes[7]=read_user&scopes[2]=api", ["api", "read_user"]],
  ["name=x&scopes[10]=read_user&scopes[9]=api", ["api", "read_user"]],
  ["name=x&scopes[a]=api", "scopes is invalid"],
  ["name=x&scopes[][a]=api", "scopes is invalid"],
  ["name=x&scopes[]=api&scopes[]=everything", "scopes does not have a valid value"],
  ["name[]=x&scopes[]=api", "name is invalid"],
  ["name[a]=x&scopes[]=api", "name is invalid"],
  ["name=x&name=y&scopes[]=api", ["api"]],
] as const) {
  test(`the form ${body} means ${JSON.stringify(scopes)}`, async () => {
    expect(await scopesOf(body)).toEqual(scopes);
  });
}

for (const [body, scopes] of [
  [{ name: "x", scopes: ["api", "read_user"] }, ["api", "read_user"]],
  [{ name: "x", scopes: "api,read_user" }, ["api", "read_user"]],
  [{ name: "x", scopes: { a: "api" } }, "scopes is invalid"],
  [{ name: "x", scopes: [["api"]] }, "scopes is invalid"],
  [{ name: "x", scopes: [{}] }, "scopes is invalid"],
  [{ name: "x", scopes: 7 }, "scopes does not have a valid value"],
  [{ name: ["x"], scopes: ["api"] }, "name is invalid"],
  [{ name: {}, scopes: ["api"] }, "name is invalid"],
] as const) {
  test(`the JSON ${JSON.stringify(body)} means ${JSON.stringify(scopes)}`, async () => {
    expect(await scopesOf(JSON.stringify(body), "application/json")).toEqual(scopes);
  });
}

test("the last value of a repeated key counts in a query", async () => {
  const { body } = await world.get("/users", { query: "username=nobody&username=root" });
  expect(body).toHaveLength(1);
});

const words = {
  true: ["true", "1", "t", "y", "yes", "on"],
  false: ["false", "0", "f", "n", "no", "off"],
} as const;

for (const [meaning, forms] of Object.entries(words)) {
  for (const form of forms.flatMap((word) => [word, word.toUpperCase(), word[0]?.toUpperCase() + word.slice(1)])) {
    test(`${form} is the boolean ${meaning}`, async () => {
      const { status, body } = await world.get("/users", { query: { admins: form } });
      expect(status).toBe(200);
      expect(body).toHaveLength(meaning === "true" ? 1 : 2);
    });
  }
}

for (const form of ["maybe", "2", "-1", "tRUE", "oui", "null", "1.0", " true"]) {
  test(`${form} is no boolean`, async () => {
    const { status, body } = await world.get("/users", { query: { active: form } });
    expect([status, body.error]).toEqual([400, "active is invalid"]);
  });
}

for (const [value, external] of [
  [true, true],
  [1, true],
  ["True", true],
  [false, false],
  [0, false],
  ["0", false],
  [null, false],
  ["", false],
] as const) {
  test(`${JSON.stringify(value)} in JSON is the boolean ${external}`, async () => {
    const { record } = await world.user({ external: value });
    expect(record.external).toBe(external);
  });
}

for (const value of [2, "maybe", [], {}, 1.5]) {
  test(`${JSON.stringify(value)} in JSON is no boolean`, async () => {
    const { status, body } = await world.call("POST", "/users", { token: rootToken, json: { external: value } });
    expect(status).toBe(400);
    expect(body.error).toContain("external is invalid");
  });
}

for (const [value, limit] of [
  ["7", 7],
  [7, 7],
  ["+7", 7],
  ["007", 7],
  [7.0, 7],
  ["", 100_000],
  [null, 100_000],
] as const) {
  test(`${JSON.stringify(value)} as an integer means ${limit}`, async () => {
    const { record } = await world.user({ projects_limit: value });
    expect(record.projects_limit).toBe(limit);
  });
}

for (const value of ["seven", "7.5", 7.5, "1e3", "0x7", true, [7], {}, "7 "]) {
  test(`${JSON.stringify(value)} is no integer`, async () => {
    const { status, body } = await world.call("POST", "/users", { token: rootToken, json: { projects_limit: value } });
    expect(status).toBe(400);
    expect(body.error).toContain("projects_limit is invalid");
  });
}

for (const [value, text] of [
  [7, "7"],
  [1.5, "1.5"],
  [true, "true"],
  ["", ""],
  ["7", "7"],
] as const) {
  test(`${JSON.stringify(value)} as a text is ${JSON.stringify(text)}`, async () => {
    expect((await world.user({ bio: value })).record.bio).toBe(text);
  });
}

test("an empty required boolean, enumeration or list counts as absent", async () => {
  expect(await scopesOf("name=x&scopes=")).toBe("scopes is missing");
  expect(await scopesOf('{"name":"x","scopes":null}', "application/json")).toBe("scopes is missing");
});

// Root was made when the clock stood at 09:30:00.250 on 10 March.
const made = world.clock.time();
for (const [sent, isAfter] of [
  ["2025-03-10", false],
  ["2025-03-11", true],
  [made, false],
  ["2025-03-10T09:30:00.251Z", true],
  ["2025-03-10T09:30:00Z", false],
  ["2025-03-10T09:30:01z", true],
  ["2025-03-10 09:30:00.250Z", false],
  ["2025-03-10T10:30:00.250+01:00", false],
  ["2025-03-10T10:30:00.251+0100", true],
  ["2025-03-10T04:30:00.250-05:00", false],
  ["2025-03-10T10:30:00.251+01", true],
  ["2025-03-10T09:30", false],
  ["2025-03-10T09:31", true],
  ["2025-03-10T09:30:00.2500001Z", false],
] as const) {
  test(`created_after=${sent} ${isAfter ? "leaves out" : "keeps"} who was made at ${made}`, async () => {
    const { status, body } = await world.get("/users", { query: { username: "root", created_after: sent } });
    expect(status).toBe(200);
    expect(body).toHaveLength(isAfter ? 0 : 1);
  });
}

test("a raw plus of an offset arrives as a space, and is accepted", async () => {
  const { status } = await world.get("/users", { query: "created_after=2025-03-10T10:30:00 01:00" });
  expect(status).toBe(400);
  const { body } = await world.get("/users", { query: "username=root&created_after=2025-03-10T10:30:00.251%2B01:00" });
  expect(body).toEqual([]);
});

for (const sent of [
  "yesterday",
  "2025-13-01",
  "2025-02-32",
  "2025-02-29",
  "2025-03-10T25:00:00Z",
  "2025-03-10T09:61:00Z",
  "10.03.2025",
  "1741599000",
  "2025-03-10T09:30:00+99:00",
]) {
  test(`${sent} is no valid time`, async () => {
    const { status, body } = await world.get("/users", { query: { created_after: sent } });
    expect([status, body.error]).toEqual([400, "created_after is invalid"]);
  });
}

for (const sent of ["2025-02-29", "2025-13-01", "tomorrow", "2025-03-10T00:00:00Z", "20250310"]) {
  test(`${sent} is no valid day`, async () => {
    const { status, body } = await world.get("/personal_access_tokens", { query: { expires_after: sent } });
    expect([status, body.error]).toEqual([400, "expires_after is invalid"]);
  });
}

test("an empty time, day or boolean counts as absent", async () => {
  const { status, body } = await world.get("/users", {
    query: "created_after=&created_before=&active=&page=&per_page=",
  });
  expect(status).toBe(200);
  expect(body.length).toBeGreaterThan(1);
});

test("enumerations take their exact members", async () => {
  for (const query of ["order_by=ID", "order_by=email", "order_by=", "order_by= id", "sort=ASC", "sort=up"]) {
    const { status, body } = await world.get("/users", { query });
    expect([status, body.error]).toEqual([400, `${query.split("=")[0]} does not have a valid value`]);
  }
});
