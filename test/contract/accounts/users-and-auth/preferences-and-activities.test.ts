import { describe, expect, test } from "bun:test";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();

describe("preferences", () => {
  const initial = {
    view_diffs_file_by_file: false,
    show_whitespace_in_diffs: true,
    pass_user_identities_to_ci_jwt: false,
  };

  test("exist from the beginning, and each can be changed alone", async () => {
    const ann = await world.user();
    const read = async () => (await world.call("GET", "/user/preferences", { token: ann.token })).body;
    const before = await read();
    expect(before).toEqual({ id: before.id, user_id: ann.id, ...initial });
    let expected = before;
    for (const [name, value] of Object.entries(initial)) {
      expected = { ...expected, [name]: !value };
      const { status, body } = await world.call("PUT", "/user/preferences", {
        token: ann.token,
        json: { [name]: !value },
      });
      expect([status, body]).toEqual([200, expected]);
      expect(await read()).toEqual(expected);
    }
  });

  test("begin with the attributes of the user's creation", async () => {
    const { token } = await world.user({ view_diffs_file_by_file: true });
    expect((await world.call("GET", "/user/preferences", { token })).body.view_diffs_file_by_file).toBe(true);
  });

  test("at least one must be given, and all must be booleans", async () => {
    const put = (json: Json) => world.call("PUT", "/user/preferences", { token: rootToken, json });
    const { status, body } = await put({});
    expect([status, body.error]).toEqual([
      400,
      `${Object.keys(initial).join(", ")} are missing, at least one parameter must be provided`,
    ]);
    expect((await put({ show_whitespace_in_diffs: "perhaps" })).body.error).toBe("show_whitespace_in_diffs is invalid");
  });

  test("require authentication", async () => {
    expect((await world.call("GET", "/user/preferences")).status).toBe(401);
    expect((await world.call("PUT", "/user/preferences", { json: initial })).status).toBe(401);
  });
});

describe("activities", () => {
  test("list those of the last six months, or since a day, the oldest first", async () => {
    const own = await startWorld();
    const [ann, bob, eve, shy] = [
      await own.user({ username: "ann" }),
      await own.user({ username: "bob" }),
      await own.user({ username: "eve" }),
      await own.user({ username: "shy", private_profile: true }),
    ];
    own.alter(ann.id, { last_activity_on: "2025-01-05" });
    own.alter(bob.id, { last_activity_on: "2024-09-10" });
    own.alter(eve.id, { last_activity_on: "2024-09-09" });
    own.alter(shy.id, { last_activity_on: "2025-01-04" });
    const names = async (query: string, token = rootToken) => {
      const { body } = await own.call("GET", "/user/activities", { token, query });
      return body.map(({ username }: Json) => username);
    };
    expect(await names("")).toEqual(["bob", "shy", "ann", "root"]);
    expect(await names("from=2024-09-09")).toEqual(["eve", "bob", "shy", "ann", "root"]);
    expect(await names("from=2025-01-05")).toEqual(["ann", "root"]);
    own.alter(eve.id, { last_activity_on: "2025-01-06", state: "banned" });
    own.alter(ann.id, { last_activity_on: own.clock.day() });
    expect(await names("", ann.token)).toEqual(["bob", "root", "ann"]);
    const { body, headers } = await own.get("/user/activities", { query: { per_page: 1 } });
    expect(body).toEqual([{ username: "bob", last_activity_on: "2024-09-10", last_activity_at: "2024-09-10" }]);
    expect(headers.get("x-total")).toBe("5");
  });

  test("six months before the end of a long month is the end of a short one", async () => {
    const own = await startWorld();
    own.clock.advanceDays(174);
    expect(own.clock.day()).toBe("2025-08-31");
    const [ann, bob] = [await own.user(), await own.user()];
    own.alter(ann.id, { last_activity_on: "2025-02-28" });
    own.alter(bob.id, { last_activity_on: "2025-02-27" });
    const { body } = await own.get("/user/activities");
    expect(body.map(({ username }: Json) => username)).toEqual([ann.username, "root"]);
  });

  test("an invalid day and anonymous callers are refused", async () => {
    const { status, body } = await world.get("/user/activities", { query: { from: "2025-02-30" } });
    expect([status, body.error]).toEqual([400, "from is invalid"]);
    expect((await world.call("GET", "/user/activities")).status).toBe(401);
  });
});

test("the counts are 0 at first", async () => {
  expect((await world.get("/user_counts")).body).toEqual({
    merge_requests: 0,
    assigned_issues: 0,
    assigned_merge_requests: 0,
    review_requested_merge_requests: 0,
    todos: 0,
  });
  expect((await world.call("GET", "/user_counts")).status).toBe(401);
});
