import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "../../support/checks/random.ts";
import { until } from "../../support/process/fault-client.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const token = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "correct horse battery" };
const missing = await installTool(["git", "--version"], "git");

async function git(...args: string[]): Promise<string> {
  const child = Bun.spawn(["git", ...args], {
    env: { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(" ")} failed:\n${error}${out}`);
  return out + error;
}

/** Undefined when the connection broke. */
async function call(origin: string, method: string, path: string, json?: object) {
  try {
    const headers = { "PRIVATE-TOKEN": token, "Content-Type": "application/json" };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const answer = await fetch(`${origin}/api/v4${path}`, { method, headers, ...body });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

async function repositoriesBelow(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true });
  return all.filter((path) => path.endsWith(".git")).map((path) => join(folder, path));
}

describe.skipIf(missing !== undefined)("repositories of the executable", () => {
  test("are cloned by folder and over HTTP, from each storage", async () => {
    await using folder = await createTempFolder();
    const storages = `default,second=${folder.path}/second`;
    await using outpost = await startOutpost({ env: { ...env, OUTPOST_REPOSITORY_STORAGES: storages } });
    for (const [at, storage] of ["default", "second"].entries()) {
      const json = { path: storage, initialize_with_readme: true, repository_storage: storage };
      const made = await call(outpost.origin, "POST", "/projects", json);
      expect(made).toMatchObject({ status: 201, body: { repository_storage: storage, default_branch: "main" } });
      const root =
        storage === "second" ? join(folder.path, "second") : join(outpost.dataFolder, "repositories/default");
      const [repository = ""] = await repositoriesBelow(root);
      await git("clone", "-q", repository, join(folder.path, `local${at}`));
      const address = outpost.origin.replace("://", `://root:${token}@`);
      await git("clone", "-q", `${address}/root/${storage}.git`, join(folder.path, `remote${at}`));
      for (const kind of ["local", "remote"]) {
        expect(await git("-C", join(folder.path, `${kind}${at}`), "log", "--format=%s")).toBe("Initial commit\n");
        await git("-C", join(folder.path, `${kind}${at}`), "fsck", "--full", "--strict");
      }
    }
  }, 180_000);

  test("stay intact when the process is killed during commits, and have the acknowledged ones", async () => {
    await using folder = await createTempFolder();
    const random = createRandom(20_260);
    const dataFolder = join(folder.path, "data");
    /** Paths that were acknowledged, by project. */
    const written = new Map<number, string[]>();
    let count = 0;

    const answered = () => [...written.values()].reduce((sum, paths) => sum + paths.length, 0);

    const commit = async ({ origin }: OutpostProcess, id: number) => {
      count += 1;
      const path = `dir${count % 3}/f${count}.txt`;
      const json = { branch: "main", content: `${path}\n`.repeat(50), commit_message: path };
      const answer = await call(origin, "POST", `/projects/${id}/repository/files/${encodeURIComponent(path)}`, json);
      if (answer?.status === 201) written.get(id)?.push(path);
      return answer !== undefined;
    };
    const work = async (outpost: OutpostProcess) => {
      for (let isUp = true; isUp; ) {
        count += 1;
        const made = await call(outpost.origin, "POST", "/projects", { path: `p${count}` });
        if (made?.status !== 201) return;
        written.set(made.body.id, []);
        for (let at = 0; at < 8 && isUp; at += 1) isUp = await commit(outpost, made.body.id);
      }
    };

    for (let round = 0; round < 6; round += 1) {
      await using outpost = await startOutpost({ dataFolder, env });
      const working = Promise.all([work(outpost), work(outpost), work(outpost)]);
      const wanted = answered() + random.integer(10, 50);
      await until("enough is written to be killed in the middle of it", () => answered() >= wanted);
      await outpost.kill();
      await working;
      for (const repository of await repositoriesBelow(join(dataFolder, "repositories"))) {
        const said = await git("-C", repository, "fsck", "--full", "--strict");
        expect(said.replace(/^(notice: .*|dangling .*)\n/gm, "")).toBe("");
      }
    }
    await using outpost = await startOutpost({ dataFolder, env });
    let files = 0;
    for (const [id, paths] of written) {
      await commit(outpost, id);
      const tree = await call(outpost.origin, "GET", `/projects/${id}/repository/tree?recursive=true&per_page=100`);
      const found = tree?.body.map(({ path }: { path: string }) => path);
      for (const path of paths) expect(found).toContain(path);
      expect(paths.length).toBeGreaterThan(0);
      files += paths.length;
      const project = await call(outpost.origin, "GET", `/projects/${id}`);
      expect(project?.body).toMatchObject({ default_branch: "main", empty_repo: false });
    }
    expect(files).toBeGreaterThan(50);
  }, 180_000);
});
