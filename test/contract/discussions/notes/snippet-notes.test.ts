import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld();
const { project, person } = await setTracker(world, "public");
const reporter = await person(accessLevels.reporter);
const guest = await person(accessLevels.guest);
const maintainer = await person(accessLevels.maintainer);
const stranger = await world.user();

async function newSnippet(visibility: string): Promise<string> {
  const json = { title: "Torque", file_name: "torque.md", content: "12 Nm\n", visibility };
  const { body } = await world.call("POST", `/projects/${project.id}/snippets`, { token: maintainer.token, json });
  return `/projects/${project.id}/snippets/${body.id}`;
}

const open = await newSnippet("public");
const write = (path: string, { token }: { token: string | undefined }, json: Json = { body: "In foot pounds?" }) =>
  world.call("POST", `${path}/notes`, { token, json });

describe("a note on a snippet", () => {
  test("has the snippet's id, and no iid", async () => {
    const { status, body } = await write(open, stranger);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      body: "In foot pounds?",
      author: { username: stranger.username },
      noteable_type: "Snippet",
      noteable_id: Number(open.split("/").at(-1)),
      noteable_iid: null,
      project_id: project.id,
      commands_changes: {},
    });
    expect((await world.get(`${open}/notes/${body.id}`)).body).toEqual(body);
    expect((await world.get(`${open}/notes`)).body.map(({ id }: Json) => id)).toContain(body.id);
  });

  test("keeps lines that would be quick actions elsewhere", async () => {
    expect((await write(open, reporter, { body: "/close" })).body.body).toBe("/close");
  });

  test("cannot be internal", async () => {
    const { status, body } = await write(open, maintainer, { body: "Between us", internal: true });
    expect(status).toBe(400);
    expect(body.message).toBe('400 Bad request - Note {:confidential=>["can not be set for this type of note"]}');
  });

  test("is changed and deleted by its author, and takes reactions, which go with it", async () => {
    const { id } = (await write(open, guest)).body;
    const path = `${open}/notes/${id}`;
    const change = (token: string | undefined) => world.call("PUT", path, { token, json: { body: "9 lb ft" } });
    expect((await change(stranger.token)).status).toBe(403);
    expect((await change(guest.token)).body.body).toBe("9 lb ft");
    const json = { name: "rocket" };
    const award = await world.call("POST", `${path}/award_emoji`, { token: stranger.token, json });
    expect(award.body).toMatchObject({ awardable_type: "Note", awardable_id: id });
    expect((await world.call("DELETE", path, { token: guest.token })).status).toBe(204);
    expect((await world.get(`${path}/award_emoji`)).body).toEqual({ message: "404 Note Not Found" });
  });
});

test("notes on a hidden snippet do not exist for others, and go with the snippet", async () => {
  const hidden = await newSnippet("private");
  const { id } = (await write(hidden, reporter)).body;
  for (const { token } of [stranger, { token: undefined }]) {
    expect((await world.call("GET", `${hidden}/notes`, { token })).body).toEqual({ message: "404 Snippet Not Found" });
  }
  expect((await write(hidden, stranger)).body).toEqual({ message: "404 Snippet Not Found" });
  await world.call("DELETE", hidden, { token: maintainer.token });
  expect((await world.call("GET", `${open}/notes/${id}`, { token: reporter.token })).status).toBe(404);
});
