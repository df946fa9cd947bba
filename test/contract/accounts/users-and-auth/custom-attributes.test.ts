import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { upsertCustomAttribute } from "../../../../src/modules/core/custom-attributes/index.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user();
const bob = await world.user();
const of = (id: number, key = "") => `/users/${id}/custom_attributes${key === "" ? "" : `/${key}`}`;
const put = (id: number, key: string, value: string) =>
  world.call("PUT", of(id, key), { token: rootToken, json: { value } });
const idsOf = async (query: string, token = rootToken): Promise<number[]> => {
  const { body } = await world.call("GET", "/users", { token, query: `${query}&order_by=id&sort=asc` });
  return body.map(({ id }: Json) => id);
};

test("an administrator creates, replaces, reads, lists and deletes an attribute", async () => {
  const { id } = await world.user();
  expect((await world.get(of(id))).body).toEqual([]);
  const made = await put(id, "team", "red");
  expect([made.status, made.body]).toEqual([200, { key: "team", value: "red" }]);
  await put(id, "level", "7");
  expect((await put(id, "team", "blue")).body).toEqual({ key: "team", value: "blue" });
  expect((await world.get(of(id))).body).toEqual([
    { key: "team", value: "blue" },
    { key: "level", value: "7" },
  ]);
  expect((await world.get(of(id, "level"))).body).toEqual({ key: "level", value: "7" });
  for (const key of ["level", "team"]) {
    expect((await world.call("DELETE", of(id, key), { token: rootToken })).status).toBe(204);
    expect((await world.get(of(id, key))).status).toBe(404);
  }
  expect((await world.get(of(id))).body).toEqual([]);
});

test("the list has no pages", async () => {
  const { id } = await world.user();
  for (let count = 0; count < 25; count += 1) await put(id, `key${count}`, "x");
  const { body, headers } = await world.get(of(id), { query: { per_page: 2 } });
  expect(body).toHaveLength(25);
  expect(headers.has("x-total")).toBe(false);
});

describe("the API refuses", () => {
  const methods = ["GET", "PUT", "DELETE"] as const;
  const json = { value: "x" };

  test("anonymous callers with 401 and all but administrators with 403, before anything else", async () => {
    for (const path of [of(ann.id), of(ann.id, "team"), of(9999, "team")]) {
      for (const method of path.endsWith("team") ? methods : (["GET"] as const)) {
        const options = method === "PUT" ? { json } : {};
        expect((await world.call(method, path, options)).status).toBe(401);
        const { status, body } = await world.call(method, path, { ...options, token: ann.token });
        expect({ method, status, body }).toEqual({ method, status: 403, body: { message: "403 Forbidden" } });
      }
    }
  });

  test("an unknown user and an unknown key with 404", async () => {
    for (const method of methods) {
      const options = { token: rootToken, ...(method === "PUT" ? { json } : {}) };
      expect((await world.call(method, of(9999, "team"), options)).body).toEqual({ message: "404 User Not Found" });
      if (method === "PUT") continue;
      const { status, body } = await world.call(method, of(ann.id, "nothing"), options);
      expect({ status, body }).toEqual({ status: 404, body: { message: "404 Not found" } });
    }
    expect((await world.get(of(9999))).body).toEqual({ message: "404 User Not Found" });
  });

  test("a missing and a blank value with 400", async () => {
    const { status, body } = await world.call("PUT", of(ann.id, "team"), { token: rootToken, json: {} });
    expect([status, body.error]).toEqual([400, "value is missing"]);
    const blank = await put(ann.id, "team", " ");
    expect([blank.status, blank.body]).toEqual([400, { message: { value: ["can't be blank"] } }]);
  });

  test("the deletion of an attribute that was changed since, with 412", async () => {
    await put(bob.id, "old", "1");
    const seen = world.clock.time();
    world.clock.advance(5_000);
    await put(bob.id, "old", "2");
    const remove = (since: string) =>
      world.call("DELETE", of(bob.id, "old"), { token: rootToken, headers: { "If-Unmodified-Since": since } });
    expect((await remove(seen)).status).toBe(412);
    expect((await remove(world.clock.time())).status).toBe(204);
  });
});

describe("in reads of users", () => {
  test("administrators filter by all pairs at once, exactly", async () => {
    const [one, two, three] = [await world.user(), await world.user(), await world.user()];
    for (const { id } of [one, two, three]) await put(id, "colour", "red");
    for (const { id } of [two, three]) await put(id, "size", "L");
    await put(three.id, "size", "XL");
    expect(await idsOf("custom_attributes[colour]=red")).toEqual([one.id, two.id, three.id]);
    expect(await idsOf("custom_attributes[colour]=red&custom_attributes[size]=L")).toEqual([two.id]);
    expect(await idsOf("custom_attributes[size]=XL")).toEqual([three.id]);
    expect(await idsOf("custom_attributes[colour]=Red")).toEqual([]);
    expect(await idsOf("custom_attributes[size]=L&custom_attributes[nothing]=x")).toEqual([]);
    await world.call("DELETE", of(two.id, "size"), { token: rootToken });
    expect(await idsOf("custom_attributes[size]=L")).toEqual([]);
  });

  test("any filter finds the users with all of its pairs, after any changes and deletions", async () => {
    const crew = [await world.user(), await world.user(), await world.user(), await world.user()];
    const held = crew.map(() => new Map<string, string>());
    const pair = fc.tuple(fc.constantFrom("p", "q", "r"), fc.constantFrom("1", "2", ""));
    const step = fc.tuple(fc.nat(crew.length - 1), pair);
    const rounds = fc.array(
      fc.tuple(fc.array(step, { maxLength: 6 }), fc.array(pair, { minLength: 1, maxLength: 3 })),
      {
        minLength: 5,
        maxLength: 5,
      },
    );
    const runs = fc.asyncProperty(rounds, async (all) => {
      for (const [steps, filter] of all) {
        for (const [who, [key, value]] of steps) {
          const { id = 0 } = crew[who] ?? {};
          // An empty value stands for a deletion.
          if (value === "") await world.call("DELETE", of(id, key), { token: rootToken });
          else await put(id, key, value);
          if (value === "") held[who]?.delete(key);
          else held[who]?.set(key, value);
        }
        const wanted = Object.entries(Object.fromEntries(filter.map(([key, value]) => [key, value || "1"])));
        const expected = crew.filter((_, who) => wanted.every(([key, value]) => held[who]?.get(key) === value));
        const query = wanted.map(([key, value]) => `custom_attributes[${key}]=${value}`).join("&");
        expect(await idsOf(query)).toEqual(expected.map(({ id }) => id));
      }
    });
    await fc.assert(runs, { numRuns: 20 });
  });

  test("the filter does not mix up key and value", async () => {
    const { id } = await world.user();
    await put(id, "a%20b", "c");
    expect((await world.get(of(id))).body).toEqual([{ key: "a b", value: "c" }]);
    expect(await idsOf("custom_attributes[a]=b+c")).toEqual([]);
    expect(await idsOf("custom_attributes[a+b]=c")).toEqual([id]);
  });

  test("administrators see them on request, also an empty list, in list and single read", async () => {
    const { id } = await world.user();
    await put(id, "team", "green");
    const query = { with_custom_attributes: true };
    const attributes = [{ key: "team", value: "green" }];
    expect((await world.get(`/users/${id}`, { query })).body.custom_attributes).toEqual(attributes);
    expect((await world.get(`/users/${ann.id}`, { query })).body.custom_attributes).toEqual([]);
    expect((await world.get(`/users/${id}`)).body).not.toHaveProperty("custom_attributes");
    const listed = (await world.get("/users", { query: { ...query, per_page: 100 } })).body;
    for (const user of listed) expect(user).toHaveProperty("custom_attributes");
    expect(listed.find((user: Json) => user.id === id).custom_attributes).toEqual(attributes);
    expect((await world.get("/users")).body[0]).not.toHaveProperty("custom_attributes");
  });

  test("the parameters are ignored for other callers", async () => {
    await put(bob.id, "secret", "x");
    const all = await idsOf("per_page=100", ann.token);
    expect(await idsOf("per_page=100&custom_attributes[secret]=x&with_custom_attributes=true", ann.token)).toEqual(all);
    const query = { with_custom_attributes: true };
    for (const path of ["/users", `/users/${bob.id}`]) {
      const { text } = await world.call("GET", path, { token: ann.token, query });
      expect(text).not.toContain("custom_attributes");
    }
  });
});

test("other modules set them in a transaction of their own", async () => {
  const { store, context } = world;
  store.transact((tx) => {
    upsertCustomAttribute(tx, context, { resource: "User", id: ann.id }, "blocked_by", "root/1");
    upsertCustomAttribute(tx, context, { resource: "User", id: ann.id }, "unblocked_by", "root/1");
  });
  expect((await world.get(of(ann.id))).body.map(({ key }: Json) => key)).toEqual(["blocked_by", "unblocked_by"]);
});
