import { expect, test } from "bun:test";
import { rootToken, startWorld, type World } from "../../support/fixtures/world.ts";

/** The bodies of calls that make and show many things, on a clock that stands still. */
async function bodies(world: World): Promise<string[]> {
  const texts: string[] = [];
  const call = async (method: string, path: string, json?: object) => {
    const options = { token: rootToken, ...(json === undefined ? {} : { json }) };
    const answer = await world.call(method, path, options);
    texts.push(`${method} ${path} ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const { id: user } = await call("POST", "/users", {
    ...{ username: "kofi", name: "Kofi", email: "kofi@example.test" },
    force_random_password: true,
  });
  await call("POST", `/users/${user}/personal_access_tokens`, { name: "ci", scopes: ["api"] });
  const { id: group } = await call("POST", "/groups", { name: "Skylark", path: "skylark" });
  const { id: project } = await call("POST", "/projects", {
    ...{ name: "Station", path: "station", namespace_id: group, initialize_with_readme: true },
  });
  await call("POST", `/projects/${project}/members`, { user_id: user, access_level: 30 });
  await call("POST", `/projects/${project}/issues`, { title: "Too blue", labels: "bug", assignee_ids: [user] });
  await call("POST", `/projects/${project}/triggers`, { description: "nightly" });
  await call("POST", `/projects/${project}/repository/files/a.txt`, {
    ...{ branch: "main", content: "a", commit_message: "add" },
  });
  await call("POST", "/user/runners", { runner_type: "instance_type" });
  await world.jobsDone();
  for (const path of ["/users", "/groups", "/projects?statistics=true", "/issues?scope=all", "/audit_events"]) {
    await call("GET", path);
  }
  for (const path of ["repository/commits", "repository/branches", "members/all", "issues_statistics", "triggers"]) {
    await call("GET", `/projects/${project}/${path}`);
  }
  await call("GET", "/-/outbox");
  return texts;
}

async function startSeeded(rngSeed: number): Promise<World> {
  const world = await startWorld({ sandbox: true, rngSeed, externalUrl: "https://outpost.example" });
  await world.rootPasswordStored();
  return world;
}

const first = await startSeeded(7);
const bodiesOfFirst = await bodies(first);

test("two servers with one number and the same calls answer with the same bytes", async () => {
  expect(await bodies(await startSeeded(7))).toEqual(bodiesOfFirst);
});

test("a server with another number gives other tokens", async () => {
  expect(await bodies(await startSeeded(8))).not.toEqual(bodiesOfFirst);
});

test("the same calls after a reset, and after a restore, answer with the same bytes", async () => {
  const reset = () => first.call("POST", "/-/sandbox/reset", { token: rootToken });
  expect((await reset()).status).toBe(204);
  expect(await bodies(first)).toEqual(bodiesOfFirst);
  await reset();
  await first.call("PUT", "/-/sandbox/checkpoints/empty", { token: rootToken });
  expect(await bodies(first)).toEqual(bodiesOfFirst);
  await first.call("POST", "/-/sandbox/checkpoints/empty/restore", { token: rootToken });
  expect(await bodies(first)).toEqual(bodiesOfFirst);
});
