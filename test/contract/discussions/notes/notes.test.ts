import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { subjectKey } from "../../../../src/domain/subject.ts";
import { awardEmoji } from "../../../../src/modules/discussions/award-emoji/records.ts";
import { notes } from "../../../../src/modules/discussions/notes/records.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld();
const { project, person, issue, note } = await setTracker(world, "public");
const planner = await person(accessLevels.planner);
const maintainer = await person(accessLevels.maintainer);
const developer = await person(accessLevels.developer);
const owner = await person(accessLevels.owner);
const guest = await person(accessLevels.guest);
const stranger = await world.user();

const pathOf = ({ iid }: Json, rest: string | number = "") =>
  `/projects/${project.id}/issues/${iid}/notes${rest === "" ? "" : `/${rest}`}`;
const post = (to: Json, json: Json, token: string | undefined = stranger.token) =>
  world.call("POST", pathOf(to), { token, json });
const countOf = async ({ iid }: Json) =>
  (await world.get(`/projects/${project.id}/issues/${iid}`)).body.user_notes_count;

/** Inserts a system note into the store, which no operation can do. */
const systemNote = ({ id }: Json, body: string) =>
  world.store.transact((tx) =>
    tx.insert(notes, {
      id: tx.nextId("notes"),
      noteable_type: "Issue",
      noteable_id: id,
      author_id: planner.id,
      body,
      system: true,
      internal: false,
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
    }),
  );

describe("a new note", () => {
  test("has every field, and is counted", async () => {
    const held = await issue();
    const { status, body } = await post(held, { body: "Oil them" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      type: null,
      body: "Oil them",
      attachment: null,
      author: expect.objectContaining({ id: stranger.id, username: stranger.username }),
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
      system: false,
      noteable_id: held.id,
      noteable_type: "Issue",
      noteable_iid: held.iid,
      project_id: project.id,
      resolvable: false,
      confidential: false,
      internal: false,
      imported: false,
      imported_from: "none",
      commands_changes: {},
    });
    const shown = await world.call("GET", pathOf(held, body.id));
    expect({ status: shown.status, body: shown.body }).toEqual({ status: 200, body });
    expect(await countOf(held)).toBe(1);
  });

  test("takes its date only from owners and administrators", async () => {
    const held = await issue();
    const created_at = "2020-01-02T03:04:05.000Z";
    const json = { body: "long ago", created_at };
    expect((await post(held, json, owner.token)).body).toMatchObject({ created_at, updated_at: created_at });
    expect((await post(held, json, rootToken)).body.created_at).toBe(created_at);
    expect((await post(held, json, maintainer.token)).body.created_at).toBe(world.clock.time());
  });

  test.each([
    [{}, { message: '400 (Bad request) "body" not given', error: "body is missing" }],
    [{ body: " " }, { message: `400 Bad request - Note {:note=>["can't be blank"]}` }],
    [
      { body: "x".repeat(1_000_001) },
      { message: '400 Bad request - Note {:note=>["is too long (maximum is 1000000 characters)"]}' },
    ],
    [
      { body: "x", internal: "maybe" },
      { message: "internal is invalid", error: "internal is invalid" },
    ],
  ])("is refused when invalid (%#)", async (json, expected) => {
    const held = await issue();
    const { status, body } = await post(held, json);
    expect({ status, body }).toEqual({ status: 400, body: expect.objectContaining(expected) });
    expect(await countOf(held)).toBe(0);
  });

  test("requires authentication, and an issue that the caller can read", async () => {
    const secret = await issue({ confidential: true });
    const answers = [
      await world.call("POST", pathOf(await issue()), { json: { body: "x" } }),
      await post(secret, { body: "x" }),
      await post({ iid: 9_999 }, { body: "x" }),
    ].map(({ status, body }) => ({ status, body }));
    const missing = { status: 404, body: { message: "404 Issue Not Found" } };
    expect(answers).toEqual([{ status: 401, body: { message: "401 Unauthorized" } }, missing, missing]);
  });
});

describe("an internal note", () => {
  test("is readable for planners and above, administrators and auditors", async () => {
    const held = await issue();
    const made = await note(held, { internal: true }, planner.token);
    expect(made).toMatchObject({ internal: true, confidential: true });
    const older = await note(await issue(), { confidential: true }, planner.token);
    expect(older).toMatchObject({ internal: true, confidential: true });
    await note(held, { body: "for all" }, guest.token);
    const auditor = await world.user();
    world.alter(auditor.id, { is_auditor: true });
    const seenBy = async (token?: string) => {
      const { status } = await world.call("GET", pathOf(held, made.id), { token });
      const { body, headers } = await world.call("GET", pathOf(held), { token });
      return [status, body.length, headers.get("x-total")];
    };
    for (const { token } of [planner, developer, auditor]) expect(await seenBy(token)).toEqual([200, 2, "2"]);
    expect(await seenBy(rootToken)).toEqual([200, 2, "2"]);
    for (const token of [guest.token, stranger.token, undefined]) expect(await seenBy(token)).toEqual([404, 1, "1"]);
    const answer = await world.call("GET", pathOf(held, made.id), { token: guest.token });
    expect(answer.body).toEqual({ message: "404 Note Not Found" });
    expect(await countOf(held)).toBe(2);
  });

  test("is refused to a user who could not read it", async () => {
    expect((await post(await issue(), { body: "x", confidential: true }, guest.token)).status).toBe(403);
    const { status, body } = await post(await issue(), { body: "x", internal: true }, guest.token);
    expect({ status, body }).toEqual({ status: 403, body: { message: "403 Forbidden" } });
  });
});

describe("the list", () => {
  test("has the requested order, the newest first by default", async () => {
    const held = await issue();
    const made: Json[] = [];
    for (const body of ["a", "b", "c"]) {
      world.clock.advance(1_000);
      made.push(await note(held, { body }));
    }
    world.clock.advance(1_000);
    await world.call("PUT", pathOf(held, made[0].id), { token: rootToken, json: { body: "a!" } });
    const bodies = async (query: Json) =>
      (await world.call("GET", pathOf(held), { query })).body.map(({ body }: Json) => body).join(" ");
    expect(await bodies({})).toBe("c b a!");
    expect(await bodies({ sort: "asc" })).toBe("a! b c");
    expect(await bodies({ order_by: "updated_at" })).toBe("a! c b");
    expect(await bodies({ order_by: "updated_at", sort: "asc" })).toBe("b c a!");
    expect(await bodies({ per_page: 1, page: 2 })).toBe("b");
  });

  test("has comments, system notes, or both", async () => {
    const held = await issue();
    await note(held, { body: "comment" });
    const { id } = systemNote(held, "activity");
    const bodies = async (query: Json) =>
      (await world.call("GET", pathOf(held), { query })).body.map(({ body }: Json) => body);
    expect(await bodies({ sort: "asc" })).toEqual(["comment", "activity"]);
    expect(await bodies({ activity_filter: "all_notes", sort: "asc" })).toEqual(["comment", "activity"]);
    expect(await bodies({ activity_filter: "only_comments" })).toEqual(["comment"]);
    expect(await bodies({ activity_filter: "only_activity" })).toEqual(["activity"]);
    expect(await countOf(held)).toBe(1);
    for (const method of ["PUT", "DELETE"]) {
      const answer = await world.call(method, pathOf(held, id), { token: rootToken, json: { body: "x" } });
      expect(answer.status).toBe(403);
    }
  });

  test.each([
    [{ sort: "up" }, "sort does not have a valid value"],
    [{ order_by: "id" }, "order_by does not have a valid value"],
    [{ activity_filter: "some" }, "activity_filter does not have a valid value"],
  ])("refuses %j", async (query, error) => {
    const { status, body } = await world.call("GET", pathOf(await issue()), { query });
    expect({ status, error: body.error }).toEqual({ status: 400, error });
  });
});

describe("a note is changed and deleted", () => {
  test("by its author, maintainers and administrators", async () => {
    const held = await issue();
    const callers = [
      [stranger.token, true],
      [maintainer.token, true],
      [owner.token, true],
      [rootToken, true],
      [developer.token, false],
      [guest.token, false],
    ] as const;
    for (const [token, isAllowed] of callers) {
      const { id } = await note(held, {}, stranger.token);
      const before = await countOf(held);
      const changed = await world.call("PUT", pathOf(held, id), { token, json: { body: "Grease them" } });
      const deleted = await world.call("DELETE", pathOf(held, id), { token });
      expect([changed.status, deleted.status]).toEqual(isAllowed ? [200, 204] : [403, 403]);
      expect(await countOf(held)).toBe(isAllowed ? before - 1 : before);
    }
  });

  test("with a new date only when its text changes", async () => {
    const held = await issue();
    const made = await note(held);
    world.clock.advance(1_000);
    const put = async (body: unknown) =>
      await world.call("PUT", pathOf(held, made.id), { token: rootToken, json: { body } });
    expect((await put("Oil them")).body).toEqual(made);
    expect((await put("More oil")).body).toEqual({ ...made, body: "More oil", updated_at: world.clock.time() });
    expect((await put(undefined)).body.error).toBe("body is missing");
    expect((await put("")).body).toEqual({ message: `400 Bad request - Note {:note=>["can't be blank"]}` });
  });

  test("not when it has changed since the caller's read", async () => {
    const held = await issue();
    const { id } = await note(held);
    const headers = { "If-Unmodified-Since": new Date(world.clock.now() - 60_000).toUTCString() };
    expect((await world.call("DELETE", pathOf(held, id), { token: rootToken, headers })).status).toBe(412);
    expect(await countOf(held)).toBe(1);
  });

  test("on its own issue only", async () => {
    const { id } = await note(await issue());
    const other = await issue();
    for (const method of ["GET", "PUT", "DELETE"]) {
      const json = method === "PUT" ? { json: { body: "x" } } : {};
      const answer = await world.call(method, pathOf(other, id), { token: rootToken, ...json });
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 404,
        body: { message: "404 Note Not Found" },
      });
    }
  });
});

test("the notes of an issue and their reactions are deleted with it", async () => {
  const held = await issue();
  const { id } = await note(held);
  await world.call("POST", `${pathOf(held, id)}/award_emoji`, { token: rootToken, json: { name: "star" } });
  await world.call("DELETE", `/projects/${project.id}/issues/${held.iid}`, { token: rootToken });
  expect(world.store.of(notes).get(id)).toBe(undefined);
  expect(world.store.of(awardEmoji).by.awardable.find(subjectKey({ type: "Note", id })).size).toBe(0);
});

test("the notes of a deleted user become the ghost's, or are deleted", async () => {
  for (const hard_delete of [false, true]) {
    const held = await issue();
    const writer = await world.user();
    const { id } = await note(held, {}, writer.token);
    await world.call("DELETE", `/users/${writer.id}`, { token: rootToken, query: { hard_delete } });
    const { status, body } = await world.call("GET", pathOf(held, id));
    expect(hard_delete ? status : body.author.name).toBe(hard_delete ? 404 : "Ghost User");
    expect(await countOf(held)).toBe(hard_delete ? 0 : 1);
  }
});

describe("the notes on an issue whose discussion is locked", () => {
  test("are created, changed and deleted only by members of the project", async () => {
    const held = await issue();
    const mine = (await post(held, { body: "before" })).body;
    const lock = (discussion_locked: boolean | null) =>
      world.call("PUT", `/projects/${project.id}/issues/${held.iid}`, {
        token: planner.token,
        json: { discussion_locked },
      });
    const refused = { status: 403, body: { message: "403 Forbidden" } };
    const call = async (method: string, rest: string | number, json?: Json) => {
      const { status, body } = await world.call(method, pathOf(held, rest), { token: stranger.token, json });
      return { status, body };
    };
    expect((await lock(true)).body.discussion_locked).toBe(true);
    expect(await call("POST", "", { body: "after" })).toEqual(refused);
    expect(await call("PUT", mine.id, { body: "after" })).toEqual(refused);
    expect(await call("DELETE", mine.id)).toEqual(refused);
    expect(await call("GET", mine.id)).toMatchObject({ status: 200, body: { body: "before" } });
    for (const { token } of [guest, planner, developer, maintainer, { token: rootToken }]) {
      expect((await post(held, { body: "member" }, token)).status).toBe(201);
    }
    expect(await countOf(held)).toBe(6);
    for (const open of [false, null]) {
      await lock(open);
      expect((await post(held, { body: "again" })).status).toBe(201);
    }
  });
});
