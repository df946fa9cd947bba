import { describe, expect, test } from "bun:test";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { filesOf, makeProject } from "./setting.ts";

const world = await startWorld();

async function project(attributes = {}) {
  const { id } = await makeProject(world, attributes);
  const get = (end: string, query: Readonly<Record<string, string | number | boolean>> = {}) =>
    world.get(`/projects/${id}/repository${end}`, { query });
  return { id: id as number, ask: get, ...filesOf(world, id, rootToken) };
}

const pathsOf = (body: Json) => body.map(({ path }: { path: string }) => path);

describe("the tree", () => {
  const fill = async () => {
    const made = await project();
    for (const path of ["z.txt", "a.txt", "dir/b.txt", "dir/sub/c.txt", "other/d.txt"]) await made.create(path);
    return made;
  };

  test("shows trees before blobs", async () => {
    const { ask } = await fill();
    const { body } = await ask("/tree");
    expect(pathsOf(body)).toEqual(["dir", "other", "a.txt", "z.txt"]);
    expect(body[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      name: "dir",
      type: "tree",
      path: "dir",
      mode: "040000",
    });
    expect(body[2]).toMatchObject({ name: "a.txt", type: "blob", mode: "100644" });
  });

  test("of a folder has its entries, or all below it", async () => {
    const { ask } = await fill();
    expect(pathsOf((await ask("/tree", { path: "dir" })).body)).toEqual(["dir/sub", "dir/b.txt"]);
    expect((await ask("/tree", { path: "dir/" })).body[1].name).toBe("b.txt");
    const all = ["dir", "dir/sub", "other", "a.txt", "dir/b.txt", "dir/sub/c.txt", "other/d.txt", "z.txt"];
    expect(pathsOf((await ask("/tree", { recursive: true })).body)).toEqual(all);
    const { body, headers } = await ask("/tree", { recursive: true, per_page: 3, page: 2 });
    expect(pathsOf(body)).toEqual(all.slice(3, 6));
    expect(headers.get("x-total")).toBe("8");
  });

  test("keeps git's order, in which a folder is compared with a slash behind it", async () => {
    const made = await project();
    for (const path of ["lib/a", "lib-more/a", "lib.txt", "lib/b/c"]) await made.create(path);
    const { body } = await made.ask("/tree", { recursive: true });
    expect(pathsOf(body)).toEqual(["lib-more", "lib", "lib/b", "lib-more/a", "lib.txt", "lib/a", "lib/b/c"]);
  });

  test("of another revision", async () => {
    const { ask, create } = await fill();
    await create("new.txt", { branch: "side", start_branch: "main" });
    expect(pathsOf((await ask("/tree", { ref: "side" })).body)).toContain("new.txt");
    expect(pathsOf((await ask("/tree")).body)).not.toContain("new.txt");
  });

  test("is 404 for an unknown revision or folder, and in an empty repository", async () => {
    const { ask } = await project();
    const missing = { message: "404 Tree Not Found" };
    const { status, body } = await ask("/tree");
    expect([status, body]).toEqual([404, missing]);
    const filled = await fill();
    expect((await filled.ask("/tree", { ref: "nowhere" })).body).toEqual(missing);
    for (const path of ["nowhere", "a.txt"]) {
      const { status, body } = await filled.ask("/tree", { path });
      expect([status, body]).toEqual([404, { message: "404 invalid revision or path Not Found" }]);
    }
  });

  const all = ["dir", "dir/sub", "other", "a.txt", "dir/b.txt", "dir/sub/c.txt", "other/d.txt", "z.txt"];
  const nextOf = (answer: { readonly headers: Headers }) => /<([^>]+)>/.exec(answer.headers.get("link") ?? "")?.[1];
  /** The paths on the pages behind a link. */
  async function pathsBehind(link: string | undefined): Promise<string[]> {
    if (link === undefined) return [];
    const { pathname, search, searchParams } = new URL(link);
    expect(searchParams.get("recursive")).toBe("true");
    const answer = await world.get(`${pathname}${search}`);
    return [...pathsOf(answer.body), ...(await pathsBehind(nextOf(answer)))];
  }

  test("continues by page_token, which is the id of the last entry", async () => {
    const { id, ask } = await fill();
    const first = await ask("/tree", { pagination: "keyset", per_page: 3, recursive: true });
    expect([first.headers.has("x-total"), pathsOf(first.body)]).toEqual([false, all.slice(0, 3)]);
    expect(new URL(nextOf(first) ?? "").searchParams.get("page_token")).toBe(first.body[2].id);
    expect(await pathsBehind(nextOf(first))).toEqual(all.slice(3));
    for (const token of ["x", "0".repeat(40)]) {
      const broken = await world.get(`/projects/${id}/repository/tree?pagination=keyset&page_token=${token}`);
      expect([broken.status, broken.body.error]).toEqual([400, "page_token is invalid"]);
    }
    const unordered = await world.get(`/projects/${id}/repository/tree?pagination=keyset`);
    expect([unordered.status, unordered.headers.has("link")]).toEqual([200, false]);
  });

  test("continues behind entries of one content in the tree of the first page", async () => {
    const { id, ask, create, remove } = await project();
    const paths = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"];
    for (const path of paths) await create(path, { content: "the same" });
    const first = await ask("/tree", { pagination: "keyset", per_page: 2, recursive: true });
    await create("a-new-one.txt");
    await remove("c.txt");
    expect([...pathsOf(first.body), ...(await pathsBehind(nextOf(first)))]).toEqual(paths);
    const token = new URL(nextOf(first) ?? "").searchParams.get("page_token") ?? "";
    const [orderBy, sort, , at] = JSON.parse(Buffer.from(token, "base64url").toString());
    for (const oid of [first.body[0].id, "0".repeat(40)]) {
      const forged = Buffer.from(JSON.stringify([orderBy, sort, oid, at])).toString("base64url");
      const path = `/projects/${id}/repository/tree?pagination=keyset&page_token=${forged}`;
      expect((await world.get(path)).status).toBe(404);
    }
  });

  test("is whole with pagination=none, if it is recursive", async () => {
    const { ask } = await fill();
    const { status, body, headers } = await ask("/tree", { pagination: "none", recursive: true, per_page: 2 });
    expect([status, pathsOf(body), headers.get("content-type")]).toEqual([200, all, "application/json"]);
    for (const name of ["x-total", "x-page", "x-next-page", "link"]) expect(headers.has(name)).toBe(false);
    for (const query of [{ pagination: "none" }, { pagination: "none", recursive: false }]) {
      const refused = await ask("/tree", query);
      expect([refused.status, refused.body.error]).toEqual([
        400,
        'pagination cannot be "none" unless "recursive" is true',
      ]);
    }
    const odd = await ask("/tree", { pagination: "odd" });
    expect([odd.status, odd.body.error]).toEqual([400, "pagination does not have a valid value"]);
    expect((await ask("/tree", { pagination: "none", recursive: true, path: "other" })).body).toHaveLength(1);
  });

  test("of a public project is open to all", async () => {
    const { id, create } = await project({ visibility: "public" });
    await create("a.txt");
    for (const query of [{}, { pagination: "keyset" }]) {
      expect((await world.call("GET", `/projects/${id}/repository/tree`, { query })).status).toBe(200);
    }
  });
});

describe("commits", () => {
  test("are listed newest first, a page at a time, without a total", async () => {
    const { ask, create } = await project();
    expect((await ask("/commits")).body).toEqual([]);
    for (const name of ["a", "b", "c"]) await create(`${name}.txt`, { commit_message: name });
    const { body, headers } = await ask("/commits", { per_page: 2 });
    expect(body.map(({ title }: Json) => title)).toEqual(["c", "b"]);
    expect([headers.has("x-total"), headers.get("x-next-page")]).toEqual([false, "2"]);
    const second = await ask("/commits", { per_page: 2, page: 2 });
    expect(second.body.map(({ title }: Json) => title)).toEqual(["a"]);
    expect(second.headers.get("x-next-page")).toBe("");
  });

  test("of a revision, and of a path", async () => {
    const { ask, create, change, remove } = await project();
    await create("dir/a.txt", { commit_message: "one" });
    await create("b.txt", { commit_message: "two" });
    await change("dir/a.txt", { commit_message: "three" });
    await create("c.txt", { commit_message: "four", branch: "side", start_branch: "main" });
    await remove("dir/a.txt", { commit_message: "five" });
    const titles = async (query: Readonly<Record<string, string>>) =>
      (await ask("/commits", query)).body.map(({ title }: Json) => title);
    expect(await titles({ ref_name: "side" })).toEqual(["four", "three", "two", "one"]);
    expect(await titles({ path: "dir/a.txt" })).toEqual(["five", "three", "one"]);
    expect(await titles({ path: "dir" })).toEqual(["five", "three", "one"]);
    expect(await titles({ path: "b.txt", ref_name: "side" })).toEqual(["two"]);
    expect(await titles({ path: "nowhere" })).toEqual([]);
  });

  test("of an unknown revision are an empty list, and 404 as a single one", async () => {
    const { ask, create } = await project();
    const missing = { message: "404 Commit Not Found" };
    expect((await ask("/commits/main")).body).toEqual(missing);
    await create("a.txt");
    expect((await ask("/commits", { ref_name: "nowhere" })).body).toEqual([]);
    expect((await ask(`/commits/${"0".repeat(40)}`)).body).toEqual(missing);
    const { body: tree } = await ask("/tree");
    expect((await ask(`/commits/${tree[0].id}`)).body).toEqual(missing);
  });
});

describe("a project created with a README", () => {
  test("has the first commit when the request is answered", async () => {
    const made = await makeProject(world, { name: "Ledger", initialize_with_readme: true, description: "Of a bank" });
    expect(made).toMatchObject({
      default_branch: "main",
      empty_repo: false,
      readme_url: `${made.web_url}/-/blob/main/README.md`,
    });
    const { body } = await world.get(`/projects/${made.id}/repository/commits`);
    expect(body).toMatchObject([{ title: "Initial commit", parent_ids: [], author_name: "Administrator" }]);
    const raw = await filesOf(world, made.id, rootToken).raw("README.md");
    expect(raw.text).toBe("# Ledger\n\nOf a bank\n");
    await filesOf(world, made.id, rootToken).remove("README.md");
    expect((await world.get(`/projects/${made.id}`)).body.readme_url).toBeNull();
  });

  test("is on the requested branch, if its name is valid", async () => {
    const made = await makeProject(world, { initialize_with_readme: true, default_branch: "release/1" });
    expect(made).toMatchObject({
      default_branch: "release/1",
      readme_url: `${made.web_url}/-/blob/release/1/README.md`,
    });
    const json = { path: "nothing", initialize_with_readme: true, default_branch: "a b" };
    const { status, body } = await world.call("POST", "/projects", { token: rootToken, json });
    expect([status, body]).toEqual([400, { message: { default_branch: ["is invalid"] } }]);
  });
});
