import { afterAll, beforeAll, expect, test } from "bun:test";
import { type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const token = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "correct horse battery" };

let folder: TempFolder;

/** A private project `mill/loom` of root's; ada is a Developer of the group, bo of nothing, cy is blocked. */
beforeAll(async () => {
  folder = await createTempFolder();
  await using outpost = await startOutpost({ env, dataFolder: folder.path });
  for (const username of ["ada", "bo", "cy"]) {
    const email = `${username}@skylark.example`;
    await post(outpost, "/users", { username, name: username, email, force_random_password: true });
  }
  await post(outpost, "/groups", { name: "mill", path: "mill", visibility: "private" });
  const { id } = (await post(outpost, "/groups", { name: "guests", path: "guests" })) as { id: number };
  await post(outpost, "/projects", { name: "loom", namespace_id: await groupId(outpost), visibility: "private" });
  await post(outpost, "/groups/mill/members", { user_id: 2, access_level: 30 });
  await post(outpost, "/groups/mill/share", { group_id: id, group_access: 20 });
  await post(outpost, "/groups/guests/members", { user_id: 2, access_level: 40 });
  await post(outpost, "/users/4/block", {});
  await outpost.stop();
});

afterAll(() => folder.remove());

async function post({ origin }: OutpostProcess, path: string, body: object): Promise<unknown> {
  const headers = { "PRIVATE-TOKEN": token, "Content-Type": "application/json" };
  const answer = await fetch(`${origin}/api/v4${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

async function groupId({ origin }: OutpostProcess): Promise<number> {
  const answer = await fetch(`${origin}/api/v4/groups/mill`, { headers: { "PRIVATE-TOKEN": token } });
  return ((await answer.json()) as { id: number }).id;
}

function explain(...args: string[]) {
  return runOutpost(["explain", ...args, "--data", folder.path]);
}

test("the command names the operation, the rule, the role and every membership that gives it", async () => {
  const { exitCode, stdout, stderr } = await explain("ada", "POST", "/projects/mill%2Floom/issues");
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toMatchInlineSnapshot(`
    "user       ada
    operation  POST /projects/:id/issues: Create an issue
    who may    whoever sees the project, signed in
    role       Developer (30)
    by         Developer (30): inherited from the group mill above
    by         Reporter (20): a member of the invited group guests, with at most Reporter
    result     allowed; the operation then checks parameters, token scopes and its own rules
    "
  `);
});

test("as JSON, with keys that stay", async () => {
  const { exitCode, stdout } = await explain("ada", "delete", "/api/v4/projects/mill%2Floom", "--json");
  expect(exitCode).toBe(4);
  expect(JSON.parse(stdout)).toEqual({
    user: "ada",
    operation: { method: "DELETE", path: "/projects/:id", summary: expect.any(String) },
    rule: expect.stringContaining("Owner"),
    role: { access_level: 30, name: "Developer" },
    ways: [
      { access_level: 30, name: "Developer", from: "inherited from the group mill above" },
      {
        access_level: 20,
        name: "Reporter",
        from: "a member of the invited group guests, with at most Reporter",
      },
    ],
    allowed: false,
    reason: expect.stringMatching(/^403 Forbidden/),
  });
});

test.each([
  ["bo", "GET", "/projects/mill%2Floom", "404: the project mill/loom is private, and bo has no role in it"],
  ["bo", "GET", "/projects/mill%2Fnothing", "404: there is no project mill/nothing"],
  ["cy", "GET", "/version", "403: the account is blocked, so its tokens do not work"],
  ["nobody", "GET", "/user", "401: the caller is anonymous"],
  ["ada", "DELETE", "/users/3", "403: only administrators may call"],
])("%s is refused %s %s", async (user, method, path, reason) => {
  const { exitCode, stdout } = await explain(user, method, path);
  expect([exitCode, stdout]).toEqual([4, expect.stringContaining(`refused, ${reason}\n`)]);
});

test("an operation of a higher edition is refused in a lower one, and an administrator is allowed everywhere", async () => {
  const path = "/groups/mill/epics";
  expect((await explain("ada", "GET", path, "--edition", "community")).stdout).toMatch(/refused, 40[34]/);
  expect(await explain("root", "DELETE", "/projects/mill%2Floom")).toMatchObject({ exitCode: 0 });
});

test("an unknown operation is wrong use", async () => {
  expect(await explain("ada", "GET", "/nothing/of/it")).toMatchObject({
    exitCode: 2,
    stderr: "outpost: the API has no GET /nothing/of/it\ntry: outpost explain --help\n",
  });
});

test("a path of a project without its beginning is named", async () => {
  expect(await explain("ada", "GET", "mill/loom")).toMatchObject({
    exitCode: 2,
    stderr: "outpost: the API has no GET mill/loom\ntry: outpost explain ada GET projects/mill/loom\n",
  });
});

test("through a running server, the answer is the same", async () => {
  const questions = [
    ["ada", "POST", "/projects/mill%2Floom/issues"],
    ["bo", "GET", "/projects/mill%2Floom"],
    ["nobody", "GET", "/user", "--json"],
    ["4", "GET", "/version"],
  ];
  const stopped: unknown[] = [];
  for (const args of questions) stopped.push(await explain(...args));
  await using _outpost = await startOutpost({ env, dataFolder: folder.path });
  for (const [at, args] of questions.entries()) {
    expect(await explain(...args, "--token", token)).toEqual(stopped[at] as Awaited<ReturnType<typeof explain>>);
  }
  expect(await explain("none", "GET", "/user", "--token", token)).toMatchObject({
    exitCode: 1,
    stderr: "outpost: no user is called none\ntry: outpost user list\n",
  });
});

test("the path of a project may have its slashes", async () => {
  const { exitCode, stdout } = await explain("ada", "GET", "projects/mill/loom/issues");
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("GET /projects/:id/issues")]);
});
