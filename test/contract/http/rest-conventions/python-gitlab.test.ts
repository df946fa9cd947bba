import { describe, expect, test } from "bun:test";
import { picture } from "../../../support/browser/pictures.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

// The requests of python-gitlab 3.12, byte for byte (rest-conventions 11).

const world = await startWorld();
const { group: makeGroup, project: makeProject, member } = placesOf(world);
const grp = makeGroup({ path: "grp", visibility: "public" });
const sub = makeGroup({ path: "sub.x", visibility: "public", parent_id: grp.id });
const proj = makeProject(sub.id, { path: "proj", visibility: "public" });
const guest = makeGroup({ path: "guests", visibility: "public" });
const [ann, ben] = [await world.user({ username: "ann" }), await world.user({ username: "ben" })];
for (const { id } of [ann, ben]) member(grp, id, 30);
const path = "/projects/grp%2Fsub.x%2Fproj";

/** Its type stands on every request, with a body or without one. */
async function send(method: string, target: string, body?: string) {
  const answer = await world.wire({
    method,
    target: `/api/v4${target}`,
    headers: {
      "PRIVATE-TOKEN": rootToken,
      "Content-type": "application/json",
      "User-Agent": "python-gitlab/3.12.0",
      "Accept-Encoding": "identity",
      ...(method === "GET" || body !== undefined ? {} : { "Content-Length": "0" }),
    },
    ...(body === undefined ? {} : { body }),
  });
  if (answer.body !== "") expect(answer.headers.get("content-type")).toBe("application/json");
  const json: Json = answer.body === "" ? undefined : JSON.parse(answer.body);
  return { status: answer.status, json, headers: answer.headers };
}

test("the current user and the version are read", async () => {
  expect((await send("GET", "/user")).json.username).toBe("root");
  expect(Object.keys((await send("GET", "/version")).json)).toEqual(expect.arrayContaining(["version", "revision"]));
});

test("features are set, listed and deleted with a doubled and a trailing slash", async () => {
  const set = await send("POST", "/features//recorded", '{"value": true, "user": "root"}');
  expect([set.status, set.json.state]).toEqual([201, "conditional"]);
  const share = await send("POST", "/features//recorded?key=percentage_of_actors", '{"value": 30}');
  expect(share.json.gates).toContainEqual({ key: "percentage_of_actors", value: 30 });
  expect((await send("GET", "/features/")).json.map(({ name }: Json) => name)).toEqual(["recorded"]);
  const gone = await send("DELETE", "/features//recorded");
  expect([gone.status, gone.json]).toEqual([204, undefined]);
  expect((await send("GET", "/features/")).json).toEqual([]);
});

test("a project and a label are named by quoted paths", async () => {
  expect((await send("GET", path)).json.id).toBe(proj.id);
  expect((await send("POST", `${path}/labels`, '{"name": "a/b", "color": "#112233"}')).status).toBe(201);
  expect((await send("GET", `${path}/labels/a%2Fb`)).json.name).toBe("a/b");
  const changed = await send("PUT", `${path}/labels/a%2Fb`, '{"color": "#445566"}');
  expect([changed.status, changed.json.color]).toEqual([200, "#445566"]);
  expect((await send("DELETE", `${path}/labels/a%2Fb`)).status).toBe(204);
});

describe("queries", () => {
  test("have Python's booleans", async () => {
    world.alter(ben.id, { state: "blocked" });
    const names = (await send("GET", "/users?active=True")).json.map(({ username }: Json) => username);
    expect(names).toContain("ann");
    expect(names).not.toContain("ben");
    world.alter(ben.id, { state: "active" });
    await send("POST", `${path}/issues`, '{"title": "secret", "confidential": true}');
    await send("POST", `${path}/issues`, '{"title": "open", "labels": "x,y"}');
    const titles = async (query: string) =>
      (await send("GET", `${path}/issues?${query}`)).json.map(({ title }: Json) => title);
    expect(await titles("confidential=True")).toEqual(["secret"]);
    expect(await titles("confidential=False")).toEqual(["open"]);
    expect((await titles("iids%5B%5D=1&iids%5B%5D=2")).sort()).toEqual(["open", "secret"]);
    expect(await titles("iids[]=1")).toEqual(["secret"]);
    expect(await titles("labels=x%2Cy")).toEqual(["open"]);
  });

  test("repeat a key without brackets, and the last value counts", async () => {
    const { json } = await send("GET", `/groups/grp/members/all?user_ids=${ann.id}&user_ids=${ben.id}`);
    expect(json.map(({ id }: Json) => id)).toEqual([ben.id]);
  });

  test("have brackets for a hash", async () => {
    await send("PUT", `/users/${ann.id}/custom_attributes/k`, '{"value": "v"}');
    for (const query of ["custom_attributes[k]=v", "custom_attributes%5Bk%5D=v"]) {
      expect((await send("GET", `/users?${query}`)).json.map(({ id }: Json) => id)).toEqual([ann.id]);
    }
  });

  test("with an id do not override that of the path", async () => {
    for (const source of [path, "/groups/grp"]) {
      const target = `${source}/notification_settings?id=%3Cbuilt-in+function+id%3E`;
      const { status, json } = await send("GET", target);
      expect([status, json.level]).toEqual([200, "global"]);
    }
  });
});

test("a POST without parameters has an empty object, and a PUT answers JSON", async () => {
  const { status } = await send("POST", `${path}/star`, "{}");
  expect(status).toBe(201);
  expect((await send("POST", `/users/${ben.id}/block`, "{}")).status).toBe(201);
  expect((await send("POST", `/users/${ben.id}/unblock`, "{}")).status).toBe(201);
  const member = await send("PUT", `/groups/grp/members/${ann.id}`, '{"access_level": 40}');
  expect([member.status, member.json.access_level]).toEqual([200, 40]);
});

test("a share has no expiry", async () => {
  const body = `{"group_id": ${guest.id}, "group_access": 30, "expires_at": null}`;
  const { status, json } = await send("POST", `${path}/share`, body);
  expect([status, json.group_id, json.expires_at]).toEqual([201, guest.id, null]);
  expect((await send("DELETE", `${path}/share/${guest.id}`)).status).toBe(204);
});

test("an avatar comes in several parts, with booleans as 1 and 0", async () => {
  const boundary = "0123456789abcdef0123456789abcdef";
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(part("external", "1") + part("can_create_group", "0") + head),
    picture("png"),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const answer = await world.wire({
    method: "PUT",
    target: `/api/v4/users/${ben.id}`,
    headers: { "PRIVATE-TOKEN": rootToken, "Content-type": `multipart/form-data; boundary=${boundary}` },
    body,
  });
  expect(answer.status).toBe(200);
  const { external, can_create_group, avatar_url } = JSON.parse(answer.body);
  expect([external, can_create_group]).toEqual([true, false]);
  expect(avatar_url).toEndWith("/a.png");
});

test("Link leads through the pages, with their number", async () => {
  const seen: number[] = [];
  let next: string | undefined = `/users?per_page=1`;
  while (next !== undefined) {
    const { json, headers } = await send("GET", next);
    expect([headers.get("x-per-page"), headers.get("x-total")]).toEqual(["1", "3"]);
    seen.push(...json.map(({ id }: Json) => id));
    const url: string | undefined = headers.get("link")?.match(/<([^>]+)>; rel="next"/)?.[1];
    if (url !== undefined) expect(url).toStartWith(`${world.origin}/api/v4/`);
    next = url?.slice(`${world.origin}/api/v4`.length);
  }
  expect(new Set(seen).size).toBe(3);
});

test("errors are JSON with message or error", async () => {
  expect((await send("GET", "/projects/nothing%2Fhere")).json).toEqual({ message: "404 Project Not Found" });
  expect((await send("POST", `${path}/issues`, "{}")).json).toMatchObject({ error: "title is missing" });
});

test("hard_delete=True deletes a user with all data", async () => {
  expect((await send("DELETE", `/users/${ben.id}?hard_delete=True`)).status).toBe(204);
  await world.jobsDone();
  expect((await send("GET", `/users/${ben.id}`)).status).toBe(404);
});
