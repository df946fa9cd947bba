import { describe, expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { projectWith } from "./setting.ts";

const world = await startWorld();
const { id, write, commit, person } = await projectWith(world, "maintainer");
const first = await write(
  { "dir/a.txt": "one\ntwo\r\nthree" },
  { author_name: "Ines", author_email: "i@people.example" },
);
const update = { action: "update", file_path: "dir/a.txt", content: "one\n2\r\n2.5\nthree" };
const second: string = (await commit([update])).body.id;
await write({ empty: "" });
const at = `/projects/${id}/repository/files`;
const blame = (path: string, query: Readonly<Record<string, string | number>> = {}, token: string = rootToken) =>
  world.get(`${at}/${encodeURIComponent(path)}/blame`, { query, token });

describe("blame", () => {
  test("has the lines of each commit together, and headers about the file", async () => {
    const { status, body, headers } = await blame("dir/a.txt", { ref: "main" });
    expect(status).toBe(200);
    expect(body).toEqual([
      { commit: expect.objectContaining({ id: first, author_name: "Ines" }), lines: ["one"] },
      { commit: expect.objectContaining({ id: second, parent_ids: [first] }), lines: ["2\r", "2.5"] },
      { commit: expect.objectContaining({ id: first }), lines: ["three"] },
    ]);
    expect(Object.keys(body[0].commit)).toEqual([
      "id",
      "parent_ids",
      "message",
      "authored_date",
      "author_name",
      "author_email",
      "committed_date",
      "committer_name",
      "committer_email",
    ]);
    const { headers: ofFile } = await world.get(`${at}/dir%2Fa.txt`, { query: { ref: "main" } });
    const own = (all: Headers) => [...all].filter(([name]) => name.startsWith("x-gitlab"));
    expect(own(headers)).toEqual(own(ofFile));
    const head = await world.call("HEAD", `${at}/dir%2Fa.txt/blame`, { query: { ref: "main" }, token: rootToken });
    expect([head.status, head.text, head.headers.get("x-gitlab-last-commit-id")]).toEqual([200, "", second]);
  });

  test("is of the lines in a range, as far as there are any", async () => {
    const ranged = async (start: number, end: number) =>
      (await blame("dir/a.txt", { ref: "main", "range[start]": start, "range[end]": end })).body;
    expect(await ranged(2, 2)).toEqual([{ commit: expect.objectContaining({ id: second }), lines: ["2\r"] }]);
    const last = [{ commit: expect.objectContaining({ id: first }), lines: ["three"] }];
    expect([await ranged(4, 100), await ranged(5, 100)]).toEqual([last, []]);
    expect((await blame("empty", { ref: "main" })).body).toEqual([]);
    expect((await blame("dir/a.txt", { ref: first })).body[0].lines).toEqual(["one", "two\r", "three"]);
  });

  test.each([
    [{ ref: "none" }, 404, { message: "404 Commit Not Found" }],
    [{ ref: "main", path: "none" }, 404, { message: "404 File Not Found" }],
    [{ ref: "main", path: "dir" }, 404, { message: "404 File Not Found" }],
    [{ ref: "main", "range[start]": 1 }, 400, { error: "range[end] is missing, range[end] is empty" }],
    [{ ref: "main", "range[start]": 0, "range[end]": 1 }, 400, { error: "range[start] does not have a valid value" }],
    [{ ref: "main", "range[start]": "", "range[end]": 1 }, 400, { error: "range[start] is empty" }],
    [
      { ref: "main", "range[start]": 2, "range[end]": 1 },
      400,
      { message: "range[start] must be less than or equal to range[end]" },
    ],
  ] as const)("refuses %p", async ({ path = "dir/a.txt", ...query }: Record<string, string | number>, status, body) => {
    const answer = await blame(String(path), query);
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining(body)]);
  });

  test("is for those who may read the code", async () => {
    const guest = await world.user();
    addMember(world, { id }, guest, "guest", "project");
    expect((await blame("dir/a.txt", { ref: "main" }, guest.token)).status).toBe(403);
    expect((await blame("dir/a.txt", { ref: "main" }, person.token)).status).toBe(200);
  });
});
