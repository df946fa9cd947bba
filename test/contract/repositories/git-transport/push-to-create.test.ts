import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { installTool } from "../../../support/process/system-tool.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { git, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

const world = await startWorld();
const folder = await createTempFolder();
const missing = await installTool(["git", "--version"], "git");
afterAll(() => folder.remove());

const addressOf = (path: string, token: string) => `${world.origin.replace("://", `://x:${token}@`)}/${path}.git`;
const refsOf = (path: string, token: string, more: object = {}) =>
  world.call("GET", `/${path}.git/info/refs`, { token, query: { service: "git-receive-pack" }, ...more });

/** A work tree with one commit. */
async function workTree(name: string): Promise<string> {
  const target = join(folder.path, name);
  await git(["init", "-q", "-b", "main", target]);
  await Bun.write(join(target, "README.md"), "# New\n");
  await git(["-C", target, "add", "-A"]);
  const author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
  await git(["-C", target, ...author, "commit", "-q", "-m", "begin"]);
  return target;
}

/** What git prints of a push, and whether it went through. */
async function push(target: string, address: string): Promise<{ readonly said: string; readonly isTaken: boolean }> {
  const env = { ...process.env, HOME: "/nonexistent", GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", "-C", target, "push", address, "main"], { env, stderr: "pipe" });
  const said = (await child.stderr.text()).replace(/ +$/gm, "");
  return { said, isTaken: (await child.exited) === 0 };
}

const group = async (path: string, attributes: object = {}) =>
  (await world.call("POST", "/groups", { token: rootToken, json: { name: path, path, ...attributes } })).body;

describe.skipIf(missing !== undefined)("git push to a path without a project", () => {
  test("makes a private project, and says so once", async () => {
    const ann = await world.user({ username: "ann" });
    const target = await workTree("own");
    const { said, isTaken } = await push(target, addressOf("ann/new.one", ann.token));
    expect(isTaken).toBe(true);
    expect(said).toContain(`remote: The private project ann/new.one was successfully created.`);
    expect(said).toContain(`remote:   git remote add origin ${world.origin}/ann/new.one.git`);
    expect(said).toContain(`remote:   ${world.origin}/ann/new.one\n`);
    const { body } = await world.call("GET", "/projects/ann%2Fnew.one", { token: ann.token });
    expect(body).toMatchObject({ visibility: "private", default_branch: "main", creator_id: ann.id, name: "new.one" });
    const { body: events } = await world.call("GET", `/projects/${body.id}/audit_events`, { token: rootToken });
    expect(events).toMatchObject([{ author_id: ann.id, details: { custom_message: "Added project" } }]);
    await git([
      "-C",
      target,
      "-c",
      "user.name=A",
      "-c",
      "user.email=a@b.c",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "2",
    ]);
    const again = await push(target, addressOf("ann/new.one", ann.token));
    expect([again.isTaken, again.said.includes("remote:")]).toEqual([true, false]);
  });

  test("makes it in a group that lets the pusher make projects, and in no other namespace", async () => {
    const open = await group("open-group", { visibility: "public", project_creation_level: "developer" });
    await group("closed-group", { visibility: "public" });
    const dev = await world.user({ username: "dev" });
    await world.user({ username: "other" });
    addMember(world, { id: open.id }, dev, "developer", "group");
    expect((await refsOf("open-group/made", dev.token)).status).toBe(200);
    expect((await world.call("GET", "/projects/open-group%2Fmade", { token: dev.token })).status).toBe(200);
    for (const path of ["closed-group/made", "other/made", "nowhere/made", "made", "open-group/made/below"]) {
      const { status, text } = await refsOf(path, dev.token);
      expect([path, status, text]).toEqual([path, 404, expect.stringContaining("could not be found")]);
    }
  });

  test("makes none of a name that is refused, nor where something is that the pusher does not see", async () => {
    const eve = await world.user({ username: "eve" });
    const refused = await refsOf("eve/new", eve.token);
    expect([refused.status, refused.text]).toEqual([422, "Could not create project: Path new is a reserved name\n"]);
    expect(refused.headers.get("content-type")).toStartWith("text/plain");
    await group("hidden", { visibility: "private" });
    const { namespace } = await makeProject(world, { path: "unseen" });
    expect((await refsOf(`${namespace.full_path}/unseen`, eve.token)).status).toBe(404);
    await world.call("PUT", `/users/${eve.id}`, { token: rootToken, json: { projects_limit: 0 } });
    const { status, text } = await refsOf("eve/limited", eve.token);
    expect([status, text]).toEqual([422, expect.stringContaining("Could not create project: Your project limit is 0")]);
  });

  test("needs credentials that may write, and makes nothing for a fetch", async () => {
    const kay = await world.user({ username: "kay" });
    const { token } = await world.token(kay.id, { scopes: ["read_repository"] });
    expect((await refsOf("kay/x", token)).status).toBe(403);
    expect((await world.call("GET", "/kay/x.git/info/refs?service=git-receive-pack")).status).toBe(401);
    const asked = { query: { service: "git-upload-pack" } };
    expect((await refsOf("kay/x", kay.token, asked)).status).toBe(404);
    expect((await refsOf("kay/x.wiki", kay.token)).status).toBe(404);
    expect((await world.call("GET", "/users/kay/projects", { token: kay.token })).body).toEqual([]);
  });

  test("tells of the new path of a project that was moved", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "before" });
    await world.call("PUT", `/projects/${id}`, { token: rootToken, json: { path: "after" } });
    const { said, isTaken } = await push(await workTree("moved"), addressOf(path_with_namespace, rootToken));
    const now = path_with_namespace.replace("before", "after");
    expect(isTaken).toBe(true);
    expect(said).toContain(`remote: Project '${path_with_namespace}' was moved to '${now}'.`);
    expect(said).toContain(`remote:   git remote set-url origin ${world.origin}/${now}.git`);
  });
});
