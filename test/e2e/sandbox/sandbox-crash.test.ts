import { expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { startOutpost } from "../../support/process/outpost-process.ts";
import { startUnder } from "../../support/process/outpost-under.ts";
import { installStrace } from "../../support/process/strace.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const token = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "correct horse battery", OUTPOST_SANDBOX: "true" };
const noStrace = await installStrace();
/** System calls that change names in folders, and after how many of them the kills are. */
const kills = [
  ["rename", 1],
  ["fsync", 3],
  ["unlink", 4],
] as const;

async function call(
  origin: string,
  method: string,
  path: string,
  json?: object,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** What the server shows of its projects: their descriptions, and the messages of their commits. */
async function shownBy(origin: string): Promise<unknown[]> {
  const shown: unknown[] = [];
  for (let id = 1; id <= 3; id += 1) {
    const project = await call(origin, "GET", `/api/v4/projects/${id}`);
    if (project.status !== 200) shown.push(project.status);
    else {
      const commits = await call(origin, "GET", `/api/v4/projects/${id}/repository/commits`);
      const titles = (JSON.parse(commits.text) as { title: string }[]).map(({ title }) => title);
      shown.push([JSON.parse(project.text).description, ...titles]);
    }
  }
  return shown;
}

const changeAll = async (origin: string, content: string) => {
  for (const id of [1, 2]) {
    const file = { branch: "main", commit_message: content, content };
    const path = `/api/v4/projects/${id}/repository/files/${content}`;
    expect((await call(origin, "POST", path, file)).status).toBe(201);
    expect((await call(origin, "PUT", `/api/v4/projects/${id}`, { description: content })).status).toBe(200);
  }
};

test.skipIf(noStrace !== undefined)(
  "killed in the midst of a restore, documents and repositories are both as before it, or both at the checkpoint",
  async () => {
    await using folder = await createTempFolder();
    const prepared = join(folder.path, "prepared");
    const first = await startOutpost({ env, dataFolder: prepared });
    for (const name of ["one", "two"]) {
      await call(first.origin, "POST", "/api/v4/projects", { name, initialize_with_readme: true });
    }
    expect((await call(first.origin, "PUT", "/-/sandbox/checkpoints/a")).status).toBe(201);
    const wanted = await shownBy(first.origin);
    await changeAll(first.origin, "earlier");
    expect((await call(first.origin, "PUT", "/-/sandbox/checkpoints/b")).status).toBe(201);
    await changeAll(first.origin, "later");
    await call(first.origin, "POST", "/api/v4/projects", { name: "three", initialize_with_readme: true });
    const before = await shownBy(first.origin);
    await first.stop();
    let killed = 0;
    for (const [kind, step] of kills) {
      for (let n = 1, isKilled = true; isKilled; n += step) {
        const dataFolder = join(folder.path, `${kind}${n}`);
        await cp(prepared, dataFolder, { recursive: true });
        // With `-D` the process is the server: a kill reaches it, not the tracer alone.
        const strace = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", `trace=${kind}`];
        const inject = ["-e", `inject=${kind}:signal=SIGKILL:when=${n}`];
        const traced = await startUnder([...strace, ...inject], dataFolder, env).catch(() => undefined);
        if (traced !== undefined) {
          const restored = call(traced.origin, "POST", "/-/sandbox/checkpoints/a/restore");
          const status = await restored.then(
            (answer) => answer.status,
            () => "cut off",
          );
          isKilled = status !== 204;
          await traced[Symbol.asyncDispose]();
        }
        await using next = await startOutpost({ dataFolder });
        const shown = await shownBy(next.origin);
        if (isKilled) killed += 1;
        if (!isKilled || !Bun.deepEquals(shown, before)) expect([kind, n, shown]).toEqual([kind, n, wanted]);
      }
    }
    expect(killed).toBeGreaterThan(2);
  },
  300_000,
);
