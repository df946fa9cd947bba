import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { subjectKey } from "../../../../src/domain/subject.ts";
import { awardEmoji } from "../../../../src/modules/discussions/award-emoji/records.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld();
const { project, person, issue, note } = await setTracker(world, "public");
const hidden = await setTracker(world, "private");
const guest = await person(accessLevels.guest);
const planner = await person(accessLevels.planner);
const owner = await person(accessLevels.owner);
const stranger = await world.user();

type MakeAwardable = () => Promise<{ readonly path: string; readonly id: number; readonly type: string }>;

const onIssue: MakeAwardable = async () => {
  const { id, iid } = await issue();
  return { path: `/projects/${project.id}/issues/${iid}/award_emoji`, id, type: "Issue" };
};
const onNote: MakeAwardable = async () => {
  const held = await issue();
  const { id } = await note(held);
  return { path: `/projects/${project.id}/issues/${held.iid}/notes/${id}/award_emoji`, id, type: "Note" };
};

const onSnippet: MakeAwardable = async () => {
  const json = { title: "s", file_name: "a.txt", content: "a", visibility: "public" };
  const path = `/projects/${project.id}/snippets`;
  const { id } = (await world.call("POST", path, { token: owner.token, json })).body;
  return { path: `${path}/${id}/award_emoji`, id, type: "Snippet" };
};

const give = (path: string, name: unknown, token: string | undefined = stranger.token) =>
  world.call("POST", path, { token, json: { name } });
const refusal = async (asked: Promise<{ status: number; body: Json }>) => {
  const { status, body } = await asked;
  return [status, body.error ?? body.message];
};

describe.each([
  ["an issue", onIssue],
  ["a note", onNote],
  ["a snippet of a project", onSnippet],
] as const)("a reaction to %s", (_, make) => {
  test("has every field, and all readers find it alone and in the list", async () => {
    const { path, id, type } = await make();
    const { status, body } = await give(path, "blowfish");
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: "blowfish",
      user: expect.objectContaining({ id: stranger.id, username: stranger.username }),
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
      awardable_id: id,
      awardable_type: type,
      url: null,
    });
    expect((await world.call("GET", `${path}/${body.id}`)).body).toEqual(body);
    const { body: second } = await give(path, "rocket", guest.token);
    expect((await world.call("GET", path)).body).toEqual([body, second]);
    const { body: part, headers } = await world.call("GET", path, { query: { per_page: 1 } });
    expect([part, headers.get("x-total")]).toEqual([[body], "2"]);
  });

  test("is given once by each user, under either of its names", async () => {
    const { path } = await make();
    const taken = [404, "404 Award Emoji Name has already been taken Not Found"];
    expect((await give(path, "+1")).body.name).toBe("thumbsup");
    expect(await refusal(give(path, "+1"))).toEqual(taken);
    expect(await refusal(give(path, "thumbsup"))).toEqual(taken);
    expect((await give(path, "-1")).body.name).toBe("thumbsdown");
    expect(await refusal(give(path, "thumbsdown"))).toEqual(taken);
    expect((await give(path, "+1", guest.token)).status).toBe(201);
  });

  test("has a known name", async () => {
    const { path } = await make();
    const unknown = [404, "404 Award Emoji Name is not a valid emoji name Not Found"];
    for (const name of ["no_such_thing", ":star:", "", "constructor", "⭐"]) {
      expect(await refusal(give(path, name))).toEqual(unknown);
    }
    for (const name of ["star", "rocket", "tada", "eyes"]) expect((await give(path, name)).status).toBe(201);
    expect(await refusal(give(path, undefined))).toEqual([400, "name is missing"]);
    expect(await refusal(world.call("POST", path, { json: { name: "star" } }))).toEqual([401, "401 Unauthorized"]);
  });

  test("is deleted by its user and by administrators", async () => {
    const { path } = await make();
    const { body: first } = await give(path, "star");
    const remove = (id: number, token?: string) => world.call("DELETE", `${path}/${id}`, { token });
    for (const token of [guest.token, owner.token, undefined]) {
      expect(await refusal(remove(first.id, token))).toEqual([401, "401 Unauthorized"]);
    }
    expect((await remove(first.id, stranger.token)).status).toBe(204);
    expect(await refusal(remove(first.id, stranger.token))).toEqual([404, "404 Award Emoji Not Found"]);
    const { body: second } = await give(path, "star");
    expect((await remove(second.id, rootToken)).status).toBe(204);
    expect((await world.call("GET", path)).body).toEqual([]);
  });

  test("is not deleted when it has changed since the caller's read", async () => {
    const { path } = await make();
    const { body } = await give(path, "star");
    const headers = { "If-Unmodified-Since": new Date(world.clock.now() - 60_000).toUTCString() };
    const answer = await world.call("DELETE", `${path}/${body.id}`, { token: stranger.token, headers });
    expect(answer.status).toBe(412);
  });

  test("is found under its own awardable only", async () => {
    const [one, other] = [await make(), await make()];
    const { body } = await give(one.path, "star");
    const missing = [404, "404 Award Emoji Not Found"];
    expect(await refusal(world.call("GET", `${other.path}/${body.id}`))).toEqual(missing);
    expect(await refusal(world.call("DELETE", `${other.path}/${body.id}`, { token: rootToken }))).toEqual(missing);
  });
});

test("votes are counted, other reactions are not", async () => {
  const { iid } = await issue();
  const path = `/projects/${project.id}/issues/${iid}`;
  const votes = async () => {
    const { upvotes, downvotes } = (await world.get(path)).body;
    return [upvotes, downvotes];
  };
  const { body: up } = await give(`${path}/award_emoji`, "thumbsup");
  await give(`${path}/award_emoji`, "+1", guest.token);
  await give(`${path}/award_emoji`, "-1");
  await give(`${path}/award_emoji`, "star");
  expect(await votes()).toEqual([2, 1]);
  await world.call("DELETE", `${path}/award_emoji/${up.id}`, { token: stranger.token });
  expect(await votes()).toEqual([1, 1]);
  const { id } = await note({ iid, project_id: project.id });
  await give(`${path}/notes/${id}/award_emoji`, "+1");
  expect(await votes()).toEqual([1, 1]);
});

describe("a caller who cannot read the issue", () => {
  test("gets the same answer for hidden and unknown ones", async () => {
    const secret = await issue({ confidential: true });
    for (const iid of [secret.iid, 9_999]) {
      const path = `/projects/${project.id}/issues/${iid}/award_emoji`;
      const missing = [404, "404 Award Emoji Not Found"];
      expect(await refusal(world.call("GET", path))).toEqual(missing);
      expect(await refusal(world.call("GET", path, { token: guest.token }))).toEqual(missing);
      expect(await refusal(world.call("GET", `${path}/1`, { token: guest.token }))).toEqual(missing);
      expect(await refusal(give(path, "star", guest.token))).toEqual(missing);
    }
  });

  test("learns nothing of a hidden project", async () => {
    const { iid } = await hidden.issue();
    const path = `/projects/${hidden.project.id}/issues/${iid}/award_emoji`;
    const missing = [404, "404 Project Not Found"];
    expect(await refusal(world.call("GET", path))).toEqual(missing);
    expect(await refusal(world.call("GET", path, { token: stranger.token }))).toEqual(missing);
    expect(await refusal(give(path, "star"))).toEqual(missing);
  });

  test("cannot react to an internal note", async () => {
    const held = await issue();
    const { id } = await note(held, { internal: true });
    const path = `/projects/${project.id}/issues/${held.iid}/notes/${id}/award_emoji`;
    expect(await refusal(give(path, "star", guest.token))).toEqual([404, "404 Note Not Found"]);
    expect((await give(path, "star", planner.token)).status).toBe(201);
  });
});

test("the reactions of a deleted user become the ghost's and count, or are deleted", async () => {
  const { iid } = await issue();
  const path = `/projects/${project.id}/issues/${iid}`;
  const leave = (id: number, hard_delete: boolean) =>
    world.call("DELETE", `/users/${id}`, { token: rootToken, query: { hard_delete } });
  const givers = [await world.user(), await world.user(), await world.user()];
  for (const { token } of givers) await give(`${path}/award_emoji`, "thumbsup", token);
  await leave(givers[0]?.id as number, false);
  await leave(givers[1]?.id as number, false);
  const names = async () =>
    (await world.call("GET", `${path}/award_emoji`)).body.map(({ user }: Json) => user.name.split(" ")[0]);
  expect(await names()).toEqual(["Ghost", "Ghost", "Person"]);
  expect((await world.get(path)).body.upvotes).toBe(3);
  await leave(givers[2]?.id as number, true);
  expect(await names()).toEqual(["Ghost", "Ghost"]);
  expect((await world.get(path)).body.upvotes).toBe(2);
});

test("reactions to a snippet are open to its readers, and deleted with it", async () => {
  const { path, id } = await onSnippet();
  const snippet = `/projects/${project.id}/snippets/${id}`;
  await give(path, "star");
  await world.call("PUT", snippet, { token: owner.token, json: { visibility: "private" } });
  const missing = [404, "404 Award Emoji Not Found"];
  for (const each of [path, path.replace(`/${id}/`, "/9999/")]) {
    expect(await refusal(world.call("GET", each))).toEqual(missing);
    expect(await refusal(world.call("GET", each, { token: stranger.token }))).toEqual(missing);
    expect(await refusal(give(each, "tada"))).toEqual(missing);
  }
  expect((await world.call("GET", path, { token: guest.token })).body).toHaveLength(1);
  const { body: personal } = await world.call("POST", "/snippets", {
    token: owner.token,
    json: { title: "p", file_name: "a.txt", content: "a", visibility: "public" },
  });
  expect(await refusal(give(`/projects/${project.id}/snippets/${personal.id}/award_emoji`, "star"))).toEqual(missing);
  const kept = () => world.store.of(awardEmoji).by.awardable.find(subjectKey({ type: "Snippet", id })).size;
  expect(kept()).toBe(1);
  expect((await world.call("DELETE", snippet, { token: owner.token })).status).toBe(204);
  expect(kept()).toBe(0);
});
