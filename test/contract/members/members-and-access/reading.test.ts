import { describe, expect, test } from "bun:test";
import {
  groupRef,
  projectRef,
  putGroup,
  putLink,
  putMember,
  putProject,
  putRequest,
} from "../../../support/fixtures/places.ts";
import { type Answer, type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const ids = ({ body }: Answer): number[] => body.map(({ id }: Json) => id);
const levels = ({ body }: Answer): Record<string, number> =>
  Object.fromEntries(body.map(({ id, access_level }: Json) => [id, access_level]));

const person = (username: string) =>
  world.user({ username, name: `${username} Quist`, email: `${username}@quist.example` });
const ann = await person("ann");
const ben = await person("ben");
const cleo = await person("cleo");
const dan = await person("dan");
const eve = await person("eve");
const stranger = await person("stranger");

const top = putGroup(world, { path: "top", name: "Top" });
const sub = putGroup(world, { path: "sub", parent_id: top.id });
const project = putProject(world, sub.id, { path: "proj" });
const guests = putGroup(world, { path: "guests" });
putMember(world, groupRef(top), ann.id, 50, { created_by_id: 1 });
putMember(world, groupRef(sub), ben.id, 30, { expires_at: world.clock.day(10) });
putMember(world, projectRef(project), cleo.id, 10);
putMember(world, groupRef(guests), dan.id, 40, { created_by_id: ann.id });
putMember(world, groupRef(top), ben.id, 20);
putLink(world, groupRef(top), guests.id, 30);

describe("direct members", () => {
  test("are listed oldest first, with every field of the page", async () => {
    const { body, headers } = await world.call("GET", `/groups/${top.id}/members`, { token: ann.token });
    expect(body.map(({ id }: Json) => id)).toEqual([ann.id, ben.id]);
    expect(headers.get("x-total")).toBe("2");
    expect(body[0]).toEqual({
      id: ann.id,
      username: "ann",
      name: "ann Quist",
      state: "active",
      locked: false,
      avatar_url: expect.any(String),
      web_url: `${world.origin}/ann`,
      access_level: 50,
      created_at: world.clock.time(),
      created_by: expect.objectContaining({ id: 1, username: "root", web_url: `${world.origin}/root`, locked: false }),
      expires_at: null,
      membership_state: "active",
    });
    expect(body[1]).not.toHaveProperty("created_by");
    expect(body[1]).not.toHaveProperty("email");
  });

  test("never hold inherited or invited ones", async () => {
    expect(ids(await world.get(`/groups/${sub.id}/members`))).toEqual([ben.id]);
    expect(ids(await world.get(`/projects/${encodeURIComponent("top/sub/proj")}/members`))).toEqual([cleo.id]);
    const one = await world.get(`/projects/${project.id}/members/${ann.id}`);
    expect([one.status, one.body]).toEqual([404, { message: "404 Not found" }]);
    expect((await world.get(`/projects/${project.id}/members/${cleo.id}`)).body.access_level).toBe(10);
  });

  test("can be searched by part of name or username", async () => {
    const find = async (query: string) => ids(await world.get(`/groups/${top.id}/members`, { query: { query } }));
    expect(await find("AN")).toEqual([ann.id]);
    expect(await find("n qui")).toEqual([ann.id, ben.id]);
    expect(await find("")).toEqual([ann.id, ben.id]);
    expect(await find("nobody")).toEqual([]);
  });

  test.each(["/members", "/members/all"])(
    "of …%s are found by a complete public address, and by administrators by any",
    async (path) => {
      const find = async (token: string, query: string) =>
        ids(await world.call("GET", `/groups/${top.id}${path}`, { token, query: { query } }));
      const [hidden, shown] = ["ben@QUIST.example", "ann@QUIST.example"];
      world.alter(ann.id, { public_email: ann.email });
      expect(await find(rootToken, hidden)).toEqual([ben.id]);
      expect(await find(ann.token, hidden)).toEqual([]);
      expect(await find(ben.token, hidden)).toEqual([]);
      expect(await find(ben.token, shown)).toEqual([ann.id]);
      expect(await find(ben.token, "@quist.example")).toEqual([]);
    },
  );

  test("can be limited to some users, or to all but some", async () => {
    const list = async (query: string) => ids(await world.get(`/groups/${top.id}/members`, { query }));
    expect(await list(`user_ids[]=${ben.id}&user_ids[]=987654`)).toEqual([ben.id]);
    expect(await list(`user_ids=${ben.id},${ann.id}`)).toEqual([ann.id, ben.id]);
    expect(await list(`user_ids=${ann.id}&user_ids=${ben.id}`)).toEqual([ben.id]);
    expect(await list(`skip_users=${ann.id}`)).toEqual([ben.id]);
    expect((await world.get(`/groups/${top.id}/members`, { query: "user_ids=abc" })).body.error).toBe(
      "user_ids is invalid",
    );
  });

  test("have pages", async () => {
    const { body, headers } = await world.get(`/groups/${top.id}/members`, { query: { per_page: 1, page: 2 } });
    expect(body.map(({ id }: Json) => id)).toEqual([ben.id]);
    expect([headers.get("x-total"), headers.get("x-next-page"), headers.get("x-prev-page")]).toEqual(["2", "", "1"]);
  });

  test("are requested by a number", async () => {
    const { status, body } = await world.get(`/groups/${top.id}/members/abc`);
    expect([status, body.error]).toEqual([400, "user_id is invalid"]);
    expect((await world.get(`/groups/${top.id}/members/${"9".repeat(30)}`)).status).toBe(404);
  });
});

describe("all members", () => {
  test("are one entry for each user, with the highest level and its membership", async () => {
    const answer = await world.call("GET", `/projects/${project.id}/members/all`, { token: ann.token });
    expect(levels(answer)).toEqual({ [ann.id]: 50, [ben.id]: 30, [cleo.id]: 10, [dan.id]: 30 });
    expect(ids(answer)).toEqual([ann.id, ben.id, cleo.id, dan.id]);
    const { expires_at } = answer.body.find(({ id }: Json) => id === ben.id);
    expect(expires_at).toBe(world.clock.day(10));
    expect((await world.get(`/projects/${project.id}/members/all/${ben.id}`)).body.access_level).toBe(30);
  });

  test("have the lower of their own level and that of the share", async () => {
    const source = groupRef(putGroup(world));
    putLink(world, source, guests.id, 10);
    putMember(world, source, stranger.id, 10);
    expect(levels(await world.get(`/groups/${source.id}/members/all`))[dan.id]).toBe(10);
  });

  test("of a group do not hold those of its subgroups", async () => {
    expect(ids(await world.get(`/groups/${top.id}/members/all`))).toEqual([ann.id, dan.id, ben.id]);
  });

  test("are filtered as direct ones are, but for skip_users", async () => {
    const list = async (query: string) => ids(await world.get(`/projects/${project.id}/members/all`, { query }));
    expect(await list(`user_ids=${dan.id},${cleo.id},${stranger.id}`)).toEqual([cleo.id, dan.id]);
    expect(await list(`skip_users=${dan.id}`)).toEqual([ann.id, ben.id, cleo.id, dan.id]);
    expect(await list("query=quist&per_page=2&page=2")).toEqual([cleo.id, dan.id]);
    expect(await list("query=DAN")).toEqual([dan.id]);
    expect(await list(`query=dan&user_ids=${ben.id}`)).toEqual([]);
  });

  test("can be limited to pending ones, or to others", async () => {
    const source = groupRef(putGroup(world));
    putMember(world, source, ann.id, 50);
    putMember(world, source, eve.id, 30, { state: "awaiting" });
    const list = async (query: string) =>
      (await world.get(`/groups/${source.id}/members/all`, { query })).body.map(
        ({ id, state, membership_state }: Json) => [id, state, membership_state],
      );
    expect(await list("")).toEqual([
      [ann.id, "active", "active"],
      [eve.id, "awaiting", "awaiting"],
    ]);
    expect(await list("state=awaiting")).toEqual([[eve.id, "awaiting", "awaiting"]]);
    expect(await list("state=active")).toEqual([[ann.id, "active", "active"]]);
    const wrong = await world.get(`/groups/${source.id}/members/all`, { query: "state=asleep" });
    expect([wrong.status, wrong.body.error]).toEqual([400, "state does not have a valid value"]);
    expect((await world.call("GET", `/groups/${source.id}`, { token: eve.token })).status).toBe(404);
  });

  test("follow every change at once", async () => {
    const source = groupRef(putGroup(world));
    const below = projectRef(putProject(world, source.id));
    const list = async () => levels(await world.get(`/projects/${below.id}/members/all`));
    expect(await list()).toEqual({});
    await world.call("POST", `/groups/${source.id}/members`, {
      token: rootToken,
      json: { user_id: ben.id, access_level: 20 },
    });
    expect(await list()).toEqual({ [ben.id]: 20 });
    await world.call("PUT", `/groups/${source.id}/members/${ben.id}`, { token: rootToken, json: { access_level: 40 } });
    expect(await list()).toEqual({ [ben.id]: 40 });
    await world.call("DELETE", `/groups/${source.id}/members/${ben.id}`, { token: rootToken });
    expect(await list()).toEqual({});
  });
});

describe("members through an invited group only", () => {
  const open = putGroup(world, { visibility: "public" });
  const hidden = putGroup(world, { visibility: "private" });
  const shown = putGroup(world, { visibility: "public" });
  putLink(world, groupRef(open), hidden.id, 30);
  putLink(world, groupRef(open), shown.id, 30);
  putMember(world, groupRef(hidden), dan.id, 40, { created_by_id: ann.id });
  putMember(world, groupRef(hidden), eve.id, 10);
  putMember(world, groupRef(shown), cleo.id, 10, { created_by_id: ann.id });
  putMember(world, groupRef(open), ben.id, 20);
  putMember(world, groupRef(open), ann.id, 50);
  const seenBy = (token: string) => world.call("GET", `/groups/${open.id}/members/all`, { token });

  test("are shown to strangers when the invited group is public, and only then", async () => {
    const answer = await seenBy(stranger.token);
    expect(ids(answer).toSorted()).toEqual([ann.id, ben.id, cleo.id].toSorted());
    expect(answer.headers.get("x-total")).toBe("3");
    const one = (id: number) => world.call("GET", `/groups/${open.id}/members/all/${id}`, { token: stranger.token });
    expect((await one(dan.id)).body).toEqual({ message: "404 Not found" });
    expect((await one(cleo.id)).body.created_by.id).toBe(ann.id);
  });

  test("are shown to administrators and to members of the invited group", async () => {
    for (const token of [rootToken, dan.token]) expect(ids(await seenBy(token))).toContain(eve.id);
  });

  test("are shown to members of the source, without their adder where the group is hidden from the caller", async () => {
    const dans = async (token: string) => (await seenBy(token)).body.find(({ id }: Json) => id === dan.id);
    expect(await dans(ben.token)).not.toHaveProperty("created_by");
    expect((await dans(ann.token)).created_by.id).toBe(ann.id);
    expect((await dans(rootToken)).created_by.id).toBe(ann.id);
  });
});

describe("reading members", () => {
  const each = async (source: string, token: string | undefined) =>
    Promise.all(
      ["/members", "/members/all", `/members/${ann.id}`, `/members/all/${ann.id}`].map(async (path) => {
        const { status } = await world.call("GET", `${source}${path}`, { token });
        return status;
      }),
    );

  test("is for guests and above, and not for anonymous callers", async () => {
    const open = putGroup(world, { visibility: "public" });
    putMember(world, groupRef(open), ann.id, 50);
    expect(await each(`/groups/${open.id}`, stranger.token)).toEqual([200, 200, 200, 200]);
    expect(await each(`/groups/${open.id}`, undefined)).toEqual([401, 401, 401, 401]);
    putMember(world, groupRef(top), eve.id, 10);
    expect(await each(`/groups/${top.id}`, eve.token)).toEqual([200, 200, 200, 200]);
  });

  test("of a private group is 404 for a stranger", async () => {
    expect(await each(`/groups/${top.id}`, stranger.token)).toEqual([404, 404, 404, 404]);
    const { body } = await world.call("GET", `/groups/${top.id}/members`, { token: stranger.token });
    expect(body).toEqual({ message: "404 Group Not Found" });
    const hidden = await world.call("GET", `/projects/${project.id}/members`, { token: stranger.token });
    expect(hidden.body).toEqual({ message: "404 Project Not Found" });
  });

  test("of a private group is refused to a member of something below, who sees the group", async () => {
    expect((await world.call("GET", `/groups/${top.id}`, { token: cleo.token })).status).toBe(200);
    expect(await each(`/groups/${top.id}`, cleo.token)).toEqual([403, 403, 403, 403]);
  });

  test("of an internal group is 404 for external users", async () => {
    const inside = putGroup(world, { visibility: "internal" });
    putMember(world, groupRef(inside), ann.id, 50);
    const external = await world.user({ external: true });
    expect(await each(`/groups/${inside.id}`, stranger.token)).toEqual([200, 200, 200, 200]);
    expect(await each(`/groups/${inside.id}`, external.token)).toEqual([404, 404, 404, 404]);
  });
});

describe("a list of members", () => {
  test("leaves out access requests and expired memberships", async () => {
    const source = groupRef(putGroup(world));
    putRequest(world, source, eve.id);
    putMember(world, source, ben.id, 30, { expires_at: world.clock.day() });
    for (const path of ["/members", "/members/all"])
      expect(ids(await world.get(`/groups/${source.id}${path}`))).toEqual([]);
    for (const id of [eve.id, ben.id])
      for (const path of ["/members", "/members/all"])
        expect((await world.get(`/groups/${source.id}${path}/${id}`)).body).toEqual({ message: "404 Not found" });
  });

  test("has minimal access in its own group, which gives no inherited membership", async () => {
    const source = groupRef(putGroup(world));
    const below = putGroup(world, { parent_id: source.id });
    putMember(world, source, eve.id, 5);
    expect(levels(await world.get(`/groups/${source.id}/members/all`))).toEqual({ [eve.id]: 5 });
    expect((await world.get(`/groups/${source.id}/members/${eve.id}`)).status).toBe(200);
    expect(ids(await world.get(`/groups/${below.id}/members/all`))).toEqual([]);
  });
});

test("of a private group seen only through a project in it, no answer tells who is a member or asks to be one", async () => {
  const hidden = putGroup(world, { path: "hidden", visibility: "private" });
  const below = putProject(world, hidden.id, { path: "below", visibility: "private" });
  putMember(world, groupRef(hidden), ben.id, 30);
  putMember(world, projectRef(below), cleo.id, 10);
  putRequest(world, groupRef(hidden), dan.id);
  const refusals = async ({ id }: { readonly id: number }) => {
    const calls = [
      ["POST", "members", { user_id: id, access_level: 10 }],
      ["PUT", `members/${id}`, { access_level: 10 }],
      ["DELETE", `members/${id}`, {}],
      ["PUT", `access_requests/${id}/approve`, {}],
      ["DELETE", `access_requests/${id}`, {}],
    ] as const;
    const made = calls.map(([method, path, json]) =>
      world.call(method, `/groups/${hidden.id}/${path}`, { token: cleo.token, json }),
    );
    return (await Promise.all(made)).map(({ status }) => status);
  };
  for (const one of [ben, dan, stranger]) expect(await refusals(one)).toEqual([403, 403, 403, 403, 403]);
});
