import { expect, test } from "bun:test";
import { accessLevels } from "../../../src/domain/access-level.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const group = places.group();
const project = places.project(group.id);
const owner = await world.user();
places.member(group, owner.id, accessLevels.owner);
const path = `/projects/${project.id}`;
const files = [{ file_path: "a.txt", content: "a" }];

const create = async (below: string, json: Json): Promise<Json> => {
  const { status, body, text } = await world.call("POST", `${path}${below}`, { token: owner.token, json });
  if (status !== 201) throw new Error(text);
  return body;
};
await create("/issues", { title: "an issue" });
const label = await create("/labels", { name: "bug", color: "red" });
const milestone = await create("/milestones", { title: "1.0" });
const snippet = await create("/snippets", { title: "a snippet", visibility: "private", files });
const note = await create("/issues/1/notes", { body: "a note" });
await world.call("POST", `/groups/${group.id}/labels`, { token: rootToken, json: { name: "shared", color: "red" } });
await world.call("POST", `${path}/archive`, { token: rootToken });

const writes: [string, string, Json | undefined][] = [
  ["POST", "/issues", { title: "x" }],
  ["PUT", "/issues/1", { title: "x" }],
  ["DELETE", "/issues/1", undefined],
  ["POST", "/issues/1/time_estimate", { duration: "1h" }],
  ["POST", "/issues/1/notes", { body: "x" }],
  ["POST", "/issues/1/notes", { body: "/close" }],
  ["PUT", `/issues/1/notes/${note.id}`, { body: "x" }],
  ["DELETE", `/issues/1/notes/${note.id}`, undefined],
  ["POST", "/labels", { name: "x", color: "red" }],
  ["PUT", `/labels/${label.id}`, { color: "blue" }],
  ["PUT", "/labels/shared", { priority: 1 }],
  ["PUT", "/labels", { name: "bug", color: "blue" }],
  ["PUT", "/labels/promote", { name: "bug" }],
  ["PUT", "/labels/bug/promote", undefined],
  ["DELETE", `/labels/${label.id}`, undefined],
  ["POST", "/milestones", { title: "x" }],
  ["PUT", `/milestones/${milestone.id}`, { title: "x" }],
  ["POST", `/milestones/${milestone.id}/promote`, undefined],
  ["DELETE", `/milestones/${milestone.id}`, undefined],
  ["POST", "/snippets", { title: "x", visibility: "private", files }],
  ["PUT", `/snippets/${snippet.id}`, { title: "x" }],
  ["DELETE", `/snippets/${snippet.id}`, undefined],
];

test.each(writes)("%s …%s is 403 in an archived project, for administrators too", async (method, below, json) => {
  for (const token of [owner.token, rootToken]) {
    const options = json === undefined ? { token } : { token, json };
    expect(await world.call(method, `${path}${below}`, options)).toMatchObject({
      ...{ status: 403, body: { message: "403 Forbidden" } },
    });
  }
});

test("a new reaction in an archived project is 404", async () => {
  const json = { name: "star" };
  for (const below of ["/issues/1", `/issues/1/notes/${note.id}`, `/snippets/${snippet.id}`]) {
    expect(await world.call("POST", `${path}${below}/award_emoji`, { token: owner.token, json })).toMatchObject({
      ...{ status: 404, body: { message: "404 Award Emoji Not Found" } },
    });
  }
});

test("an archived project can be read, and the labels of its group are changed in the group", async () => {
  for (const below of ["/issues/1", "/issues/1/notes", "/labels", "/milestones", `/snippets/${snippet.id}`]) {
    expect((await world.call("GET", `${path}${below}`, { token: owner.token })).status).toBe(200);
  }
  const options = { token: owner.token, json: { color: "blue" } };
  expect((await world.call("PUT", `/groups/${group.id}/labels/shared`, options)).status).toBe(200);
});
