import { describe, expect, test } from "bun:test";
import { startWorld } from "../../../support/fixtures/world.ts";
import { checkRepository } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { commitsOf, messageOf, projectWith } from "./setting.ts";

const world = await startWorld();

const lines = (...changes: readonly [number, string][]) => {
  const all = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  for (const [at, text] of changes) all[at] = text;
  return `${all.join("\n")}\n`;
};

/** A project with a branch that changed line 2, while `main` changed line 15. */
async function forked() {
  const made = await projectWith(world, "maintainer");
  await made.write({ "a.txt": lines(), "b.txt": "b\n" });
  const change = async (content: string, branch: string, message: string, file_path = "a.txt"): Promise<string> => {
    const changed = { branch, commit_message: message };
    return (await made.commit([{ action: "update", file_path, content }], changed)).body.id;
  };
  await made.commit([{ action: "create", file_path: "dev.txt", content: "d" }], {
    branch: "dev",
    start_branch: "main",
  });
  const picked = await change(lines([2, "two"]), "dev", "Change line 2\n\nIt was wrong");
  const main = await change(lines([15, "fifteen"]), "main", "Change line 15");
  return { ...made, change, picked, main };
}

describe("a cherry-pick", () => {
  test("brings the change of a commit into a branch, whoever made it", async () => {
    const { id, post, git, picked, main, person } = await forked();
    const { status, body } = await post(`${picked}/cherry_pick`, { branch: "main" });
    expect(status).toBe(201);
    const { body: author } = await world.get(`/projects/${id}/repository/commits/${picked}`);
    const trailer = `Co-authored-by: ${author.author_name} <${author.author_email}>`;
    expect(body).toMatchObject({
      id: await git("rev-parse", "main"),
      parent_ids: [main],
      title: "Change line 2",
      message: `Change line 2\n\nIt was wrong\n\n(cherry-picked from commit ${picked})\n\n${trailer}`,
      author_name: (await world.get(`/users/${person.id}`)).body.name,
      committer_email: person.email,
    });
    expect(body).not.toHaveProperty("stats");
    expect(await git("show", "main:a.txt")).toBe(lines([2, "two"], [15, "fifteen"]).trimEnd());
    expect(await git("ls-tree", "--name-only", "main")).toBe("a.txt\nb.txt");
    await checkRepository(world, id);
  });

  test("follows a file that the branch renamed, and takes another message", async () => {
    const { post, commit, git, picked } = await forked();
    await commit([{ action: "move", file_path: "moved/c.txt", previous_path: "a.txt" }]);
    const { status, body } = await post(`${picked}/cherry_pick`, { branch: "main", message: "Mine" });
    expect([status, body.message]).toEqual([201, "Mine"]);
    expect(await git("show", "main:moved/c.txt")).toBe(lines([2, "two"], [15, "fifteen"]).trimEnd());
  });

  test("of a merge takes its change of the first parent, and of a first commit all of it", async () => {
    const { post, git, files, picked, main } = await forked();
    const identity = ["-c", "user.name=M", "-c", "user.email=m@x.example"];
    const merge = await git(...identity, "commit-tree", `${picked}^{tree}`, "-p", main, "-p", picked, "-m", "Merge");
    const blob = await git("rev-parse", "main:b.txt");
    await git("update-index", "--add", "--cacheinfo", `100644,${blob},first/file`);
    const root = await git(...identity, "commit-tree", await git("write-tree"), "-m", "First");
    await git("branch", "target", main);
    expect((await post(`${root}/cherry_pick`, { branch: "target" })).status).toBe(201);
    expect(await files("target")).toEqual(["100644 a.txt", "100644 b.txt", "100644 first/file"]);
    expect((await post(`${merge}/cherry_pick`, { branch: "target" })).status).toBe(201);
    expect(await files("target")).toEqual(["100644 a.txt", "100644 b.txt", "100644 dev.txt", "100644 first/file"]);
  });

  test("is refused where nothing changes, and where both changed the same", async () => {
    const { post, change, git, picked } = await forked();
    expect((await post(`${picked}/cherry_pick`, { branch: "main" })).status).toBe(201);
    const again = await post(`${picked}/cherry_pick`, { branch: "main" });
    const sorry =
      "Sorry, we cannot cherry-pick this commit automatically. This commit may already have been cherry-picked, " +
      "or a more recent commit may have updated some of its content.";
    expect([again.status, again.body]).toEqual([400, { message: sorry, error_code: "empty" }]);
    const other = await change(lines([2, "II"]), "main", "Change it again");
    for (const json of [{}, { dry_run: true }]) {
      const { status, body } = await post(`${picked}/cherry_pick`, { branch: "main", ...json });
      const dry = "dry_run" in json ? { dry_run: "error" } : {};
      expect([status, body]).toEqual([400, { message: sorry, error_code: "conflict", ...dry }]);
    }
    expect(await git("rev-parse", "main")).toBe(other);
  });

  test("may be tried", async () => {
    const { post, git, picked, main } = await forked();
    const { status, body } = await post(`${picked}/cherry_pick`, { branch: "main", dry_run: true });
    expect([status, body]).toEqual([200, { dry_run: "success" }]);
    expect(await git("rev-parse", "main")).toBe(main);
  });
});

describe("a revert", () => {
  test("undoes the change of a commit, once", async () => {
    const { id, post, git, change, main } = await forked();
    await change("b2\n", "main", "Change b", "b.txt");
    const { status, body } = await post(`${main}/revert`, { branch: "main" });
    expect([status, body.message]).toEqual([201, `Revert "Change line 15"\n\nThis reverts commit ${main}`]);
    expect(await git("show", "main:a.txt")).toBe(lines().trimEnd());
    expect(await git("show", "main:b.txt")).toBe("b2");
    const again = await post(`${main}/revert`, { branch: "main" });
    expect(again.body).toEqual({
      message:
        "Sorry, we cannot revert this commit automatically. This commit may already have been reverted, or a more " +
        "recent commit may have updated some of its content.",
      error_code: "empty",
    });
    expect((await post(`${main}/revert`, { branch: "main", dry_run: true })).body.dry_run).toBe("error");
    await checkRepository(world, id);
  });

  test("of a first commit removes its files", async () => {
    const { id, post, write, git } = await projectWith(world, "maintainer");
    const first = await write({ a: "1\n", "d/b": "2\n" });
    expect((await post(`${first}/revert`, { branch: "main" })).status).toBe(201);
    expect(await git("ls-tree", "-r", "main")).toBe("");
    await checkRepository(world, id);
  });
});

describe.each(["cherry_pick", "revert"])("%s", (act) => {
  test("is refused for unknown commits and branches, and without a branch", async () => {
    const { post, picked } = await forked();
    expect(messageOf(await post(`none/${act}`, { branch: "main" }))).toEqual([404, "404 Commit Not Found"]);
    expect(messageOf(await post(`${picked}/${act}`, { branch: "none" }))).toEqual([404, "404 Branch Not Found"]);
    expect((await post(`${picked}/${act}`)).body.error).toStartWith("branch is missing");
    expect((await post(`${picked}/${act}`, { branch: " " })).body.error).toBe("branch is empty");
  });

  test("is for those who may push to the branch", async () => {
    const { id, picked, git } = await forked();
    const asked = async (role: "developer" | "reporter" | undefined, branch: string) => {
      const person = await world.user();
      if (role !== undefined) addMember(world, { id }, person, role, "project");
      return messageOf(await commitsOf(world, id, person.token).post(`${picked}/${act}`, { branch, dry_run: true }));
    };
    const refusal = "403 Forbidden - You are not allowed to push into this branch";
    expect(await asked("developer", "main")).toEqual([403, refusal]);
    await git("branch", "open", "main");
    expect((await asked("developer", "open"))[0]).toBe(act === "revert" ? 400 : 200);
    expect(await asked("reporter", "open")).toEqual([403, "403 Forbidden"]);
    expect(await asked(undefined, "open")).toEqual([404, "404 Project Not Found"]);
  });
});
