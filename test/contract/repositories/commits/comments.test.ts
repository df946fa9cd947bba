import { describe, expect, test } from "bun:test";
import { commitNotes } from "../../../../src/modules/discussions/commit-notes/records.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { commitsOf, messageOf, projectWith } from "./setting.ts";

const world = await startWorld();

async function commented() {
  const made = await projectWith(world, "maintainer");
  await made.write({ "a.txt": "one\ntwo\nthree\n" });
  const update = { action: "update", file_path: "a.txt", content: "one\n2\nthree\nfour\n" };
  const sha: string = (await made.commit([update])).body.id;
  return { ...made, sha };
}

describe("a comment on a commit", () => {
  test("is listed with others, the oldest first", async () => {
    const { sha, post, get, person } = await commented();
    const { status, body } = await post("main/comments", { note: "First" });
    expect([status, body]).toEqual([
      201,
      {
        note: "First",
        path: null,
        line: null,
        line_type: null,
        author: expect.objectContaining({ id: person.id }),
        created_at: expect.any(String),
      },
    ]);
    await post(`${sha}/comments`, { note: "Second" });
    const listed = await get(`${sha.slice(0, 8)}/comments`, { per_page: 1, page: 2 });
    expect([listed.body.map(({ note }: { note: string }) => note), listed.headers.get("x-total")]).toEqual([
      ["Second"],
      "2",
    ]);
    const other = await get("nothing/comments");
    expect(messageOf(other)).toEqual([404, "404 Commit Not Found"]);
  });

  test.each([
    [{ path: "a.txt", line: 2, line_type: "new" }, ["a.txt", 2, "new"]],
    [{ path: "a.txt", line: 2, line_type: "old" }, ["a.txt", 2, "old"]],
    [{ path: "a.txt", line: 4 }, ["a.txt", 4, "new"]],
    [{ path: "a.txt", line: 1, line_type: "new" }, [null, null, null]],
    [{ path: "a.txt", line: 4, line_type: "old" }, [null, null, null]],
    [{ path: "b.txt", line: 2, line_type: "new" }, [null, null, null]],
    [{ path: null, line: null, line_type: null }, [null, null, null]],
  ] as const)("on %p is at %p", async (place, expected) => {
    const { sha, post, get } = await commented();
    const { status, body } = await post(`${sha}/comments`, { note: "Here", ...place });
    expect([status, body.path, body.line, body.line_type]).toEqual([201, ...expected]);
    expect((await get(`${sha}/comments`)).body).toEqual([body]);
  });

  test("is refused without a text, and with a path without a line", async () => {
    const { sha, post } = await commented();
    expect((await post(`${sha}/comments`)).body.error).toBe("note is missing");
    expect((await post(`${sha}/comments`, { note: "x", path: "a.txt" })).body.error).toBe("line is missing");
    const blank = await post(`${sha}/comments`, { note: " " });
    expect(messageOf(blank)).toEqual([400, `Failed to save note {:note=>["can't be blank"]}`]);
    expect((await post("none/comments", { note: "x" })).status).toBe(404);
  });

  test("is for those who may read the code", async () => {
    const { id, sha } = await commented();
    const asked = async (role: "guest" | "reporter" | undefined) => {
      const person = await world.user();
      if (role !== undefined) addMember(world, { id }, person, role, "project");
      const { post, get } = commitsOf(world, id, person.token);
      return [(await get(`${sha}/comments`)).status, (await post(`${sha}/comments`, { note: "x" })).status];
    };
    expect([await asked("reporter"), await asked("guest"), await asked(undefined)]).toEqual([
      [200, 201],
      [403, 403],
      [404, 404],
    ]);
    const act = (method: string, path: string, json = {}) => world.call(method, path, { token: rootToken, json });
    await act("PUT", `/projects/${id}`, { visibility: "public" });
    const anonymous = commitsOf(world, id, "");
    expect((await world.call("GET", `${anonymous.path}/${sha}/comments`)).status).toBe(200);
    expect((await world.call("POST", `${anonymous.path}/${sha}/comments`, { json: { note: "x" } })).status).toBe(401);
    await act("POST", `/projects/${id}/archive`);
    expect((await commitsOf(world, id).post(`${sha}/comments`, { note: "x" })).status).toBe(403);
  });

  test("goes with its project", async () => {
    const { id, sha, post } = await commented();
    await post(`${sha}/comments`, { note: "x" });
    expect(world.store.of(commitNotes).by.project_id.find(id).size).toBe(1);
    const options = { token: rootToken };
    const { body } = await world.call("GET", `/projects/${id}`, options);
    await world.call("DELETE", `/projects/${id}`, options);
    const query = { permanently_remove: true, full_path: body.path_with_namespace };
    await world.call("DELETE", `/projects/${id}`, { ...options, query });
    await world.jobsDone();
    expect(world.store.of(commitNotes).by.project_id.find(id).size).toBe(0);
  });
});

describe("a discussion of a commit", () => {
  test("has its notes, and the comments are discussions, too", async () => {
    const { id, sha, post, get, person } = await commented();
    const begun = await post(`${sha}/discussions`, { body: "Why?" });
    expect([begun.status, begun.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{40}$/),
        individual_note: false,
        notes: [
          expect.objectContaining({
            type: "DiscussionNote",
            body: "Why?",
            author: expect.objectContaining({ id: person.id }),
            noteable_type: "Commit",
            noteable_id: null,
            noteable_iid: null,
            project_id: id,
            commit_id: sha,
            resolvable: false,
            confidential: null,
            commands_changes: {},
          }),
        ],
      },
    ]);
    const at = `${sha}/discussions/${begun.body.id}`;
    const reply = await post(`${at}/notes`, { body: "Because" });
    expect([reply.status, reply.body.type]).toEqual([201, "DiscussionNote"]);
    await post(`${sha}/comments`, { note: "Good" });
    const { body: all } = await get(`${sha}/discussions`);
    expect(
      all.map(({ individual_note, notes }: { individual_note: boolean; notes: { body: string }[] }) => [
        individual_note,
        notes.map(({ body }) => body),
      ]),
    ).toEqual([
      [false, ["Why?", "Because"]],
      [true, ["Good"]],
    ]);
    expect((await get(at)).body).toEqual(all[0]);
    expect((await get(`${at}/notes/${reply.body.id}`)).body).toEqual(reply.body);
    expect((await get(`${sha}/comments`)).body.map(({ note }: { note: string }) => note)).toEqual([
      "Why?",
      "Because",
      "Good",
    ]);
    const answered = await post(`${sha}/discussions/${all[1].id}/notes`, { body: "Thanks" });
    expect(answered.status).toBe(201);
    expect((await get(`${sha}/discussions/${all[1].id}`)).body).toMatchObject({
      individual_note: false,
      notes: [{ type: "DiscussionNote" }, { type: "DiscussionNote" }],
    });
  });

  test("has notes that authors and maintainers change and delete", async () => {
    const { id, sha, post, get, path } = await commented();
    const { body: discussion } = await post(`${sha}/discussions`, { body: "Why?" });
    const { body: reply } = await post(`${sha}/discussions/${discussion.id}/notes`, { body: "Because" });
    const noteAt = (noteId: number) => `${path}/${sha}/discussions/${discussion.id}/notes/${noteId}`;
    const [developer, other] = [await world.user(), await world.user()];
    for (const each of [developer, other]) addMember(world, { id }, each, "developer", "project");
    const mine = await world.call("POST", `${path}/${sha}/discussions/${discussion.id}/notes`, {
      token: developer.token,
      json: { body: "Mine" },
    });
    const change = (noteId: number, token: string) =>
      world.call("PUT", noteAt(noteId), { token, json: { body: "Changed" } });
    expect((await change(reply.id, developer.token)).status).toBe(403);
    expect((await change(mine.body.id, other.token)).status).toBe(403);
    const changed = await change(mine.body.id, developer.token);
    expect([changed.status, changed.body.body]).toEqual([200, "Changed"]);
    const blank = await world.call("PUT", noteAt(mine.body.id), { token: developer.token, json: { body: "" } });
    expect(messageOf(blank)).toEqual([400, `400 Bad request - Note {:note=>["can't be blank"]}`]);
    expect((await world.call("DELETE", noteAt(mine.body.id), { token: other.token })).status).toBe(403);
    const first = discussion.notes[0].id;
    expect((await world.call("DELETE", noteAt(first), { token: rootToken })).status).toBe(204);
    const left = (await get(`${sha}/discussions`)).body;
    expect(left.map(({ notes }: { notes: { id: number }[] }) => notes.map((note) => note.id))).toEqual([
      [reply.id, mine.body.id],
    ]);
    expect(messageOf(await get(`${sha}/discussions/${discussion.id}/notes/${first}`))).toEqual([
      404,
      "404 Note Not Found",
    ]);
  });

  test("is not found at another commit, in another project, and when all of it is deleted", async () => {
    const { sha, post, get, path } = await commented();
    const other = await commented();
    const { body } = await post(`${sha}/discussions`, { body: "Why?" });
    const parent = (await get(sha)).body.parent_ids[0];
    for (const from of [
      await get(`${parent}/discussions/${body.id}`),
      await other.get(`main/discussions/${body.id}`),
    ]) {
      expect(messageOf(from)).toEqual([404, "404 Discussion Not Found"]);
    }
    expect((await post(`${parent}/discussions/${body.id}/notes`, { body: "x" })).status).toBe(404);
    const note = `${path}/${sha}/discussions/${body.id}/notes/${body.notes[0].id}`;
    expect((await world.call("DELETE", note, { token: rootToken })).status).toBe(204);
    expect((await get(`${sha}/discussions/${body.id}`)).status).toBe(404);
    expect((await get(`${sha}/discussions`)).body).toEqual([]);
  });

  test("may have a time of its own where an owner says so", async () => {
    const { sha, post, path } = await commented();
    const created_at = "2020-01-02T03:04:05.000Z";
    const { body } = await post(`${sha}/discussions`, { body: "Now", created_at });
    expect(body.notes[0].created_at).not.toBe(created_at);
    const json = { body: "Then", created_at };
    const owned = await world.call("POST", `${path}/${sha}/discussions`, { token: rootToken, json });
    expect(owned.body.notes[0].created_at).toBe(created_at);
  });
});
