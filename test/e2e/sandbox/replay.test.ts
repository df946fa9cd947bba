import { describe, expect, test } from "bun:test";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const token = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "correct horse battery" };

async function call(origin: string, method: string, path: string, json?: object, by = token) {
  const answer = await fetch(`${origin}/api/v4${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": by, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

const person = (username: string) => ({
  ...{ username, name: username, email: `${username}@skylark.example`, force_random_password: true },
});

/** A user with a token, who makes a project with an issue and a file. */
async function work(origin: string): Promise<void> {
  const { body: user } = await call(origin, "POST", "/users", person("mara"));
  const { body: made } = await call(origin, "POST", `/users/${user.id}/personal_access_tokens`, {
    ...{ name: "ci", scopes: ["api"] },
  });
  const { body: project } = await call(origin, "POST", "/projects", { name: "Station" }, made.token);
  await call(
    origin,
    "POST",
    `/projects/${project.id}/issues`,
    { title: "Too blue", assignee_ids: [user.id] },
    made.token,
  );
  await call(origin, "PUT", `/projects/${project.id}/issues/1`, { add_labels: "bug" }, made.token);
  const file = { branch: "main", content: "a", commit_message: "add" };
  await call(origin, "POST", `/projects/${project.id}/repository/files/a.txt`, file, made.token);
  const { body: commits } = await call(
    origin,
    "GET",
    `/projects/${project.id}/repository/commits`,
    undefined,
    made.token,
  );
  await call(origin, "GET", `/projects/${project.id}/repository/commits/${commits[0].id}`, undefined, made.token);
  await call(origin, "GET", `/projects/${project.id}/issues?author_id=${user.id}`, undefined, made.token);
  await call(origin, "DELETE", `/projects/${project.id}/issues/1`, undefined, made.token);
  expect((await call(origin, "GET", "/nowhere", undefined, made.token)).status).toBe(404);
}

async function record(folder: string): Promise<string> {
  const file = join(folder, "run.har");
  const server = await startOutpost({ env, args: ["--sandbox", "--record", file] });
  await work(server.origin);
  await server.stop();
  return file;
}

const replay = (file: string, url: string, ...more: string[]) =>
  runOutpost(["replay", file, "--url", url, "--json", ...more], { env: { OUTPOST_TOKEN: token } });

describe("a recording", () => {
  test("is answered the same by a server that has other ids, and the tokens of the run are used", async () => {
    await using folder = await createTempFolder();
    const file = await record(folder.path);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, "utf8");
    expect(JSON.parse(text).log.entries).toHaveLength(11);
    expect(text).not.toContain(token);
    expect(text).not.toMatch(/opx-\w/);

    await using other = await startOutpost({ env });
    for (const name of ["kofi", "priya"]) {
      const { body: user } = await call(other.origin, "POST", "/users", person(name));
      await call(other.origin, "POST", "/projects", { name: `of-${user.id}` });
    }
    const { exitCode, stdout } = await replay(file, other.origin);
    expect(JSON.parse(stdout)).toEqual({
      ...{ url: other.origin, calls: 11, same: 11, different: 0, skipped: 0 },
      results: [],
    });
    expect(exitCode).toBe(0);
  }, 60_000);

  test("shows where a server answers otherwise", async () => {
    await using folder = await createTempFolder();
    const file = await record(folder.path);
    await using real = await startOutpost({ env });
    // Stands for a server with a fault: one name is another, and one thing is gone.
    using deviating = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        if (/\/commits\/\w+$/.test(pathname))
          return Response.json({ message: "404 Commit Not Found" }, { status: 404 });
        const { method, headers } = request;
        const body = request.body === null ? null : await request.text();
        const answer = await fetch(`${real.origin}${pathname}${search}`, { method, headers, body });
        if (answer.status === 204) return answer;
        return new Response((await answer.text()).replaceAll("Too blue", "Too red"), answer);
      },
    });
    const { exitCode, stdout } = await replay(file, `http://127.0.0.1:${deviating.port}`);
    expect(exitCode).toBe(1);
    const { different, results } = JSON.parse(stdout);
    expect(different).toBe(results.length);
    const found = results.flatMap(
      ({ method, path, differences }: { method: string; path: string; differences: object[] }) =>
        differences.map((each) => ({ call: `${method} ${path}`, ...each })),
    );
    expect(found).toContainEqual({
      ...{ call: "POST /api/v4/projects/1/issues", at: "title", recorded: "Too blue", came: "Too red" },
    });
    expect(found).toContainEqual({
      ...{ call: expect.stringContaining("/repository/commits/"), at: "status", recorded: 200, came: 404 },
    });
    const text = await runOutpost(["replay", file, "--url", `http://127.0.0.1:${deviating.port}`], {
      env: { OUTPOST_TOKEN: token },
    });
    expect(text.stdout).toMatch(/\n11 calls: \d+ as recorded, \d+ different, 0 skipped\n$/);
  }, 60_000);

  test("skips what needs a token that nobody gave, and takes it from --as", async () => {
    await using folder = await createTempFolder();
    const file = join(folder.path, "run.har");
    const server = await startOutpost({ env, args: ["--sandbox"] });
    const { body: user } = await call(server.origin, "POST", "/users", person("mara"));
    const { body: made } = await call(server.origin, "POST", `/users/${user.id}/personal_access_tokens`, {
      ...{ name: "ci", scopes: ["api"] },
    });
    await fetch(`${server.origin}/-/sandbox/requests`, { method: "DELETE", headers: { "PRIVATE-TOKEN": token } });
    await call(server.origin, "GET", "/user", undefined, made.token);
    const har = await fetch(`${server.origin}/-/sandbox/requests?format=har`, { headers: { "PRIVATE-TOKEN": token } });
    await writeFile(file, await har.text());
    const without = await replay(file, server.origin);
    expect([without.exitCode, JSON.parse(without.stdout)]).toEqual([
      1,
      expect.objectContaining({ same: 0, skipped: 1 }),
    ]);
    const given = await replay(file, server.origin, "--as", `mara=${made.token}`);
    expect([given.exitCode, JSON.parse(given.stdout)]).toEqual([0, expect.objectContaining({ same: 1, skipped: 0 })]);
    await server.stop();
  }, 60_000);

  test("that a kill cut off is read up to its last whole request", async () => {
    await using folder = await createTempFolder();
    const file = join(folder.path, "run.har");
    await using server = await startOutpost({ env, args: ["--sandbox", "--record", file] });
    await work(server.origin);
    await server.kill();
    const text = await readFile(file, "utf8");
    expect(() => JSON.parse(text)).toThrow();
    await writeFile(file, text.slice(0, -20));
    await using other = await startOutpost({ env });
    const { exitCode, stdout } = await replay(file, other.origin);
    const { calls, same } = JSON.parse(stdout);
    expect(calls).toBeWithin(8, 12);
    expect([exitCode, same]).toEqual([0, calls]);
  }, 60_000);

  test.each([
    ["none", "does not exist"],
    ["text", "is no HTTP Archive: it is not JSON"],
    ["json", "is no HTTP Archive: /log"],
  ])("that is %s is refused", async (kind, reason) => {
    await using folder = await createTempFolder();
    const file = join(folder.path, "run.har");
    if (kind !== "none") await writeFile(file, kind === "json" ? "{}" : "no");
    const { exitCode, stderr } = await replay(file, "http://127.0.0.1:1");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});

test("a recording that cannot be written ends the start", async () => {
  await using folder = await createTempFolder();
  const file = join(folder.path, "none/run.har");
  const { exitCode, stderr } = await runOutpost(
    ["serve", "--port", "0", "--data", join(folder.path, "data"), "--sandbox", "--record", file],
    { env },
  );
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`the recording ${file} cannot be written`)]);
});

test.each([
  [["--record", "run.har"], "--record requires --sandbox"],
  [["--outgoing", "sink"], "--outgoing sink requires --sandbox"],
])("%p on an ordinary server is wrong use", async (flags, reason) => {
  const { exitCode, stderr } = await runOutpost(["serve", "--port", "0", ...flags]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
});
