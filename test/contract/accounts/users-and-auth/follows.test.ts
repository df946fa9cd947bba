import { describe, expect, test } from "bun:test";
import { follows } from "../../../../src/modules/core/follows/records.ts";
import { type Json, type Person, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user();
const bob = await world.user();

const act = (name: "follow" | "unfollow", who: Person, id: number) =>
  world.call("POST", `/users/${id}/${name}`, { token: who.token });
const usernames = async (path: string, token = ann.token): Promise<string[]> =>
  (await world.call("GET", path, { token })).body.map(({ username }: Json) => username);
const figures = ({ followers, following, is_followed }: Json) => [followers, following, is_followed];

test("following and unfollowing change both lists and the counts", async () => {
  const [eve, ida] = [await world.user(), await world.user()];
  const followed = await act("follow", eve, ida.id);
  expect([followed.status, followed.body.username, Object.keys(followed.body).length]).toEqual([201, ida.username, 7]);
  expect(await usernames(`/users/${ida.id}/followers`)).toEqual([eve.username]);
  expect(await usernames(`/users/${eve.id}/following`)).toEqual([ida.username]);
  expect(await usernames(`/users/${ida.id}/following`)).toEqual([]);
  const seenBy = async (id: number, token: string) =>
    figures((await world.call("GET", `/users/${id}`, { token })).body);
  expect(await seenBy(ida.id, eve.token)).toEqual([1, 0, true]);
  expect(await seenBy(ida.id, ann.token)).toEqual([1, 0, false]);
  expect(await seenBy(eve.id, rootToken)).toEqual([0, 1, false]);
  const unfollowed = await act("unfollow", eve, ida.id);
  expect([unfollowed.status, unfollowed.body.username]).toEqual([201, ida.username]);
  expect(await seenBy(ida.id, eve.token)).toEqual([0, 0, false]);
});

test("an administrator's list is never outdated, nor another administrator's", async () => {
  const [boss, chief] = [await world.user({ admin: true }), await world.user({ admin: true })];
  const { id } = await world.user();
  const seenBy = async ({ token }: Person) => {
    const { body } = await world.call("GET", "/users", { token, query: { per_page: 100 } });
    return figures(body.find((user: Json) => user.id === id));
  };
  expect(await seenBy(boss)).toEqual([0, 0, false]);
  await act("follow", boss, id);
  expect(await seenBy(boss)).toEqual([1, 0, true]);
  expect(await seenBy(chief)).toEqual([1, 0, false]);
  await act("unfollow", boss, id);
  expect(await seenBy(boss)).toEqual([0, 0, false]);
});

test("a follow that exists already is 304, without a body", async () => {
  expect((await act("unfollow", ann, bob.id)).status).toBe(304);
  await act("follow", ann, bob.id);
  const again = await act("follow", ann, bob.id);
  expect([again.status, again.text]).toEqual([304, ""]);
  expect((await act("follow", ann, ann.id)).status).toBe(304);
});

test("lists have offset pages, the longest first", async () => {
  const star = await world.user();
  const fans = [await world.user(), await world.user(), await world.user()];
  for (const fan of fans.toReversed()) await act("follow", fan, star.id);
  const { body, headers } = await world.get(`/users/${star.id}/followers`, { query: { per_page: 2 } });
  expect(body.map(({ id }: Json) => id)).toEqual([fans[2]?.id, fans[1]?.id]);
  expect([headers.get("x-total"), headers.get("x-next-page")]).toEqual(["3", "2"]);
});

test("a user follows at most 300 users", async () => {
  const eager = await world.user();
  world.store.transact((tx) => {
    for (let count = 1; count <= 300; count += 1) {
      const id = tx.nextId("follows");
      tx.insert(follows, { id, follower_id: eager.id, followee_id: 100_000 + count, created_at: world.clock.time() });
    }
  });
  const { status, body } = await act("follow", eager, bob.id);
  expect(status).toBe(400);
  expect(body.message).toBe("You can't follow more than 300 users. To follow more users, unfollow some others.");
});

describe("the API refuses", () => {
  const paths = ["followers", "following", "follow", "unfollow"] as const;
  const methodOf = (name: string) => (name.startsWith("follow") && name !== "follow" ? "GET" : "POST");
  const call = (name: string, id: number, token?: string) =>
    world.call(methodOf(name), `/users/${id}/${name}`, { token });

  test("anonymous callers with 401, an unknown user with 404", async () => {
    for (const name of paths) {
      expect((await call(name, ann.id)).status).toBe(401);
      const { status, body } = await call(name, 9999, ann.token);
      expect({ name, status, body }).toEqual({ name, status: 404, body: { message: "404 User Not Found" } });
    }
  });

  test("the lists of a private profile and of a blocked user with 404 for all but its owner and administrators", async () => {
    const shy = await world.user({ private_profile: true });
    const blocked = await world.user();
    expect((await world.call("POST", `/users/${blocked.id}/block`, { token: rootToken })).status).toBe(201);
    for (const { id } of [shy, blocked]) {
      for (const name of ["followers", "following"]) {
        expect((await call(name, id, ann.token)).status).toBe(404);
        expect((await call(name, id, rootToken)).status).toBe(200);
      }
      const { body } = await world.call("GET", `/users/${id}`, { token: ann.token });
      for (const hidden of ["created_at", "followers", "following", "is_followed"]) {
        expect(body).not.toHaveProperty(hidden);
      }
    }
    expect((await call("followers", shy.id, shy.token)).status).toBe(200);
    expect((await call("follow", shy.id, ann.token)).status).toBe(201);
    expect((await call("unfollow", shy.id, ann.token)).status).toBe(201);
  });
});
