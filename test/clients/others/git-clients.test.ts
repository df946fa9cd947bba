import { afterAll, describe, expect, test } from "bun:test";
import fs from "node:fs";
import { join } from "node:path";
import * as git from "isomorphic-git";
import http from "isomorphic-git/http/web";
import { checkRepository, makeProject } from "../../contract/ci/triggers-and-pipelines/setting.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const python = "/usr/bin/python3";
const missing = await installTool([python, "-c", "import dulwich"], "python3-dulwich");
const world = await startWorld();
const folder = await createTempFolder();
afterAll(() => folder.remove());

describe.skipIf(missing !== undefined)("dulwich, unmodified", () => {
  test("clones, fetches and pushes", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "by-dulwich" });
    const remote = `${world.origin.replace("://", `://x:${rootToken}@`)}/${path_with_namespace}.git`;
    const script = join(import.meta.dir, "dulwich-pushes.py");
    expect(await runClientScript([python, script], { REMOTE: remote, FOLDER: folder.path })).toEqual({
      empty: {},
      pushed: true,
      cloned: true,
      file: true,
      fetched: true,
      tags: [true, true],
      not_forced: "DivergedBranches",
      forced: true,
      deleted: false,
      declined: true,
      kept: true,
      shallow: [2, 1],
      pushed_from_shallow: true,
      wrong_token: "HTTPUnauthorized",
    });
    await checkRepository(world, id);
  });
});

describe("isomorphic-git, unmodified", () => {
  const author = { name: "Ann", email: "ann@x.example" };

  /** A repository whose remote is a new project. */
  async function begin(path: string) {
    const { id, path_with_namespace } = await makeProject(world, { path });
    const url = `${world.origin}/${path_with_namespace}.git`;
    const onAuth = () => ({ username: "x", password: rootToken });
    const there = { fs, http, onAuth, url };
    const work = { fs, dir: join(folder.path, path) };
    await git.init({ ...work, defaultBranch: "main" });
    await git.addRemote({ ...work, remote: "origin", url });
    const commit = async (name: string, text: string) => {
      await Bun.write(join(work.dir, name), text);
      await git.add({ ...work, filepath: name });
      return git.commit({ ...work, message: `change ${name}\n`, author });
    };
    const refs = async () => {
      const listed = await git.listServerRefs({ http, onAuth, url, peelTags: true });
      return listed.map(({ ref, oid, peeled }) => `${ref} ${peeled ?? oid}`).sort();
    };
    const push = (ref: string, options: object = {}) => git.push({ ...work, ...there, ref, ...options });
    return { id, there, work, commit, refs, push };
  }

  test("clones, fetches and pushes", async () => {
    const { id, there, work, commit, refs, push } = await begin("by-isomorphic-git");
    expect(await refs()).toEqual([]);
    const oids: string[] = [];
    for (let at = 0; at < 6; at += 1) oids.push(await commit(`f${at}.txt`, `content ${at}\n`.repeat(200)));
    expect(await push("main")).toMatchObject({ ok: true });
    expect(await refs()).toEqual([`HEAD ${oids[5]}`, `refs/heads/main ${oids[5]}`]);
    const clone = { fs, dir: join(folder.path, "isomorphic-clone") };
    await git.clone({ ...there, ...clone });
    const log = async (at: typeof clone) => (await git.log(at)).map(({ oid }) => oid);
    expect(await log(clone)).toEqual(oids.toReversed());
    expect(await Bun.file(join(clone.dir, "f5.txt")).text()).toBe("content 5\n".repeat(200));
    const late = await commit("late.txt", "late\n");
    await push("main");
    expect(await git.fetch({ ...there, ...clone })).toMatchObject({ fetchHead: late });
    await checkRepository(world, id);
    expect(await git.resolveRef({ ...work, ref: "refs/remotes/origin/main" })).toBe(late);
  });

  test("pushes tags and branches, with force too, and deletes them", async () => {
    const { id, work, commit, refs, push } = await begin("isomorphic-refs");
    const [first, second] = [await commit("a.txt", "a\n"), await commit("b.txt", "b\n")];
    await push("main");
    await git.annotatedTag({ ...work, ref: "v1", object: first, message: "first\n", tagger: author });
    await git.tag({ ...work, ref: "light", object: second });
    for (const tag of ["v1", "light"]) await push(tag);
    await git.branch({ ...work, ref: "side" });
    await push("side");
    const [main, light] = [`refs/heads/main ${second}`, `refs/tags/light ${second}`];
    const all = (side: string) => [`HEAD ${second}`, main, `refs/heads/side ${side}`, light, `refs/tags/v1 ${first}`];
    expect(await refs()).toEqual(all(second));
    await git.branch({ ...work, ref: "side", object: first, force: true });
    await expect(push("side")).rejects.toThrow("not a simple fast-forward");
    await push("side", { force: true });
    expect(await refs()).toEqual(all(first));
    for (const ref of ["refs/heads/side", "refs/tags/v1"]) await push("", { remoteRef: ref, delete: true });
    expect(await refs()).toEqual([`HEAD ${second}`, main, light]);
    const refused = push("", { remoteRef: "refs/heads/main", delete: true });
    await expect(refused).rejects.toThrow("pre-receive hook declined");
    await checkRepository(world, id);
  });

  test("clones a part of the history, and more of it later", async () => {
    const { there, commit, push } = await begin("isomorphic-depth");
    for (let at = 0; at < 6; at += 1) await commit(`f${at}.txt`, `content ${at}\n`);
    await push("main");
    const clone = { fs, dir: join(folder.path, "isomorphic-shallow") };
    await git.clone({ ...there, ...clone, depth: 2, singleBranch: true });
    expect(await git.log(clone)).toHaveLength(2);
    await git.fetch({ ...there, ...clone, depth: 4, singleBranch: true });
    expect(await git.log(clone)).toHaveLength(4);
  });
});
