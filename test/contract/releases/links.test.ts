import { expect, test } from "bun:test";
import { startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "../groups-and-projects/setting.ts";
import { makeReleases } from "./setting.ts";

const world = await startWorld();
const { send, project, at, one } = await makeReleases(world);
const [dev, reporter, guest] = [await world.user(), await world.user(), await world.user()];
addMember(world, project, dev, "developer", "project");
addMember(world, project, reporter, "reporter", "project");
addMember(world, project, guest, "guest", "project");
await send("POST", at, undefined, { tag_name: "v/1", ref: "main" });
const links = `${one("v/1")}/assets/links`;
const page = `${world.origin}/${project.path_with_namespace}/-/releases/v%2F1`;

test("developers make, change and remove links, which whoever sees releases reads", async () => {
  const json = { name: "app", url: "https://a.example/app", direct_asset_path: "/bin/app.dmg", link_type: "image" };
  const made = await send("POST", links, dev.token, json);
  expect([made.status, made.body]).toEqual([
    201,
    {
      ...{ id: expect.any(Number), name: "app", url: "https://a.example/app", link_type: "image", external: true },
      direct_asset_url: `${page}/downloads/bin/app.dmg`,
    },
  ]);
  const second = await send("POST", links, dev.token, { name: "b", url: "ftp://a.example/b", filepath: "/b" });
  expect((await send("GET", links, guest.token)).body).toEqual([second.body, made.body]);
  const address = `${links}/${made.body.id}`;
  expect((await send("GET", address, guest.token)).body).toEqual(made.body);
  const renamed = await send("PUT", address, dev.token, { name: "tool" });
  expect([renamed.status, renamed.body]).toEqual([200, { ...made.body, name: "tool" }]);
  const moved = await send("PUT", address, dev.token, { name: "tool", direct_asset_path: "/tool", link_type: "other" });
  expect(moved.body).toMatchObject({ direct_asset_url: `${page}/downloads/tool`, link_type: "other" });
  expect((await send("GET", one("v/1"))).body.assets.links).toEqual([second.body, moved.body]);
  const removed = await send("DELETE", address, dev.token);
  expect([removed.status, removed.body]).toEqual([200, moved.body]);
  expect((await send("GET", links)).body).toEqual([second.body]);
  for (const [method, path, body] of [
    ["GET", address, undefined],
    ["PUT", address, { name: "x" }],
    ["DELETE", address, undefined],
    ["GET", `${one("v2")}/assets/links`, undefined],
    ["POST", `${one("v2")}/assets/links`, { name: "x", url: "https://a.example" }],
  ] as const) {
    const answer = await send(method, path, dev.token, body);
    expect([answer.status, answer.body]).toEqual([404, { message: "404 Not found" }]);
  }
});

const blocked = { url: ["is blocked: Only allowed schemes are http, https, ftp"] };
const badPath = { filepath: ["is in an invalid format"] };
const url = "https://a.example/new";
test.each([
  [{ url }, { error: "name is missing" }],
  [{ name: "x" }, { error: "url is missing" }],
  [{ name: "x", url, link_type: "y" }, { error: "link_type does not have a valid value" }],
  [{ name: "", url }, { message: { name: ["can't be blank"] } }],
  [{ name: "taken", url }, { message: { name: ["has already been taken"] } }],
  [{ name: "x", url: "https://a.example/taken" }, { message: { url: ["has already been taken"] } }],
  [{ name: "x", url: "javascript:alert(1)" }, { message: blocked }],
  [{ name: "x", url: "a.example" }, { message: blocked }],
  [{ name: "x", url: "https://a.example/\r\nSet-Cookie: a=b" }, { message: { url: ["is blocked: URI is invalid"] } }],
  [{ name: "x", url: "https://" }, { message: { url: ["is blocked: URI is invalid"] } }],
  [{ name: "x", url, filepath: "bin" }, { message: badPath }],
  [{ name: "x", url, filepath: "/bin/" }, { message: badPath }],
  [{ name: "x", url, filepath: "/a//b" }, { message: badPath }],
  [{ name: "x", url, filepath: "/a b" }, { message: badPath }],
  [{ name: "x", url, filepath: "/taken" }, { message: { filepath: ["has already been taken"] } }],
  [
    { name: "x", url, filepath: `/${"a".repeat(128)}` },
    { message: { filepath: ["is too long (maximum is 128 characters)"] } },
  ],
])("%j is refused", async (json, body) => {
  await send("POST", links, undefined, { name: "taken", url: "https://a.example/taken", filepath: "/taken" });
  const answer = await send("POST", links, dev.token, json);
  expect([answer.status, answer.body]).toMatchObject([400, body]);
});

test("a change of a link names its name or address", async () => {
  const { body } = await send("POST", links, dev.token, { name: "alone", url: "https://a.example/alone" });
  for (const json of [{}, { link_type: "image" }]) {
    const answer = await send("PUT", `${links}/${body.id}`, dev.token, json);
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error: "name, url are missing, at least one parameter must be provided" },
    ]);
  }
});

test("reporters, and developers who may not make a protected tag, change no link", async () => {
  const { body } = await send("POST", links, dev.token, { name: "kept", url: "https://a.example/kept" });
  await send("POST", `/projects/${project.id}/protected_tags`, undefined, { name: "v/*" });
  for (const { token } of [reporter, dev]) {
    expect((await send("POST", links, token, { name: "x", url })).status).toBe(403);
    expect((await send("PUT", `${links}/${body.id}`, token, { name: "x" })).status).toBe(403);
    expect((await send("DELETE", `${links}/${body.id}`, token)).status).toBe(403);
  }
  expect((await send("GET", `${links}/${body.id}`)).body.name).toBe("kept");
});

test("a release has at most 250 links", async () => {
  const many = Array.from({ length: 250 }, (_, at) => ({ name: `${at}`, url: `https://a.example/${at}` }));
  const more = { name: "more", url: "https://a.example/more" };
  const refused = await send("POST", at, undefined, { tag_name: "w", ref: "main", assets: { links: [...many, more] } });
  expect(refused.body).toEqual({ message: "Validation failed: Links are too many (maximum is 250)" });
  const json = { tag_name: "w", ref: "main", assets: { links: many } };
  expect((await send("POST", at, undefined, json)).status).toBe(201);
  expect((await send("POST", `${one("w")}/assets/links`, undefined, more)).status).toBe(400);
  const last = await world.call("GET", `${one("w")}/assets/links`, {
    token: dev.token,
    query: { per_page: 100, page: 3 },
  });
  expect([last.body.length, last.body.at(-1).name, last.headers.get("x-total")]).toEqual([50, "0", "250"]);
});
