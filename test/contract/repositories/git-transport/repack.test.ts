import { afterAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { installTool } from "../../../support/process/system-tool.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { filesOf, folderOf, git, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";

const world = await startWorld();
const folder = await createTempFolder();
const missing = await installTool(["git", "--version"], "git");
afterAll(() => folder.remove());

describe.skipIf(missing !== undefined)("the packs of many pushes", () => {
  test("are joined with the loose objects by a background job, and nothing is lost", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "busy" });
    const target = join(folder.path, "busy");
    await git(["init", "-q", "-b", "main", target]);
    for (const each of ["name", "email"]) await git(["-C", target, "config", `user.${each}`, "ann@example.com"]);
    const address = `${world.origin.replace("://", `://x:${rootToken}@`)}/${path_with_namespace}.git`;
    await git(["-C", target, "remote", "add", "origin", address]);
    for (let at = 0; at < 22; at += 1) {
      await Bun.write(join(target, "log.txt"), Array.from({ length: at + 1 }, (_, line) => `line ${line}\n`).join(""));
      await git(["-C", target, "add", "-A"]);
      await git(["-C", target, "commit", "-q", "-m", `change ${at}`]);
      await git(["-C", target, "push", "-q", "origin", "main"]);
    }
    await filesOf(world, id, rootToken).create("loose.txt");
    await world.jobsDone();
    const repository = folderOf(world, id);
    const packs = (await readdir(join(repository, "objects/pack"))).filter((name) => name.endsWith(".pack"));
    expect(packs.length).toBeLessThan(4);
    await git(["-C", repository, "fsck", "--full", "--strict"]);
    await git(["-C", target, "pull", "-q", "origin", "main"]);
    expect((await git(["-C", target, "rev-list", "--count", "HEAD"])).trim()).toBe("23");
    const clone = join(folder.path, "clone");
    await git(["clone", "-q", address, clone]);
    expect(await Bun.file(join(clone, "loose.txt")).exists()).toBe(true);
    const { body } = await world.get(`/projects/${id}?statistics=true`);
    expect(body.statistics.commit_count).toBe(23);
  });
});
