import { describe, expect, test } from "bun:test";
import { protectNoDefaultBranch } from "../../../support/fixtures/branch-protection.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { checkRepository, filesOf, folderOf, git, makeProject } from "./setting.ts";

const world = await startWorld();
await protectNoDefaultBranch(world);
const dev = await world.user({ name: "Dora Lindt", username: "dora" });

async function project() {
  const made = await makeProject(world);
  addMember(world, made, dev, "developer", "project");
  const at = `/projects/${made.id}/repository`;
  const call = (method: string, end: string, json?: object, token = dev.token) =>
    world.call(method, `${at}${end}`, json === undefined ? { token } : { token, json });
  const names = async (end: string, query = {}) =>
    (await world.get(`${at}${end}`, { query })).body.map(({ name }: { name: string }) => name);
  return { id: made.id as number, path: made.path_with_namespace, call, names, ...filesOf(world, made.id, dev.token) };
}

describe("branches", () => {
  test("are listed by name, with every field of the page", async () => {
    const { id, path, create, call } = await project();
    expect((await call("GET", "/branches")).body).toEqual([]);
    await create("a.txt");
    await call("POST", "/branches", { branch: "a/side", ref: "main" });
    const { body, headers } = await call("GET", "/branches");
    expect(body.map(({ name }: { name: string }) => name)).toEqual(["a/side", "main"]);
    expect(headers.get("x-total")).toBe("2");
    const web = `${world.origin}/${path}`;
    const [head] = (await world.get(`/projects/${id}/repository/commits`)).body;
    expect(body[1]).toEqual({
      name: "main",
      commit: head,
      merged: false,
      protected: false,
      developers_can_push: false,
      developers_can_merge: false,
      can_push: true,
      default: true,
      web_url: `${web}/-/tree/main`,
    });
    expect((await call("GET", "/branches/a%2Fside")).body).toMatchObject({
      name: "a/side",
      default: false,
      web_url: `${web}/-/tree/a/side`,
    });
    const reporter = await world.user();
    addMember(world, { id }, reporter, "reporter", "project");
    expect((await call("GET", "/branches/main", undefined, reporter.token)).body.can_push).toBe(false);
  });

  test("are merged once the default branch contains them", async () => {
    const { create, call } = await project();
    await create("a.txt");
    await call("POST", "/branches", { branch: "old", ref: "main" });
    expect((await call("GET", "/branches/old")).body.merged).toBe(false);
    world.clock.advance(5000);
    await create("b.txt");
    await create("c.txt", { branch: "ahead", start_branch: "main" });
    const merged = (await call("GET", "/branches")).body.map((each: { name: string; merged: boolean }) => [
      each.name,
      each.merged,
    ]);
    expect(merged).toEqual([
      ["ahead", false],
      ["main", false],
      ["old", true],
    ]);
  });

  test("are searched by a part, the beginning or the end of the name", async () => {
    const { create, call, names } = await project();
    await create("a.txt");
    for (const branch of ["feature-one", "one-feature", "ONE"])
      await call("POST", "/branches", { branch, ref: "main" });
    expect(await names("/branches", { search: "one" })).toEqual(["ONE", "feature-one", "one-feature"]);
    expect(await names("/branches", { search: "^one" })).toEqual(["ONE", "one-feature"]);
    expect(await names("/branches", { search: "one$" })).toEqual(["ONE", "feature-one"]);
    expect(await names("/branches", { search: "^one$" })).toEqual(["ONE"]);
    expect(await names("/branches", { per_page: 2, page: 2 })).toEqual(["main", "one-feature"]);
  });

  test("are found by a pattern, and sorted by name or by the time of their commits", async () => {
    const { create, call, names } = await project();
    await create("a.txt");
    for (const branch of ["zeta", "feature-1", "feature-22"]) {
      world.clock.advance(5_000);
      await create(`${branch}.txt`, { branch, start_branch: "main" });
    }
    expect(await names("/branches", { regex: "^feature-[0-9]{2}$" })).toEqual(["feature-22"]);
    expect(await names("/branches", { regex: "e", search: "z" })).toEqual(["zeta"]);
    expect(await names("/branches", { sort: "name_asc" })).toEqual(["feature-1", "feature-22", "main", "zeta"]);
    expect(await names("/branches", { sort: "updated_asc" })).toEqual(["main", "zeta", "feature-1", "feature-22"]);
    expect(await names("/branches", { sort: "updated_desc" })).toEqual(["feature-22", "feature-1", "zeta", "main"]);
    for (const [query, error] of [
      ["sort=unknown", "sort does not have a valid value"],
      ["regex=(", "regex is an invalid regexp"],
      [`regex=${"a".repeat(256)}`, "regex is an invalid regexp"],
    ] as const) {
      const refused = await call("GET", `/branches?${query}`);
      expect([refused.status, refused.body.error]).toEqual([400, error]);
    }
  });

  test("have names that git takes", async () => {
    const { create, call } = await project();
    await create("a.txt");
    for (const method of ["GET", "DELETE"]) {
      const refused = await call(method, "/branches/branch*");
      expect([refused.status, refused.body]).toEqual([400, { message: "The branch refname is invalid" }]);
      const unknown = await call(method, "/branches/unknown");
      expect([unknown.status, unknown.body]).toEqual([404, { message: "404 Branch Not Found" }]);
    }
  });

  test("are 404 where the repository is turned off", async () => {
    const { id, create, call } = await project();
    await create("a.txt");
    const json = { repository_access_level: "disabled", merge_requests_access_level: "disabled" };
    const off = { ...json, builds_access_level: "disabled" };
    expect((await world.call("PUT", `/projects/${id}`, { token: rootToken, json: off })).status).toBe(200);
    for (const [method, end, body] of [
      ["GET", "/branches"],
      ["GET", "/branches/main"],
      ["POST", "/branches", { branch: "b", ref: "main" }],
      ["DELETE", "/branches/main"],
    ] as const) {
      const answer = await call(method, end, body);
      expect([answer.status, answer.body]).toEqual([404, { message: "404 Repository Not Found" }]);
    }
    for (const end of ["/tags", "/tree", "/commits"]) expect((await call("GET", end)).status).toBe(403);
  });

  test("and tags are deleted unless their commit was written since", async () => {
    const { id, create, call } = await project();
    await create("a.txt");
    await call("POST", "/branches", { branch: "b", ref: "main" });
    await call("POST", "/tags", { tag_name: "v1", ref: "main" });
    for (const end of ["/branches/b", "/tags/v1"]) {
      const remove = (since: number) => {
        const headers = { "If-Unmodified-Since": new Date(since).toUTCString() };
        return world.call("DELETE", `/projects/${id}/repository${end}`, { token: dev.token, headers });
      };
      const late = await remove(world.clock.now() - 60_000);
      expect([late.status, late.body]).toEqual([412, { message: "412 Precondition Failed" }]);
      expect((await call("GET", end)).status).toBe(200);
      expect((await remove(world.clock.now() + 1_000)).status).toBe(204);
      expect((await call("GET", end)).status).toBe(404);
    }
  });

  test("start from a branch, a tag or a commit, and nothing else", async () => {
    const { id, create, call, get } = await project();
    await create("a.txt");
    await call("POST", "/tags", { tag_name: "v1", ref: "main" });
    const sha = (await get("a.txt")).body.commit_id;
    for (const ref of ["main", "v1", sha, sha.slice(0, 10)]) {
      const { status, body } = await call("POST", "/branches", { branch: `from-${ref}`, ref });
      expect([status, body.commit?.id]).toEqual([201, sha]);
    }
    expect((await call("POST", "/branches", { branch: "b", ref: "nowhere" })).body).toEqual({
      message: "Failed to create branch 'b': invalid reference name 'nowhere'",
    });
    expect((await call("POST", "/branches", { branch: "main", ref: "main" })).body).toEqual({
      message: "Branch already exists",
    });
    expect((await call("POST", "/branches", { branch: "main/x", ref: "main" })).status).toBe(400);
    expect((await call("POST", "/branches", { branch: "a b", ref: "main" })).body).toEqual({
      message: "Branch name is invalid",
    });
    expect((await call("POST", "/branches", {})).body.error).toBe(
      "branch is missing, branch is empty, ref is missing, ref is empty",
    );
    await checkRepository(world, id);
  });

  test("are only looked for with HEAD", async () => {
    const { id, create } = await project();
    await create("a.txt");
    const head = async (name: string, token?: string) => {
      const path = `/projects/${id}/repository/branches/${name}`;
      const { status, text } = await world.call("HEAD", path, token === undefined ? {} : { token });
      return [status, text];
    };
    expect(await head("main", rootToken)).toEqual([204, ""]);
    expect(await head("nowhere", rootToken)).toEqual([404, ""]);
    expect(await head("main")).toEqual([404, ""]);
  });

  test("of an empty repository start with a README on its default branch", async () => {
    const { id, call, get, show } = await project();
    const { status, body } = await call("POST", "/branches", { branch: "b", ref: "main" });
    expect([status, body.name, body.commit.message]).toEqual([201, "b", "Add README.md"]);
    expect((await show()).body).toMatchObject({ default_branch: "main", empty_repo: false });
    expect((await get("README.md", "b")).body).toMatchObject({ size: 0, last_commit_id: body.commit.id });
    const { id: other, call: callOther } = await project();
    expect((await callOther("POST", "/branches", { branch: "b", ref: "nowhere" })).body).toEqual({
      message: "Failed to create branch 'b': invalid reference name 'nowhere'",
    });
    for (const each of [id, other]) await checkRepository(world, each);
  });

  test("are both created when two first ones come at once, after one commit", async () => {
    const { call } = await project();
    const made = await Promise.all(["b", "c"].map((branch) => call("POST", "/branches", { branch, ref: "main" })));
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(made.map(({ body }) => body.commit.id)).size).toBe(1);
    expect((await call("GET", "/commits")).body).toHaveLength(1);
  });

  test("are deleted, and leave no empty folder", async () => {
    const { create, call, names } = await project();
    await create("a.txt");
    await call("POST", "/branches", { branch: "a/b/c", ref: "main" });
    const { status, text } = await call("DELETE", "/branches/a%2Fb%2Fc");
    expect([status, text]).toEqual([204, ""]);
    expect((await call("DELETE", "/branches/a%2Fb%2Fc")).body).toEqual({ message: "404 Branch Not Found" });
    expect((await call("GET", "/branches/a%2Fb%2Fc")).body).toEqual({ message: "404 Branch Not Found" });
    expect((await call("POST", "/branches", { branch: "a", ref: "main" })).status).toBe(201);
    expect(await names("/branches")).toEqual(["a", "main"]);
  });

  test("include the default one, which cannot be deleted, and may change", async () => {
    const { id, create, call } = await project();
    await create("a.txt");
    const kept = await call("DELETE", "/branches/main");
    expect([kept.status, kept.body]).toEqual([400, { message: "The default branch of a project cannot be deleted." }]);
    await call("POST", "/branches", { branch: "trunk", ref: "main" });
    const put = (default_branch: string) =>
      world.call("PUT", `/projects/${id}`, { token: rootToken, json: { default_branch } });
    const refused = await put("nowhere");
    expect([refused.status, refused.body.message.base[0]]).toEqual([
      400,
      "Could not set the default branch. Do you have a branch named 'nowhere' in your repository?",
    ]);
    expect((await put("trunk")).body.default_branch).toBe("trunk");
    expect(await git(["-C", folderOf(world, id), "symbolic-ref", "HEAD"])).toBe("refs/heads/trunk\n");
    expect((await call("DELETE", "/branches/main")).status).toBe(204);
    await checkRepository(world, id);
  });
});

describe("tags", () => {
  test("without a message name the commit, with one are objects", async () => {
    const { id, path, create, call } = await project();
    expect((await call("GET", "/tags")).body).toEqual([]);
    await create("a.txt");
    const [head] = (await call("GET", "/commits")).body;
    const light = await call("POST", "/tags", { tag_name: "v1/light", ref: "main" });
    expect([light.status, light.body]).toEqual([
      201,
      {
        name: "v1/light",
        message: null,
        target: head.id,
        commit: { ...head, web_url: `${world.origin}/${path}/-/commit/${head.id}` },
        release: null,
        protected: false,
        created_at: null,
      },
    ]);
    const { body } = await call("POST", "/tags", { tag_name: "v1.0", ref: head.id, message: "The first\n\nIt works" });
    expect(body).toMatchObject({ name: "v1.0", message: "The first\n\nIt works", commit: { id: head.id } });
    expect(body.target).not.toBe(head.id);
    expect(body.created_at).toBe(head.created_at);
    expect((await call("GET", "/tags/v1.0")).body).toEqual(body);
    expect((await call("GET", "/tags/v1%2Flight")).body).toEqual(light.body);
    expect(await git(["-C", folderOf(world, id), "cat-file", "tag", "v1.0"])).toContain("tagger Dora Lindt <");
    await checkRepository(world, id);
  });

  test("are refused when taken, invalid, or without a target", async () => {
    const { create, call } = await project();
    await create("a.txt");
    await call("POST", "/tags", { tag_name: "v1", ref: "main" });
    const refused = async (tag_name: string, ref: string) => {
      const { status, body } = await call("POST", "/tags", { tag_name, ref });
      return [status, body.message];
    };
    expect(await refused("v1", "main")).toEqual([400, "Tag v1 already exists"]);
    expect(await refused("v2", "nowhere")).toEqual([400, "Target nowhere is invalid"]);
    expect(await refused("v 2", "main")).toEqual([400, "Tag name invalid"]);
    expect(await refused("main", "main")).toEqual([400, "You cannot use default branch name to create a tag"]);
    for (const name of ["a".repeat(40), "B".repeat(64), `${"1".repeat(40)}-x`]) {
      expect(await refused(name, "main")).toEqual([400, "You cannot create a tag with a SHA-1 or SHA-256 tag name."]);
    }
    expect((await call("POST", "/tags", {})).body.error).toBe(
      "tag_name is missing, tag_name is empty, ref is missing, ref is empty",
    );
  });

  test("are found, ordered and deleted", async () => {
    const { create, call, names } = await project();
    await create("a.txt");
    await call("POST", "/tags", { tag_name: "v10", ref: "main" });
    world.clock.advance(5000);
    await create("b.txt");
    await call("POST", "/tags", { tag_name: "v2", ref: "main" });
    await call("POST", "/tags", { tag_name: "old", ref: "v10" });
    expect(await names("/tags")).toEqual(["v2", "old", "v10"]);
    expect(await names("/tags", { sort: "asc" })).toEqual(["old", "v10", "v2"]);
    expect(await names("/tags", { order_by: "name", sort: "asc" })).toEqual(["old", "v10", "v2"]);
    expect(await names("/tags", { order_by: "version" })).toEqual(["v10", "v2", "old"]);
    expect(await names("/tags", { search: "^v" })).toEqual(["v2", "v10"]);
    expect((await call("GET", "/tags?order_by=size")).body.error).toBe("order_by does not have a valid value");
    expect((await call("DELETE", "/tags/v2")).status).toBe(204);
    expect((await call("DELETE", "/tags/v2")).body).toEqual({ message: "404 Tag Not Found" });
    expect((await call("GET", "/tags/v2")).body).toEqual({ message: "404 Tag Not Found" });
  });
});

test("packed refs are read, changed and deleted like all others", async () => {
  const { id, create, change, call, get, names } = await project();
  await create("a.txt", { content: "one" });
  await call("POST", "/tags", { tag_name: "v1", ref: "main", message: "first" });
  await call("POST", "/branches", { branch: "side", ref: "main" });
  await git(["-C", folderOf(world, id), "-c", "gc.pruneExpire=now", "gc", "-q"]);
  expect(await names("/branches")).toEqual(["main", "side"]);
  expect(await names("/tags")).toEqual(["v1"]);
  expect((await get("a.txt", "v1")).body.content).toBe(btoa("one"));
  expect((await change("a.txt", { content: "two" })).status).toBe(200);
  expect((await call("DELETE", "/branches/side")).status).toBe(204);
  expect((await call("DELETE", "/tags/v1")).status).toBe(204);
  expect([await names("/branches"), await names("/tags")]).toEqual([["main"], []]);
  expect((await get("a.txt")).body.content).toBe(btoa("two"));
  await checkRepository(world, id);
});
