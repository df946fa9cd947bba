import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { placeOf } from "../../../../src/modules/repositories/repositories/index.ts";
import { type Json, rootToken, type World } from "../../../support/fixtures/world.ts";

let count = 0;

/** A project of root's, private unless said. */
export async function makeProject(world: World, attributes: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  count += 1;
  const json = { path: `code${count}`, ...attributes };
  const { body, status, text } = await world.call("POST", "/projects", { token: rootToken, json });
  if (status !== 201) throw new Error(`no project: ${status} ${text}`);
  return body;
}

type Attributes = Readonly<Record<string, unknown>>;

/** The files of a project, asked for with a token. */
export function filesOf(world: World, id: number, token: string | undefined) {
  const at = (path: string) => `/projects/${id}/repository/files/${encodeURIComponent(path)}`;
  const commit = { branch: "main", commit_message: "Change a file" };
  const query = (ref: string | undefined) => (ref === undefined ? {} : { query: { ref } });
  return {
    show: () => world.call("GET", `/projects/${id}`, { token }),
    create: (path: string, json: Attributes = {}) =>
      world.call("POST", at(path), { token, json: { ...commit, content: `content of ${path}`, ...json } }),
    change: (path: string, json: Attributes = {}) =>
      world.call("PUT", at(path), { token, json: { ...commit, content: `more of ${path}`, ...json } }),
    remove: (path: string, json: Attributes = {}) =>
      world.call("DELETE", at(path), { token, json: { ...commit, ...json } }),
    get: (path: string, ref = "main") => world.call("GET", at(path), { token, ...query(ref) }),
    raw: (path: string, ref?: string) => world.call("GET", `${at(path)}/raw`, { token, ...query(ref) }),
  };
}

/** The folder of a project's repository. */
export function folderOf(world: World, projectId: number): string {
  const project = world.store.of(projects).get(projectId);
  if (project === undefined) throw new Error(`no project ${projectId}`);
  return world.context.repositories.folderOf(placeOf(project));
}

/** Throws what git finds wrong with a project's repository. */
export async function checkRepository(world: World, projectId: number): Promise<void> {
  await git(["-C", folderOf(world, projectId), "fsck", "--full", "--strict"]);
}

/** Runs the stock client and returns what it printed. Throws when it fails, or finds something to say on stderr. */
export async function git(args: readonly string[], input = ""): Promise<string> {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0", HOME: "/nonexistent" };
  const child = Bun.spawn(["git", ...args], { env, stdin: new Blob([input]), stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(" ")} failed:\n${error}${out}`);
  if (args.includes("fsck") && /error|warning|missing|corrupt/i.test(error + out)) throw new Error(error + out);
  return out;
}
