import { describe, expect, test } from "bun:test";
import { startWorld } from "../../../support/fixtures/world.ts";
import { makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { messageOf, projectWith } from "./setting.ts";

const world = await startWorld();
const { id, write, git, person } = await projectWith(world, "maintainer");
const by = (author_name: string, author_email: string) => ({ author_name, author_email });
const base = await write({ a: "1" }, by("Bo", "b@people.example"));
const dev = await write({ b: "2" }, { ...by("ada", "a@people.example"), branch: "dev", start_branch: "main" });
const main = await write({ c: "3" }, by("Zoe", "z@people.example"));
await write({ d: "4" }, by("Zoe Z", "z@people.example"));
const at = `/projects/${id}/repository`;

describe("the merge base", () => {
  const mergeBase = (query: string) => world.get(`${at}/merge_base?${query}`);

  test("is the newest commit in common", async () => {
    const { status, body } = await mergeBase("refs[]=main&refs[]=dev");
    expect([status, body.id, body.author_name]).toEqual([200, base, "Bo"]);
    expect((await mergeBase("refs=dev,main")).body.id).toBe(base);
    expect((await mergeBase(`refs[]=main&refs[]=${main}`)).body.id).toBe(main);
    expect((await mergeBase(`refs[]=main&refs[]=dev&refs[]=${dev}`)).body.id).toBe(base);
  });

  test("is refused for one ref, for unknown ones, and where there is none", async () => {
    expect(messageOf(await mergeBase("refs[]=main"))).toEqual([400, "Provide at least 2 refs"]);
    expect(messageOf(await mergeBase("refs[]=main&refs[]=x"))).toEqual([400, "Could not find ref: x"]);
    expect(messageOf(await mergeBase("refs[]=x&refs[]=main&refs[]=y"))).toEqual([400, "Could not find refs: x, y"]);
    expect((await mergeBase("")).body.error).toBe("refs is missing");
    const apart = await git(
      "-c",
      "user.name=M",
      "-c",
      "user.email=m@x.example",
      "commit-tree",
      `${main}^{tree}`,
      "-m",
      "x",
    );
    expect(messageOf(await mergeBase(`refs[]=main&refs[]=${apart}`))).toEqual([404, "404 Merge Base Not Found"]);
  });
});

describe("the contributors", () => {
  const contributors = async (query = "") => {
    const { status, body } = await world.get(`${at}/contributors${query}`);
    expect(status).toBe(200);
    return body.map(({ name, commits }: { name: string; commits: number }) => `${name} ${commits}`);
  };

  test("are the authors of a branch by address, with their newest name", async () => {
    expect(await contributors("?order_by=name")).toEqual(["Bo 1", "Zoe Z 2"]);
    expect(await contributors("?ref=dev&order_by=name")).toEqual(["ada 1", "Bo 1"]);
    expect((await world.get(`${at}/contributors?order_by=name`)).body[0]).toEqual({
      name: "Bo",
      email: "b@people.example",
      commits: 1,
      additions: 0,
      deletions: 0,
    });
  });

  test("come in the order that is asked for, and in pages with totals", async () => {
    expect(await contributors()).toEqual(["Bo 1", "Zoe Z 2"]);
    expect(await contributors("?sort=desc")).toEqual(["Zoe Z 2", "Bo 1"]);
    expect(await contributors("?order_by=email&sort=desc&ref=main")).toEqual(["Zoe Z 2", "Bo 1"]);
    const { body, headers } = await world.get(`${at}/contributors?per_page=1&page=2`);
    expect([body[0].name, headers.get("x-total")]).toEqual(["Zoe Z", "2"]);
    expect((await world.get(`${at}/contributors?order_by=x`)).body.error).toBe("order_by does not have a valid value");
  });

  test("are not of merges", async () => {
    const identity = ["-c", "user.name=M", "-c", "user.email=m@x.example"];
    const merge = await git(...identity, "commit-tree", `${main}^{tree}`, "-p", main, "-p", dev, "-m", "Merge");
    expect(await contributors(`?ref=${merge}&order_by=name`)).toEqual(["ada 1", "Bo 1", "Zoe 1"]);
  });

  test("are none in an empty repository, and 404 for an unknown ref", async () => {
    const empty = await makeProject(world);
    expect((await world.get(`/projects/${empty.id}/repository/contributors`)).body).toEqual([]);
    expect((await world.get(`${at}/contributors?ref=none`)).status).toBe(404);
  });
});

test("merge base and contributors are for those who may read the code", async () => {
  const guest = await world.user();
  addMember(world, { id }, guest, "guest", "project");
  for (const path of ["merge_base?refs=main,dev", "contributors"]) {
    const asked = (token: string) => world.get(`${at}/${path}`, { token });
    expect([(await asked(guest.token)).status, (await asked(person.token)).status]).toEqual([403, 200]);
  }
});
