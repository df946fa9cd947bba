import { describe, expect, test } from "bun:test";
import { startWorld } from "../../../support/fixtures/world.ts";
import { projectWith } from "./setting.ts";

const world = await startWorld();

describe("a revision with steps, and a ref that is named in full", async () => {
  const project = await projectWith(world, "maintainer");
  const first = await project.write({ "a.txt": "one" });
  const second = await project.write({ "b.txt": "two" });
  await project.write({ "c.txt": "three" });
  const get = async (end: string, query: Readonly<Record<string, string>> = {}) =>
    (await world.call("GET", `/projects/${project.id}/repository${end}`, { token: project.person.token, query })).body;

  test.each(["main~1", "main^", "HEAD~", "@~1", "heads/main~1", "refs/heads/main^1", "main^{commit}~1"])(
    "%s is a commit in every place",
    async (revision) => {
      const escaped = encodeURIComponent(revision);
      expect((await get(`/commits/${escaped}`)).id).toBe(second);
      expect((await get("/commits", { ref_name: revision }))[0].id).toBe(second);
      expect((await get("/commits", { ref_name: `${revision}..main` })).length).toBe(1);
      expect((await get("/tree", { ref: revision })).map(({ name }: { name: string }) => name)).toEqual([
        "a.txt",
        "b.txt",
      ]);
      expect((await get("/files/b.txt", { ref: revision })).commit_id).toBe(second);
      expect((await get("/compare", { from: `${revision}~1`, to: revision })).commits).toHaveLength(1);
    },
  );

  test("starts a branch and a tag", async () => {
    const post = (end: string, json: object) =>
      world.call("POST", `/projects/${project.id}/repository${end}`, { token: project.person.token, json });
    expect((await post("/branches", { branch: "old", ref: "main~2" })).body.commit.id).toBe(first);
    expect((await post("/tags", { tag_name: "t", ref: "heads/main~1" })).body.commit.id).toBe(second);
    expect((await get("/commits/tags%2Ft")).id).toBe(second);
    expect((await post("/branches", { branch: "far", ref: "main~3" })).body.message).toBe(
      "Failed to create branch 'far': invalid reference name 'main~3'",
    );
  });
});

test.each(["Change", "Change\n", "Change\r\n\r\nWhy\r\n", "Title\n\nText\n\n", "\n\nLate"])(
  "a message is kept as it was given: %j",
  async (message) => {
    const { commit, get, git } = await projectWith(world, "maintainer");
    const actions = [{ action: "create", file_path: "a", content: "a" }];
    const { body } = await commit(actions, { commit_message: message });
    expect([body.message, body.title]).toEqual([message, message.split(/[\r\n]/)[0]]);
    expect((await get(body.id)).body.message).toBe(message);
    expect(await git("log", "-1", "--format=%B%x00")).toStartWith(message.trimEnd());
  },
);
