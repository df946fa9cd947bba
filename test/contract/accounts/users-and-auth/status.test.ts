import { beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user({ username: "Ann.Lee" });

const never = { emoji: null, message: null, availability: null, message_html: "", clear_status_at: null };
const put = (json: Json) => world.call("PUT", "/user/status", { token: ann.token, json });
const patch = (json: Json) => world.call("PATCH", "/user/status", { token: ann.token, json });
const own = async () => (await world.call("GET", "/user/status", { token: ann.token })).body;

beforeEach(async () => void (await put({})));

test("a status that was never set is empty, for all callers", async () => {
  expect(await own()).toEqual(never);
  expect((await world.call("GET", `/users/${ann.id}/status`)).body).toEqual(never);
});

test("all callers read it by id, and by username in any case", async () => {
  const { status, body } = await put({ emoji: "coffee", message: "back <soon> :tea: :nothing_known:" });
  const set = {
    ...never,
    emoji: "coffee",
    message: "back <soon> :tea: :nothing_known:",
    message_html: "back &lt;soon&gt; 🍵 :nothing_known:",
  };
  expect([status, body]).toEqual([200, set]);
  for (const name of [ann.id, "Ann.Lee", "ann.lee", "ANN.LEE"]) {
    for (const token of [undefined, rootToken]) {
      expect((await world.call("GET", `/users/${name}/status`, { token })).body).toEqual(set);
    }
  }
});

test("a user whose name is a number is found by it, unless it is another user's id", async () => {
  const number = await world.user({ username: "777777" });
  await world.call("PUT", "/user/status", { token: number.token, json: { message: "seven" } });
  expect((await world.call("GET", "/users/777777/status")).body.message).toBe("seven");
});

test("an unknown user's status is 404", async () => {
  for (const name of ["9999", "nobody", "99999999999999999999"]) {
    const { status, body } = await world.call("GET", `/users/${name}/status`);
    expect([status, body]).toEqual([404, { message: "404 User Not Found" }]);
  }
});

describe("PUT", () => {
  test("clears the fields that it does not name", async () => {
    await put({ emoji: "coffee", message: "here", availability: "busy", clear_status_after: "1_day" });
    expect((await put({ message: "there" })).body).toEqual({
      ...never,
      emoji: "speech_balloon",
      message: "there",
      message_html: "there",
    });
  });

  test.each([[{}], [{ emoji: "", message: " " }], [{ availability: "not_set" }], [{ clear_status_after: "1_day" }]])(
    "%j removes it",
    async (json) => {
      await put({ emoji: "coffee" });
      expect((await put(json)).body).toEqual(never);
      expect(await own()).toEqual(never);
    },
  );

  test("availability busy alone is a status", async () => {
    expect((await put({ availability: "busy" })).body).toEqual({ ...never, availability: "busy" });
  });
});

describe("PATCH", () => {
  test("keeps the fields that it does not name; null and blank text clear", async () => {
    await put({ emoji: "coffee", message: "here", availability: "busy", clear_status_after: "1_day" });
    const clear_status_at = world.clock.time(86_400_000);
    const before = { emoji: "coffee", message: "here", availability: "busy", message_html: "here", clear_status_at };
    expect((await patch({})).body).toEqual(before);
    expect((await patch({ emoji: "tea" })).body).toEqual({ ...before, emoji: "tea" });
    expect((await patch({ availability: null })).body).toMatchObject({ availability: null, message: "here" });
    expect((await patch({ clear_status_after: "" })).body).toMatchObject({ clear_status_at: null, emoji: "tea" });
    expect((await patch({ message: "" })).body).toMatchObject({ message: null, emoji: "tea" });
    expect((await patch({ emoji: null })).body).toEqual(never);
  });
});

test("after any sequence of PUT and PATCH, the status follows the rules", async () => {
  const given = fc.record(
    {
      emoji: fc.constantFrom("coffee", "tea", "", null),
      message: fc.constantFrom("here", ":tea:", " ", "", null),
      availability: fc.constantFrom("busy", "not_set", null),
    },
    { requiredKeys: [] },
  );
  const text = (value: string | null) => (value === null || value.trim() === "" ? null : value);
  const runs = fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), given), { maxLength: 6 }), async (steps) => {
    await put({});
    let model: { emoji: string | null; message: string | null; availability: string | null } = never;
    for (const [isPut, json] of steps) {
      const { emoji, message, availability } = { ...(isPut ? never : model), ...json };
      const isKept = !isPut && Object.keys(json).length === 0;
      const filled = text(emoji) ?? (text(message) === null ? null : "speech_balloon");
      const isSaying = filled !== null || text(message) !== null || availability === "busy";
      if (!isKept) model = isSaying ? { emoji: filled, message: text(message), availability } : never;
      expect((await (isPut ? put : patch)(json)).body).toMatchObject(model);
      expect(await own()).toMatchObject(model);
    }
  });
  await fc.assert(runs, { numRuns: 60 });
});

describe("a span", () => {
  test.each([
    ["30_minutes", 30],
    ["3_hours", 180],
    ["8_hours", 480],
    ["1_day", 1440],
    ["3_days", 4320],
    ["7_days", 10_080],
    ["30_days", 43_200],
  ])("of %s clears the status", async (clear_status_after, minutes) => {
    const { body } = await put({ message: "away", clear_status_after });
    expect(body.clear_status_at).toBe(world.clock.time(minutes * 60_000));
    world.clock.advance(minutes * 60_000 - 1);
    expect((await own()).message).toBe("away");
    world.clock.advance(1);
    expect(await own()).toEqual(never);
    expect((await patch({ emoji: "tea" })).body).toEqual({ ...never, emoji: "tea" });
  });
});

describe("the API refuses", () => {
  test.each([
    [{ emoji: "no_such_emoji" }, { message: { emoji: ["is not a valid emoji name"] } }],
    [{ emoji: ":coffee:" }, { message: { emoji: ["is not a valid emoji name"] } }],
    [{ emoji: "constructor" }, { message: { emoji: ["is not a valid emoji name"] } }],
    [{ message: "x".repeat(101) }, { message: { message: ["is too long (maximum is 100 characters)"] } }],
    [{ clear_status_after: "1_year" }, { error: "clear_status_after does not have a valid value" }],
    [{ availability: "away" }, { error: "availability does not have a valid value" }],
  ])("%j", async (json, expected) => {
    for (const send of [put, patch]) {
      const { status, body } = await send(json);
      expect({ status, body }).toEqual({ status: 400, body: expect.objectContaining(expected) });
    }
    expect(await own()).toEqual(never);
  });

  test("texts of more than 100 characters, and accepts 100", async () => {
    expect((await put({ message: "😀".repeat(100) })).status).toBe(200);
  });

  test("anonymous callers, except for reading another user's status", async () => {
    for (const method of ["GET", "PUT", "PATCH"]) expect((await world.call(method, "/user/status")).status).toBe(401);
  });
});
