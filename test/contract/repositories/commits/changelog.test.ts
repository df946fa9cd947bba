import { describe, expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { checkRepository } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { messageOf, projectWith } from "./setting.ts";

const world = await startWorld();

/** A project with version 0.9.0, and commits with trailers behind it. */
async function released() {
  const made = await projectWith(world, "maintainer");
  const { write, git, id } = made;
  await write({ a: "0" }, { commit_message: "Begin\n\nChangelog: added" });
  await git("tag", "v0.9.0", "main");
  const message = (title: string, value: string) => ({ commit_message: `${title}\n\nChangelog: ${value}` });
  const first = await write({ b: "1" }, message("Add b", "added"));
  const second = await write({ c: "2" }, message("Mend c", "fixed"));
  await write({ d: "3" }, { commit_message: "Say nothing" });
  const third = await write({ e: "4" }, message("Add e", "added"));
  const at = `/projects/${id}/repository/changelog`;
  const asked = (query: Readonly<Record<string, string>>, token: string = rootToken) => world.get(at, { query, token });
  const put = (json: object, token: string = made.person.token) => world.call("POST", at, { token, json });
  const projectPath: string = (await world.get(`/projects/${id}`)).body.path_with_namespace;
  return {
    ...made,
    first,
    second,
    third,
    asked,
    put,
    entry: (title: string, oid: string) => `- [${title}](${projectPath}@${oid})`,
  };
}

describe("the section of a changelog", () => {
  test("has the commits with the trailer since the version before, by its value", async () => {
    const { asked, entry, first, second, third } = await released();
    const { status, body } = await asked({ version: "v1.0.0", date: "2021-11-17T10:00:00Z" });
    const added = `### added (2 changes)\n\n${entry("Add e", third)}\n${entry("Add b", first)}`;
    const notes = `## 1.0.0 (2021-11-17)\n\n${added}\n\n### fixed (1 change)\n\n${entry("Mend c", second)}\n`;
    expect([status, body]).toEqual([200, { notes }]);
  });

  test("is of a range, of another trailer, and says where nothing changes", async () => {
    const { asked, entry, first, second, third, write } = await released();
    const notesOf = async (query: Record<string, string>) =>
      (await asked({ version: "1.0.0", date: "2021-11-17", ...query })).body.notes;
    expect(await notesOf({ from: first, to: second })).toBe(
      `## 1.0.0 (2021-11-17)\n\n### fixed (1 change)\n\n${entry("Mend c", second)}\n`,
    );
    expect(await notesOf({ from: third })).toBe("## 1.0.0 (2021-11-17)\n\nNo changes.\n");
    const log = await write({ f: "5" }, { commit_message: "Log\n\nLog: other\nChangelog: x" });
    expect(await notesOf({ trailer: "Log" })).toEndWith(`### other (1 change)\n\n${entry("Log", log)}\n`);
    expect(await notesOf({ trailer: "log" })).toEndWith("No changes.\n");
  });

  test("leaves out commits that others take back, unless these are taken back, too", async () => {
    const { asked, post, first, second, third, entry } = await released();
    await post(`${second}/revert`, { branch: "main" });
    const { body: revert } = await post(`${third}/revert`, { branch: "main" });
    await post(`${revert.id}/revert`, { branch: "main" });
    const { body } = await asked({ version: "1.0.0", date: "2021-11-17" });
    expect(body.notes).toBe(
      `## 1.0.0 (2021-11-17)\n\n### added (2 changes)\n\n${entry("Add e", third)}\n${entry("Add b", first)}\n`,
    );
  });

  test("begins at the newest older version that is no prerelease", async () => {
    const { asked, git, first, second, third } = await released();
    await git("tag", "0.10.0", first);
    await git("tag", "-a", "v1.0.0-rc1", "-m", "x", second).catch(() => git("tag", "v1.0.0-rc1", second));
    await git("tag", "v1.1.0", third);
    const titles = async (version: string) =>
      [...(await asked({ version })).body.notes.matchAll(/\[(.*?)\]/g)].map(([, title]) => title);
    expect([await titles("1.0.0"), await titles("0.10.0"), await titles("2.0.0")]).toEqual([
      ["Add e", "Mend c"],
      ["Add e", "Add b", "Mend c"],
      [],
    ]);
    const none = "The commit start range is unspecified, and no previous tag could be found to use instead";
    expect(messageOf(await asked({ version: "0.9.0" }))).toEqual([422, `Failed to generate the changelog: ${none}`]);
  });

  test("takes the titles of categories from the project's settings", async () => {
    const { asked, write, commit } = await released();
    const settings = (categories: string) => ({ ".gitlab/changelog_config.yml": categories });
    await write(settings("date_format: '%Y'\ncategories:\n  added: New\n"));
    const headings = async (query = {}) =>
      [...(await asked({ version: "1.0.0", ...query })).body.notes.matchAll(/### (\w+)/g)].map(([, name]) => name);
    expect(await headings()).toEqual(["New", "fixed"]);
    expect(await headings({ config_file: "none.yml" })).toEqual(["added", "fixed"]);
    expect(await headings({ config_file_ref: "v0.9.0" })).toEqual(["added", "fixed"]);
    await commit([{ action: "update", file_path: ".gitlab/changelog_config.yml", content: "categories: [" }]);
    expect((await asked({ version: "1.0.0" })).status).toBe(422);
  });

  test("is refused for what is no version, and for unknown commits", async () => {
    const { asked } = await released();
    expect((await asked({ version: "one" })).body.error).toBe("version is invalid");
    expect((await asked({})).body.error).toStartWith("version is missing");
    expect(messageOf(await asked({ version: "1.0.0", from: "none" }))).toEqual([404, "404 Commit Not Found"]);
  });
});

describe("a changelog in a file", () => {
  test("gets the section by a commit, before the next older version", async () => {
    const { id, put, git, write, third } = await released();
    expect([
      (await put({ version: "1.0.0", date: "2021-11-17" })).status,
      await git("log", "-1", "--format=%s", "main"),
    ]).toEqual([200, "Add changelog for version 1.0.0"]);
    await write({ f: "5" }, { commit_message: "Add f\n\nChangelog: added" });
    await put({ version: "2.0.0", from: third, date: "2021-12-01", message: "Release" });
    await put({ version: "1.5.0", from: "main", date: "2021-11-20" });
    const text: string = await git("show", "main:CHANGELOG.md");
    expect(text.split("\n").filter((line) => line.startsWith("## "))).toEqual([
      "## 2.0.0 (2021-12-01)",
      "## 1.5.0 (2021-11-20)",
      "## 1.0.0 (2021-11-17)",
    ]);
    expect(text).toContain("\n\n## 1.5.0 (2021-11-20)\n\nNo changes.\n\n## 1.0.0");
    expect(await git("log", "-2", "--format=%s", "main")).toContain("Release");
    await checkRepository(world, id);
  });

  test("may be another file of another branch", async () => {
    const { put, git, first } = await released();
    await git("branch", "old", first);
    expect((await put({ version: "1.0.0", branch: "old", file: "docs/NEWS.md" })).status).toBe(200);
    expect(await git("show", "old:docs/NEWS.md")).toContain("### added (1 change)");
  });

  test("is for those who may push to the branch", async () => {
    const { id, put, git } = await released();
    const head = await git("rev-parse", "main");
    const [developer, reporter] = [await world.user(), await world.user()];
    addMember(world, { id }, developer, "developer", "project");
    addMember(world, { id }, reporter, "reporter", "project");
    const refusal = "403 Forbidden - You are not allowed to commit a changelog on this branch";
    expect(messageOf(await put({ version: "1.0.0" }, developer.token))).toEqual([403, refusal]);
    expect((await put({ version: "1.0.0" }, reporter.token)).status).toBe(403);
    expect(await git("rev-parse", "main")).toBe(head);
  });
});
