import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { recipientsOf } from "../../../../src/modules/notifications/settings/index.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import {
  type CallOptions,
  type Json,
  type Person,
  rootToken,
  startWorld,
  type World,
} from "../../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const acme = places.group({ path: "acme", visibility: "public" });
const core = places.group({ path: "core", parent_id: acme.id, visibility: "public" });
const api = places.project(core.id, { path: "api", visibility: "public" });

const kinds = [
  ["global", "/notification_settings"],
  ["group", `/groups/${core.id}/notification_settings`],
  ["project", `/projects/${api.id}/notification_settings`],
] as const;
const sources = kinds.slice(1);

const on: Json = { failed_pipeline: true, fixed_pipeline: true, moved_project: true };
const projectEvents: Json = {
  new_release: false,
  ...{ new_note: false, new_issue: false, reopen_issue: false, close_issue: false, reassign_issue: false },
  ...{ issue_due: false, new_merge_request: false, push_to_merge_request: false, reopen_merge_request: false },
  ...{
    close_merge_request: false,
    reassign_merge_request: false,
    change_reviewer_merge_request: false,
    merge_merge_request: false,
    success_pipeline: false,
  },
  ...{ merge_when_pipeline_succeeds: false, ...on },
};
const allEvents: Json = { ...projectEvents, new_epic: false };
const eventsOf = (kind: string) => (kind === "project" ? projectEvents : allEvents);

const get = ({ token }: Person, path: string, to: World = world) => to.call("GET", path, { token });
const put = ({ token }: Person, path: string, options: CallOptions = {}, to: World = world) =>
  to.call("PUT", path, { token, ...options });

describe("the initial value", () => {
  test("of the global level is participating, with the primary address", async () => {
    const ann = await world.user();
    const { status, body } = await get(ann, "/notification_settings");
    expect([status, body]).toEqual([200, { level: "participating", notification_email: ann.email }]);
  });

  test.each(sources)("of a %s is global, and has no other field", async (_, path) => {
    const { status, body } = await get(await world.user(), path);
    expect([status, body]).toEqual([200, { level: "global" }]);
  });

  test.each(kinds)("of the %s kind stays after an empty change", async (_, path) => {
    const ann = await world.user();
    const before = (await get(ann, path)).body;
    const version = world.store.version;
    expect(await put(ann, path)).toMatchObject({ status: 200, body: before });
    expect(await put(ann, path, { json: { unknown: 1, level: null } })).toMatchObject({ status: 200, body: before });
    expect(world.store.version).toBe(version);
  });
});

describe("access", () => {
  test.each(kinds)("is 401 for an anonymous caller: %s", async (_, path) => {
    for (const method of ["GET", "PUT"]) {
      const { status, body } = await world.call(method, path);
      expect([status, body]).toEqual([401, { message: "401 Unauthorized" }]);
    }
  });

  test("is 404 for a source that the caller cannot see, with its noun", async () => {
    const ann = await world.user();
    const hidden = places.group();
    const inside = places.project(hidden.id);
    for (const method of ["GET", "PUT"]) {
      const group = await world.call(method, `/groups/${hidden.id}/notification_settings`, { token: ann.token });
      expect([group.status, group.body]).toEqual([404, { message: "404 Group Not Found" }]);
      const project = await world.call(method, `/projects/${inside.id}/notification_settings`, { token: ann.token });
      expect([project.status, project.body]).toEqual([404, { message: "404 Project Not Found" }]);
    }
    places.member(hidden, ann.id, accessLevels.guest);
    expect((await get(ann, `/projects/${inside.id}/notification_settings`)).status).toBe(200);
  });

  test("is by full path, and settings of a hidden source come back unchanged", async () => {
    const ann = await world.user();
    const group = places.group({ path: "seen", visibility: "public" });
    expect((await put(ann, "/groups/seen/notification_settings", { json: { level: "watch" } })).status).toBe(200);
    expect((await get(ann, "/projects/acme%2Fcore%2Fapi/notification_settings")).status).toBe(200);
    places.alterGroup(group, { visibility: "private" });
    expect((await get(ann, "/groups/seen/notification_settings")).status).toBe(404);
    places.alterGroup(group, { visibility: "public" });
    expect((await get(ann, "/groups/seen/notification_settings")).body).toEqual({ level: "watch" });
  });

  test("is for administrators to another user's with sudo, and not without", async () => {
    const ann = await world.user();
    const query = { sudo: ann.id };
    await world.call("PUT", "/notification_settings", { token: rootToken, query, json: { level: "watch" } });
    expect((await get(ann, "/notification_settings")).body.level).toBe("watch");
    expect((await world.get("/notification_settings", { query })).body.notification_email).toBe(ann.email);
    expect((await world.get("/notification_settings")).body.level).toBe("participating");
  });

  test("has no DELETE, and writes no audit event", async () => {
    const ann = await world.user();
    const before = world.events().length;
    await put(ann, "/notification_settings", { json: { level: "watch" } });
    expect((await world.call("DELETE", "/notification_settings", { token: ann.token })).status).toBe(405);
    expect(world.events().length).toBe(before);
  });
});

describe("level", () => {
  test.each(kinds)("of the %s kind is each of the six, and no other", async (kind, path) => {
    const ann = await world.user();
    for (const level of ["disabled", "participating", "watch", "global", "mention", "custom"]) {
      const { status, body } = await put(ann, path, { json: { level } });
      expect({ status, level: body.level }).toEqual({ status: 200, level });
      expect(Object.keys(body).includes("events")).toBe(level === "custom");
      expect((await get(ann, path)).body).toEqual(body);
    }
    for (const level of ["nonsense", "Watch", "", "2", "toString", "__proto__"]) {
      const { status, body } = await put(ann, path, { json: { level, new_note: true } });
      expect([status, body]).toEqual([400, { message: `'${level}' is not a valid level` }]);
    }
    expect((await get(ann, path)).body.events).toEqual(eventsOf(kind));
  });

  test("global on a source resets it", async () => {
    const ann = await world.user();
    const path = `/groups/${core.id}/notification_settings`;
    await put(ann, path, { json: { level: "mention" } });
    expect((await put(ann, path, { json: { level: "global" } })).body).toEqual({ level: "global" });
  });

  test("belongs to one user and one source", async () => {
    const ann = await world.user();
    const bob = await world.user();
    await put(ann, `/groups/${core.id}/notification_settings`, { json: { level: "watch" } });
    for (const [person, path] of [
      [bob, `/groups/${core.id}/notification_settings`],
      [ann, `/groups/${acme.id}/notification_settings`],
      [ann, `/projects/${api.id}/notification_settings`],
    ] as const) {
      expect((await get(person, path)).body).toEqual({ level: "global" });
    }
    expect((await get(ann, "/notification_settings")).body.level).toBe("participating");
  });
});

describe("events", () => {
  test.each(kinds)("of the %s kind are all shown under custom, with their first values", async (kind, path) => {
    const { body } = await put(await world.user(), path, { json: { level: "custom" } });
    expect(body.events).toEqual(eventsOf(kind));
  });

  test.each(kinds)("of the %s kind are merged, and survive every other level", async (kind, path) => {
    const ann = await world.user();
    await put(ann, path, { json: { level: "custom", new_note: true } });
    await put(ann, path, { json: { new_issue: true, failed_pipeline: false } });
    const events = { ...eventsOf(kind), new_note: true, new_issue: true, failed_pipeline: false };
    expect((await get(ann, path)).body.events).toEqual(events);
    for (const level of ["disabled", "participating", "watch", "global", "mention"]) {
      expect((await put(ann, path, { json: { level } })).body).not.toHaveProperty("events");
      const back = await put(ann, path, { json: { level: "custom" } });
      expect(back.body.events).toEqual(events);
    }
  });

  test.each(kinds)("of the %s kind are stored at any level", async (kind, path) => {
    const ann = await world.user();
    expect((await put(ann, path, { json: { level: "watch", issue_due: true } })).body).not.toHaveProperty("events");
    const { body } = await put(ann, path, { json: { level: "custom" } });
    expect(body.events).toEqual({ ...eventsOf(kind), issue_due: true });
  });

  test("may be in query, form and JSON, with every spelling of a boolean", async () => {
    const ann = await world.user();
    const path = "/notification_settings";
    await put(ann, path, { json: { level: "custom" } });
    for (const [yes, no] of [
      ["true", "false"],
      ["1", "0"],
      ["t", "f"],
      ["on", "off"],
      ["yes", "no"],
    ] as const) {
      expect((await put(ann, path, { query: { new_note: yes } })).body.events.new_note).toBe(true);
      expect((await put(ann, path, { query: { new_note: no } })).body.events.new_note).toBe(false);
      expect((await put(ann, path, { form: { new_note: yes } })).body.events.new_note).toBe(true);
      expect((await put(ann, path, { form: { new_note: no } })).body.events.new_note).toBe(false);
    }
    expect((await put(ann, path, { json: { new_note: true } })).body.events.new_note).toBe(true);
  });

  test.each(kinds)("of the %s kind that are no booleans are refused, and nothing is stored", async (kind, path) => {
    const ann = await world.user();
    await put(ann, path, { json: { level: "custom" } });
    const { status, body } = await put(ann, path, { json: { level: "watch", new_issue: true, new_note: "maybe" } });
    expect([status, body.error]).toEqual([400, "new_note is invalid"]);
    expect((await get(ann, path)).body).toMatchObject({ level: "custom", events: eventsOf(kind) });
  });
});

describe("new_epic", () => {
  test("is shown on the instance and on groups; a project accepts it without showing it", async () => {
    const ann = await world.user();
    for (const [kind, path] of kinds) {
      const { status, body } = await put(ann, path, { json: { level: "custom", new_epic: true } });
      expect({ status, shown: body.events.new_epic }).toEqual({
        status: 200,
        shown: kind === "project" ? undefined : true,
      });
      expect((await put(ann, path, { json: { new_epic: "maybe" } })).body.error).toBe("new_epic is invalid");
    }
  });

  test.each(["community", "premium"] as const)("is unknown in the %s edition", async (edition) => {
    const lower = await startWorld({ edition });
    const ann = await lower.user();
    for (const new_epic of [true, "maybe"]) {
      const { status, body } = await put(ann, "/notification_settings", { json: { level: "custom", new_epic } }, lower);
      expect([status, body.events]).toEqual([200, projectEvents]);
    }
  });
});

describe("notification_email", () => {
  const refusal = { message: { notification_email: ["must be an email you have verified"] } };

  test("that is unknown or another user's is refused, and nothing of the request is stored", async () => {
    const ann = await world.user();
    const bob = await world.user();
    for (const notification_email of ["nobody@people.example", bob.email, "no address"]) {
      const json = { level: "custom", new_note: true, notification_email };
      const { status, body } = await put(ann, "/notification_settings", { json });
      expect([status, body]).toEqual([400, refusal]);
    }
    expect((await get(ann, "/notification_settings")).body).toEqual({
      level: "participating",
      notification_email: ann.email,
    });
  });

  test("may be the primary one, whatever its case, or empty for the primary one", async () => {
    const ann = await world.user();
    for (const notification_email of [ann.email, ann.email.toUpperCase(), "", " "]) {
      const { status, body } = await put(ann, "/notification_settings", { json: { notification_email } });
      expect([status, body.notification_email]).toEqual([200, ann.email]);
    }
    world.alter(ann.id, { email: "new@people.example" });
    expect((await get(ann, "/notification_settings")).body.notification_email).toBe("new@people.example");
  });

  const secondary = async ({ id }: Person, email: string, skip_confirmation: boolean): Promise<number> =>
    (await world.call("POST", `/users/${id}/emails`, { token: rootToken, json: { email, skip_confirmation } })).body.id;

  test("may be a confirmed secondary one, which then gets mails, and not an unconfirmed one", async () => {
    const ann = await world.user();
    await secondary(ann, "ann.waits@people.example", false);
    await secondary(ann, "ann.second@people.example", true);
    const refused = await put(ann, "/notification_settings", {
      json: { notification_email: "ann.waits@people.example", level: "watch" },
    });
    expect([refused.status, refused.body]).toEqual([400, refusal]);
    const json = { notification_email: "Ann.Second@people.example" };
    const chosen = { level: "participating", notification_email: "ann.second@people.example" };
    expect((await put(ann, "/notification_settings", { json })).body).toEqual(chosen);
    expect((await put(ann, "/notification_settings", { json: { level: "watch" } })).body).toEqual({
      ...chosen,
      level: "watch",
    });
    const nothing = { actor: undefined, participants: [], mentioned: [], mayRead: () => true };
    const told = recipientsOf(world.context, { ...nothing, event: "new_issue", project: api });
    expect(told.filter(({ user }) => user.id === ann.id).map(({ email }) => email)).toEqual([
      "ann.second@people.example",
    ]);
  });

  test("that is removed is replaced by the primary one", async () => {
    const ann = await world.user();
    const id = await secondary(ann, "ann.gone@people.example", true);
    const json = { notification_email: "ann.gone@people.example" };
    expect((await put(ann, "/notification_settings", { json })).body.notification_email).toBe(json.notification_email);
    await world.call("DELETE", `/user/emails/${id}`, { token: ann.token });
    expect((await get(ann, "/notification_settings")).body.notification_email).toBe(ann.email);
  });

  test.each(sources)("is ignored and never shown on a %s", async (_, path) => {
    const json = { level: "watch", notification_email: "nobody@people.example" };
    const { status, body } = await put(await world.user(), path, { json });
    expect([status, body]).toEqual([200, { level: "watch" }]);
  });
});
