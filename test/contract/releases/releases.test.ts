import { expect, test } from "bun:test";
import { startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "../groups-and-projects/setting.ts";
import { makeReleases } from "./setting.ts";

const world = await startWorld();
const releases = await makeReleases(world);
const { send, project, at, one, sha } = releases;
const [dev, reporter, guest, stranger] = [
  await world.user({ name: "Ines" }),
  await world.user(),
  await world.user(),
  await world.user(),
];
addMember(world, project, dev, "developer", "project");
addMember(world, project, reporter, "reporter", "project");
addMember(world, project, guest, "guest", "project");
const base = `${world.origin}/${project.path_with_namespace}`;

test("a release of a new tag is made with its links, and shown with all its parts", async () => {
  const links = [
    { name: "windows", url: "https://files.example.com/w.exe" },
    { name: "linux", url: `${base}/-/package_files/9/download`, direct_asset_path: "/bin/linux", link_type: "package" },
  ];
  const json = { name: "One", tag_name: "v1.0", description: "First :tada:", ref: "main", assets: { links } };
  const { status, body } = await send("POST", at, dev.token, json);
  expect(status).toBe(201);
  const { commit, author, assets, _links, evidences, ...plain } = body;
  const now = world.clock.time();
  expect(plain).toEqual({
    ...{ name: "One", tag_name: "v1.0", description: "First :tada:" },
    ...{ created_at: now, released_at: now, upcoming_release: false },
    ...{ commit_path: `/${project.path_with_namespace}/-/commit/${sha}` },
    ...{ tag_path: `/${project.path_with_namespace}/-/tags/v1.0` },
  });
  expect([commit.id, author.username]).toEqual([sha, dev.username]);
  expect(assets).toEqual({
    count: 6,
    sources: ["zip", "tar.gz", "tar.bz2", "tar"].map((format) => ({
      format,
      url: `${base}/-/archive/v1.0/${project.path}-v1.0.${format}`,
    })),
    links: [
      {
        ...{ id: expect.any(Number), name: "linux", url: links[1]?.url, link_type: "package", external: false },
        direct_asset_url: `${base}/-/releases/v1.0/downloads/bin/linux`,
      },
      {
        ...{ id: expect.any(Number), name: "windows", url: links[0]?.url, link_type: "other", external: true },
        direct_asset_url: links[0]?.url,
      },
    ],
  });
  expect(evidences).toHaveLength(1);
  const page = (part: string, state: string) => `${base}/-/${part}?release_tag=v1.0&scope=all&state=${state}`;
  expect(_links).toEqual({
    ...{ self: `${base}/-/releases/v1.0`, edit_url: `${base}/-/releases/v1.0/edit` },
    ...{ opened_issues_url: page("issues", "opened"), closed_issues_url: page("issues", "closed") },
    opened_merge_requests_url: page("merge_requests", "opened"),
    merged_merge_requests_url: page("merge_requests", "merged"),
    closed_merge_requests_url: page("merge_requests", "closed"),
  });
  expect((await send("GET", one("v1.0"))).body).toEqual(body);
  expect((await send("GET", at)).body).toEqual([body]);
  const html = await world.get(one("v1.0"), { query: { include_html_description: true } });
  expect(html.body.description_html).toBe('<p dir="auto">First 🎉</p>');
  const tag = await send("GET", `/projects/${project.id}/repository/tags/v1.0`);
  expect(tag.body.release).toEqual({ tag_name: "v1.0", description: "First :tada:" });
  expect((await send("GET", `/projects/${project.id}/repository/tags`)).body[0].release).toEqual(tag.body.release);
});

test("the tag that is there is used, and its name may have slashes", async () => {
  const tags = `/projects/${project.id}/repository/tags`;
  await send("POST", tags, dev.token, { tag_name: "rel/2", ref: "main", message: "Two" });
  const made = await send("POST", at, dev.token, { tag_name: "rel/2", ref: "nothing", tag_message: "Other" });
  expect([made.status, made.body.name, made.body.description, made.body.commit.id]).toEqual([201, "rel/2", null, sha]);
  expect(made.body.assets.sources[0].url).toBe(`${base}/-/archive/rel/2/${project.path}-rel-2.zip`);
  expect(made.body._links.self).toBe(`${base}/-/releases/rel%2F2`);
  expect((await send("GET", one("rel/2"))).body.tag_name).toBe("rel/2");
  expect((await send("GET", `${tags}/rel%2F2`)).body.message).toBe("Two");
  expect((await send("DELETE", one("rel/2"), dev.token)).status).toBe(200);
  expect((await send("GET", `${tags}/rel%2F2`)).body.release).toBe(null);
});

test("an annotated tag is made from a message", async () => {
  await send("POST", at, dev.token, { tag_name: "v1.1", ref: sha, tag_message: "Signed off" });
  const { body } = await send("GET", `/projects/${project.id}/repository/tags/v1.1`);
  expect([body.message, body.commit.id]).toEqual(["Signed off", sha]);
});

test.each([
  [{ tag_name: "v1.0" }, 409, "Release already exists"],
  [{ tag_name: "v1.0", milestones: ["v9"] }, 409, "Release already exists"],
  [{ tag_name: "v9", milestones: ["v9", "v10"] }, 400, "Milestone(s) not found: v9, v10"],
  [{ tag_name: "v9", milestone_ids: [999] }, 400, "Milestone id(s) not found: 999"],
  [{ tag_name: "v9" }, 422, "Ref is not specified"],
  [{ tag_name: "v9", ref: "nothing" }, 400, "Target nothing is invalid"],
  [{ tag_name: "HEAD", ref: "main" }, 400, "Tag name invalid"],
  [{ tag_name: "", ref: "main" }, 400, "Tag name invalid"],
  [{ tag_name: "v9", ref: "main", name: "x".repeat(256) }, 400, /Name is too long/],
  [
    { tag_name: "v9", ref: "main", assets: { links: [{ name: "a", url: "javascript:1" }] } },
    400,
    "Validation failed: Links url is blocked: Only allowed schemes are http, https, ftp",
  ],
  [
    {
      ...{ tag_name: "v9", ref: "main" },
      assets: { links: [1, 2].map((each) => ({ name: "a", url: `https://a.example/${each}` })) },
    },
    400,
    "Validation failed: Links name has already been taken",
  ],
] as const)("%j is refused with %d, and leaves no tag behind", async (json, status, message) => {
  const answer = await send("POST", at, dev.token, json);
  expect(answer.status).toBe(status);
  if (typeof message === "string") expect(answer.body).toEqual({ message });
  else expect(answer.body.message).toMatch(message);
  expect((await send("GET", `/projects/${project.id}/repository/tags/v9`)).status).toBe(404);
});

test.each([
  [{}, "tag_name is missing"],
  [{ tag_name: "v9", assets: { links: [{ url: "https://a.example" }] } }, "assets[links][0][name] is missing"],
  [{ tag_name: "v9", assets: { links: [{ name: "a", url: "b", link_type: "x" }] } }, /link_type\] does not have/],
  [{ tag_name: "v9", milestones: ["a"], milestone_ids: [1] }, /milestones, milestone_ids/],
])("%j is refused by its parameters", async (json, error) => {
  const answer = await send("POST", at, dev.token, json);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toMatch(error);
});

test("null counts as not given, and forms name links in the manner of Ruby", async () => {
  const json = { tag_name: "v1.2", ref: "main", milestones: null, name: null, released_at: null, assets: null };
  expect((await send("POST", at, dev.token, json)).status).toBe(201);
  const form = {
    ...{ tag_name: "v1.3", ref: "main", "assets[links][][name]": "a", "assets[links][][url]": "https://a.example/" },
  };
  const { status, body } = await world.call("POST", at, { token: dev.token, form });
  expect([status, body.assets.links.map(({ name, url }: { name: string; url: string }) => [name, url])]).toEqual([
    201,
    [["a", "https://a.example/"]],
  ]);
});

test("a release may lie ahead or back, and lists are ordered by either time", async () => {
  const other = await makeReleases(world);
  const make = (tag_name: string, released_at?: string) =>
    other.send("POST", other.at, undefined, { tag_name, ref: "main", ...(released_at && { released_at }) });
  expect((await make("ahead", "2099-01-01T10:00:00+09:00")).body).toMatchObject({
    released_at: "2099-01-01T01:00:00.000Z",
    upcoming_release: true,
  });
  world.clock.advance(1_000);
  await make("now");
  world.clock.advance(1_000);
  expect((await make("back", "2019-03-25 10:00:00")).body.released_at).toBe("2019-03-25T10:00:00.000Z");
  const tagsOf = async (query: Record<string, string>) =>
    (await world.get(other.at, { query })).body.map((each: { tag_name: string }) => each.tag_name);
  expect(await tagsOf({})).toEqual(["ahead", "now", "back"]);
  expect(await tagsOf({ sort: "asc" })).toEqual(["back", "now", "ahead"]);
  expect(await tagsOf({ order_by: "created_at" })).toEqual(["back", "now", "ahead"]);
  expect(await tagsOf({ order_by: "created_at", sort: "asc", per_page: "1", page: "2" })).toEqual(["now"]);
  expect(await tagsOf({ updated_after: world.clock.time() })).toEqual(["back"]);
  expect((await world.get(other.at, { query: { order_by: "name" } })).body.error).toBe(
    "order_by does not have a valid value",
  );
});

test("an update changes what it names", async () => {
  const other = await makeReleases(world);
  await other.send("POST", other.at, undefined, { tag_name: "v1", ref: "main", name: "A", description: "B" });
  const update = (json: object) => other.send("PUT", other.one("v1"), undefined, json);
  const moved = await update({ released_at: "2015-10-10T05:00:00Z" });
  expect([moved.status, moved.body]).toMatchObject([
    200,
    { name: "A", description: "B", released_at: "2015-10-10T05:00:00.000Z", upcoming_release: false },
  ]);
  expect((await update({ name: "", description: "C" })).body).toMatchObject({ name: "v1", description: "C" });
  for (const json of [{}, { sha: "x" }]) {
    const refused = await update(json);
    expect([refused.status, refused.body]).toEqual([400, { message: "params is empty" }]);
  }
  expect((await update({ milestones: ["x"] })).body).toEqual({ message: "Milestone(s) not found: x" });
  expect((await other.send("PUT", other.one("v2"), undefined, { name: "A" })).status).toBe(403);
  expect((await other.send("DELETE", other.one("v2"))).status).toBe(403);
  expect((await other.send("GET", other.one("v2"))).body).toEqual({ message: "404 Not Found" });
  const deleted = await other.send("DELETE", other.one("v1"));
  expect([deleted.status, deleted.body.description]).toEqual([200, "C"]);
  expect((await other.send("GET", other.one("v1"))).status).toBe(404);
});

test("guests of a private project see the list only, without what tells of the code", async () => {
  const [first] = (await send("GET", at, guest.token)).body;
  expect(Object.keys(first)).not.toContain("commit");
  expect(first).not.toHaveProperty("commit_path");
  expect(first).not.toHaveProperty("tag_path");
  expect(first).not.toHaveProperty("evidences");
  expect(first.assets).toEqual({ count: first.assets.links.length, links: first.assets.links });
  expect(first._links).not.toHaveProperty("edit_url");
  for (const path of [one("v1.0"), `${at}/permalink/latest`, `${one("v1.0")}/downloads/bin/linux`]) {
    const { status, body } = await send("GET", path, guest.token);
    expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
  }
  expect((await send("GET", at, stranger.token)).body).toEqual({ message: "404 Project Not Found" });
  expect((await send("POST", at, reporter.token, { tag_name: "v1.0" })).status).toBe(403);
  expect((await send("PUT", one("v1.0"), reporter.token, { name: "x" })).status).toBe(403);
  expect((await send("DELETE", one("v1.0"), reporter.token)).status).toBe(403);
});

test("releases are for members, or for nobody, as the project says", async () => {
  const other = await makeReleases(world, { visibility: "public" });
  await other.send("POST", other.at, undefined, { tag_name: "v1", ref: "main" });
  expect((await world.call("GET", other.at)).status).toBe(200);
  expect((await world.call("GET", other.one("v1"))).status).toBe(200);
  expect((await world.call("POST", other.at, { json: { tag_name: "v2" } })).status).toBe(401);
  const set = (json: object) => other.send("PUT", `/projects/${other.project.id}`, undefined, json);
  await set({ releases_access_level: "private" });
  expect((await send("GET", other.at, stranger.token)).status).toBe(403);
  expect((await send("GET", other.one("v1"))).status).toBe(200);
  await set({ releases_access_level: "disabled" });
  expect((await send("GET", other.at)).status).toBe(403);
  expect((await send("POST", other.at, undefined, { tag_name: "v2", ref: "main" })).status).toBe(403);
  await set({ releases_access_level: "enabled" });
  await send("POST", `/projects/${other.project.id}/archive`);
  expect((await send("GET", other.at)).status).toBe(200);
  expect((await send("PUT", other.one("v1"), undefined, { name: "x" })).status).toBe(403);
});

test("who may not make a protected tag makes, changes and deletes no release of it", async () => {
  await send("POST", at, undefined, { tag_name: "safe-1", ref: "main" });
  await send("POST", `/projects/${project.id}/protected_tags`, undefined, { name: "safe*" });
  const refused = await send("POST", at, dev.token, { tag_name: "safe-2", ref: "main" });
  expect([refused.status, refused.body]).toEqual([
    403,
    { message: "You are not allowed to create this tag as it is protected." },
  ]);
  expect((await send("PUT", one("safe-1"), dev.token, { name: "x" })).status).toBe(403);
  expect((await send("DELETE", one("safe-1"), dev.token)).status).toBe(403);
  expect((await send("GET", one("safe-1"), dev.token)).body._links).not.toHaveProperty("edit_url");
});

test("addresses lead to the latest release and to assets", async () => {
  const other = await makeReleases(world, { visibility: "public" });
  const id = other.project.id;
  expect((await world.call("GET", `${other.at}/permalink/latest`)).status).toBe(404);
  const links = [{ name: "a", url: "https://files.example.com/ä?x=1", direct_asset_path: "/bin/linux" }];
  await other.send("POST", other.at, undefined, { tag_name: "v/1", ref: "main", assets: { links } });
  await other.send("POST", other.at, undefined, { tag_name: "v0", ref: "main", released_at: "2001-01-01T00:00:00Z" });
  const placeOf = async (path: string) => {
    const { status, headers } = await world.call("GET", path);
    return [status, headers.get("location")];
  };
  const latest = `${world.origin}/api/v4/projects/${id}/releases/v%2F1`;
  const named = `/projects/${encodeURIComponent(other.project.path_with_namespace)}/releases/permalink/latest`;
  expect(await placeOf(named)).toEqual([302, latest]);
  expect(await placeOf(`${named}?order_by=released_at&include_html_description=true`)).toEqual([
    302,
    `${latest}?include_html_description=true`,
  ]);
  expect(await placeOf(`${named}/downloads/bin/linux`)).toEqual([302, `${latest}/downloads/bin/linux`]);
  const asset = "https://files.example.com/%C3%A4?x=1";
  expect(await placeOf(`${other.one("v/1")}/downloads/bin/linux`)).toEqual([302, asset]);
  expect(await placeOf(`${other.one("v/1")}/downloads/bin%2Flinux`)).toEqual([302, asset]);
  expect((await world.call("GET", `${other.one("v/1")}/downloads/bin/other`)).status).toBe(404);
});
