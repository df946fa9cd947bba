import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { noOid } from "../../../src/git/index.ts";
import { subscribe } from "../../../src/modules/kernel/event.ts";
import { defineModule } from "../../../src/modules/kernel/module.ts";
import { type Push, refPushed } from "../../../src/modules/repositories/repositories/index.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { runGit } from "../../support/git/stock-git.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { makeProject } from "../ci/triggers-and-pipelines/setting.ts";

const pushes: Push[] = [];
const listener = subscribe(refPushed, { run: (_tx, _context, push) => void pushes.push(push) });
const world = await startWorld({}, {}, [defineModule({ name: "listener", on: [listener] })]);
const { id, path_with_namespace } = await makeProject(world, { initialize_with_readme: true });
const repository = `/projects/${id}/repository`;

beforeEach(() => {
  pushes.length = 0;
});

async function call(method: string, path: string, json?: object): Promise<Json> {
  const { status, text, body } = await world.call(method, `${repository}${path}`, { token: rootToken, json });
  if (status >= 300) throw new Error(text);
  return body;
}

const headOf = async (branch: string): Promise<string> => (await call("GET", `/branches/${branch}`)).commit.id;

/** What a hook wants to know of each push since the beginning of the test. */
const told = () =>
  pushes.map(({ ref, before, after, commit, commitCount, refCount, caller }) => {
    expect(caller.user.username).toBe("root");
    return { ref, before, after, commit, commitCount, refCount };
  });

describe("one event says what became of a branch or tag, and who did it:", () => {
  test("a commit of a file, and one of several", async () => {
    const first = await headOf("main");
    await call("POST", "/files/a.txt", { branch: "main", content: "a", commit_message: "a" });
    const second = await headOf("main");
    const actions = [{ action: "create", file_path: "b.txt", content: "b" }];
    await call("POST", "/commits", { branch: "main", commit_message: "b", actions });
    const third = await headOf("main");
    const common = { ref: "refs/heads/main", commitCount: 1, refCount: 1 };
    expect(told()).toEqual([
      { ...common, before: first, after: second, commit: second },
      { ...common, before: second, after: third, commit: third },
    ]);
  });

  test("a branch that is made and deleted", async () => {
    const head = await headOf("main");
    await call("POST", "/branches", { branch: "topic", ref: "main" });
    await call("DELETE", "/branches/topic");
    const common = { ref: "refs/heads/topic", commitCount: 0, refCount: 1 };
    expect(told()).toEqual([
      { ...common, before: noOid, after: head, commit: head },
      { ...common, before: head, after: noOid, commit: undefined },
    ]);
  });

  test("an annotated tag, which has an id of its own", async () => {
    const head = await headOf("main");
    const { target } = await call("POST", "/tags", { tag_name: "v1", ref: "main", message: "the first" });
    await call("DELETE", "/tags/v1");
    const common = { ref: "refs/tags/v1", commitCount: 0, refCount: 1 };
    expect(target).not.toBe(head);
    expect(told()).toEqual([
      { ...common, before: noOid, after: target, commit: head },
      { ...common, before: target, after: noOid, commit: undefined },
    ]);
  });

  test("branches that are merged, deleted by a job", async () => {
    await call("POST", "/branches", { branch: "merged", ref: "main" });
    const old = await headOf("merged");
    await call("POST", "/files/c.txt", { branch: "main", content: "c", commit_message: "c" });
    pushes.length = 0;
    await call("DELETE", "/merged_branches");
    await world.jobsDone();
    expect(told()).toMatchObject([{ ref: "refs/heads/merged", before: old, after: noOid }]);
  });
});

const missing = await installTool(["git", "--version"], "git");

test.skipIf(missing !== undefined)(
  "a push of git has an event for each branch and tag, which know how many they are",
  async () => {
    const folder = await createTempFolder();
    afterAll(() => folder.remove());
    const work = join(folder.path, "work");
    const address = `${world.origin.replace("://", `://x:${rootToken}@`)}/${path_with_namespace}.git`;
    const env = { ...process.env, HOME: "/nonexistent", GIT_TERMINAL_PROMPT: "0" };
    // In a process of its own: this thread serves it.
    const git = async (...args: readonly string[]) => {
      const child = Bun.spawn(["git", ...args], { env, stderr: "pipe", cwd: folder.path });
      const [said, code] = await Promise.all([child.stderr.text(), child.exited]);
      if (code !== 0) throw new Error(said);
    };
    await git("clone", "-q", address, work);
    const before = runGit(work, ["rev-parse", "HEAD"]).trim();
    runGit(work, ["commit", "-q", "--allow-empty", "-m", "one"]);
    runGit(work, ["commit", "-q", "--allow-empty", "-m", "two"]);
    runGit(work, ["tag", "-a", "v2", "-m", "the second"]);
    const [head, tag] = ["HEAD", "v2"].map((name) => runGit(work, ["rev-parse", name]).trim()) as [string, string];
    pushes.length = 0;
    await git("-C", work, "push", "-q", address, "main", "v2");
    expect(told()).toEqual([
      { ref: "refs/heads/main", before, after: head, commit: head, commitCount: 2, refCount: 2 },
      { ref: "refs/tags/v2", before: noOid, after: tag, commit: head, commitCount: 0, refCount: 2 },
    ]);
    pushes.length = 0;
    await git("-C", work, "push", "-q", address, ":v2");
    expect(told()).toEqual([
      { ref: "refs/tags/v2", before: tag, after: noOid, commit: undefined, commitCount: 0, refCount: 1 },
    ]);
  },
);
