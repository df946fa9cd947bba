import { describe, expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { flagsOf } from "./setting.ts";

const world = await startWorld();
const { set, remove, names, send } = flagsOf(world);
const ann = await world.user();

const calls = [
  ["GET", "/features"],
  ["GET", "/features/definitions"],
  ["POST", "/features/new_search"],
  ["DELETE", "/features/new_search"],
] as const;

describe("access", () => {
  test.each(calls)("%s %s is for administrators, whatever the parameters", async (method, path) => {
    const anonymous = await world.call(method, path);
    expect([anonymous.status, anonymous.body]).toEqual([401, { message: "401 Unauthorized" }]);
    const others = await world.call(method, path, { token: ann.token });
    expect([others.status, others.body]).toEqual([403, { message: "403 Forbidden" }]);
    const unknown = await world.call(method, path, { token: "opx-00000000000000000000" });
    expect([unknown.status, unknown.body]).toEqual([401, { message: "401 Unauthorized" }]);
  });

  test("the other methods are not allowed", async () => {
    expect((await world.call("PUT", "/features/x", { token: rootToken })).status).toBe(405);
    expect((await world.call("POST", "/features", { token: rootToken })).status).toBe(405);
  });
});

describe("a path", () => {
  test("ignores a doubled and a trailing slash", async () => {
    const made = await world.wire({
      method: "POST",
      target: "/api/v4/features//slashed",
      headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
      body: JSON.stringify({ value: true, user: "root" }),
    });
    expect(made.status).toBe(201);
    const listed = await world.wire({
      method: "GET",
      target: "/api/v4/features/",
      headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
    });
    expect(JSON.parse(listed.body)).toEqual([expect.objectContaining({ name: "slashed", state: "conditional" })]);
    const gone = await world.wire({
      method: "DELETE",
      target: "/api/v4/features//slashed",
      headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json", "Content-Length": "0" },
    });
    expect([gone.status, gone.body]).toEqual([204, ""]);
  });

  test("may name a flag like the list of definitions", async () => {
    const path = "/features/definitions";
    const made = await world.call("POST", path, { token: rootToken, json: { value: "30", name: "other" } });
    expect([made.status, made.body.name, made.body.state]).toEqual([201, "definitions", "conditional"]);
    const wrong = await world.call("POST", path, { token: rootToken, json: { value: "1", key: "x", user: "root" } });
    expect([wrong.status, wrong.body.error]).toEqual([400, "key, user are mutually exclusive"]);
    expect(await names()).toEqual(["definitions"]);
    expect((await world.get(path)).body.length).toBeGreaterThanOrEqual(5);
    expect((await world.call("DELETE", path, { token: rootToken })).status).toBe(204);
    expect(await names()).toEqual([]);
    expect((await world.call("POST", path, { token: ann.token })).status).toBe(403);
  });

  test("a name has 255 characters at most", async () => {
    const long = "n".repeat(255);
    expect((await set(long, { value: "true" })).name).toBe(long);
    await remove(long);
    const { status, body } = await world.call("POST", `/features/${long}n`, {
      token: rootToken,
      json: { value: "true" },
    });
    expect([status, body.message]).toEqual([400, "400 Bad request - name is too long (maximum is 255 characters)"]);
  });

  test("a name may be escaped, and hold dots", async () => {
    expect((await set("a%2Fb.c", { value: "true" })).name).toBe("a/b.c");
    await remove("a%2Fb.c");
  });
});

describe("a parameter", () => {
  test.each([
    ["JSON", { json: { value: 30 } }],
    ["a form", { form: { value: "30" } }],
    ["the query", { query: { value: 30 } }],
  ])("may be in %s", async (_, options) => {
    const { status, body } = await world.call("POST", "/features/travelled", { token: rootToken, ...options });
    expect([status, body]).toEqual([
      201,
      {
        name: "travelled",
        state: "conditional",
        gates: [
          { key: "boolean", value: false },
          { key: "percentage_of_time", value: 30 },
        ],
        definition: null,
      },
    ]);
    await remove("travelled");
  });

  test("may be in a multipart body, with the token in the query", async () => {
    const multipart = new FormData();
    multipart.set("value", "true");
    const query = { private_token: rootToken };
    const { status, body } = await world.call("POST", "/features/travelled", { multipart, query });
    expect([status, body.state]).toEqual([201, "on"]);
    await remove("travelled");
  });

  test("may be in query and body together", async () => {
    const { body } = await send("split", { value: 40 }, { query: { key: "percentage_of_actors" } });
    expect(body.gates).toContainEqual({ key: "percentage_of_actors", value: 40 });
    await remove("split");
  });

  test.each([{}, { value: null }])("named value is required", async (json) => {
    const { status, body } = await send("none", json);
    expect([status, body.error]).toEqual([400, "value is missing"]);
  });

  test("named value with another shape is invalid", async () => {
    expect((await send("none", { value: ["true"] })).body.error).toBe("value is invalid");
    expect((await send("none", { value: true, force: "perhaps" })).body.error).toBe("force is invalid");
  });

  test.each(["feature_group", "user", "group", "namespace", "project", "repository"])(
    "named key excludes a %s",
    async (kind) => {
      const { status, body } = await send("none", { value: true, key: "percentage_of_time", [kind]: "root" });
      expect([status, body.error]).toEqual([400, `key, ${kind} are mutually exclusive`]);
    },
  );

  test("is named in the error with every other that it excludes", async () => {
    const { body } = await send("none", { value: true, key: "percentage_of_time", user: "root", project: "a/b" });
    expect(body.error).toBe("key, user are mutually exclusive, key, project are mutually exclusive");
  });
});

describe("lists", () => {
  test("have only flags that were set and not deleted since, in one page", async () => {
    for (let count = 10; count < 40; count += 1) await set(`many_${count}`, { value: "false" });
    const { headers, body } = await world.get("/features", { query: { per_page: 5 } });
    expect(body).toHaveLength(30);
    expect(headers.get("x-total")).toBeNull();
    expect(headers.get("link")).toBeNull();
    for (let count = 10; count < 40; count += 1) await remove(`many_${count}`);
    expect(await names()).toEqual([]);
  });

  test("show the fields of definitions; those of flags agree with them", async () => {
    const { body } = await world.get("/features/definitions");
    expect(body.length).toBeGreaterThanOrEqual(5);
    expect(new Set(body.map(({ type }: { type: string }) => type))).toEqual(
      new Set(["development", "ops", "experiment"]),
    );
    expect(body).toContainEqual({
      name: "request_log_details",
      introduced_by_url: null,
      rollout_issue_url: null,
      group: null,
      type: "development",
      default_enabled: false,
      milestone: null,
      log_state_changes: null,
    });
    expect((await set("request_log_details", { value: "false" })).definition).toEqual({
      name: "request_log_details",
      introduced_by_url: null,
      rollout_issue_url: null,
      group: null,
      type: "development",
      default_enabled: false,
    });
  });
});

describe("deleting", () => {
  test("answers the same for a flag that does not exist", async () => {
    expect(await remove("never")).toMatchObject({ status: 204, text: "" });
    await set("once", { value: true });
    expect(await remove("once")).toMatchObject({ status: 204, text: "" });
    expect(await names()).not.toContain("once");
  });
});

describe("side effects", () => {
  test("are a line in the log, no audit event and no mail", async () => {
    const before = world.events().length;
    const mails = async () => (await world.get("/-/outbox")).body.length;
    const mailsBefore = await mails();
    await set("told", { value: true, user: "root" });
    await remove("told");
    expect([world.events().length, await mails()]).toEqual([before, mailsBefore]);
    const lines = world.logged.filter((line) => line.startsWith("feature flag") && line.includes('"told"'));
    expect(lines).toEqual([
      expect.stringContaining('"action":"set","actors":["User:1"],"groups":[],"value":"true"'),
      expect.stringContaining('"action":"delete"'),
    ]);
  });
});
