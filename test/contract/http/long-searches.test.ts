import { describe, expect, test } from "bun:test";
import { placesOf } from "../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addIssues } from "../../support/planning/issues.ts";

const world = await startWorld();
const ann = await world.user();
const { id: projectId } = placesOf(world).project(ann.id);
const length = 1_000_000;
/** The search for `aba` in it takes a hundred times as long as in other texts. */
const description = "a".repeat(length);
addIssues(
  world,
  projectId,
  Array.from({ length: 12 }, (_, at) => ({
    title: `long ${at}`,
    description: at === 7 ? `${description}aba` : description,
  })),
);

const search = (words: string) =>
  world.call("GET", `/projects/${projectId}/issues`, { token: rootToken, query: { search: words } });

describe("a search that takes long", () => {
  test("lets other requests pass", async () => {
    const answered: string[] = [];
    const note = (name: string) => () => answered.push(name);
    const long = search("aba long").then(note("search"));
    await Promise.all([
      long,
      ...Array.from({ length: 4 }, () => world.call("GET", "/user", { token: ann.token }).then(note("user"))),
    ]);
    expect(answered).toEqual(["user", "user", "user", "user", "search"]);
  });

  test("finds what a short one finds", async () => {
    const { status, body } = await search("aba long");
    expect([status, body.map(({ title }: { title: string }) => title)]).toEqual([200, ["long 7"]]);
    expect((await search("zzz")).body).toEqual([]);
  });

  test("counts the same issues as it lists", async () => {
    const { body } = await world.call("GET", `/projects/${projectId}/issues_statistics`, {
      token: rootToken,
      query: { search: "aba" },
    });
    expect(body.statistics.counts.all).toBe(1);
  });
});
