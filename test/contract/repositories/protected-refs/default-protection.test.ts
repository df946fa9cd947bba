import { describe, expect, test } from "bun:test";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

const world = await startWorld();
const [dev, maintainer, reporter] = [await world.user(), await world.user(), await world.user()];
let count = 0;

async function setProtection(json: object): Promise<Json> {
  const { status, body } = await world.call("PUT", "/application/settings", { token: rootToken, json });
  expect(status).toBe(200);
  return body;
}

/** A project with a developer and a maintainer, in a group if one is given. */
async function project({ group, withReadme = true }: { group?: Json; withReadme?: boolean } = {}) {
  count += 1;
  const json = { path: `born${count}`, initialize_with_readme: withReadme, namespace_id: group?.id };
  const { body } = await world.call("POST", "/projects", { token: rootToken, json });
  addMember(world, body, dev, "developer", "project");
  addMember(world, body, maintainer, "maintainer", "project");
  addMember(world, body, reporter, "reporter", "project");
  const at = `/projects/${body.id}/repository`;
  const write = (token: string, branch: string, others: object = {}) => {
    count += 1;
    const file = { branch, content: "x", commit_message: "Add a file", ...others };
    return world.call("POST", `${at}/files/f${count}`, { token, json: file });
  };
  const branch = async (name: string, token = dev.token) =>
    (await world.call("GET", `${at}/branches/${encodeURIComponent(name)}`, { token })).body;
  const call = (method: string, end: string, token: string, json?: object) =>
    world.call(method, `${at}${end}`, json === undefined ? { token } : { token, json });
  return { ...body, write, branch, call };
}

const refused = { message: "You are not allowed to push into this branch" };

describe("an instance as it begins", () => {
  test("protects main of a new project: maintainers write to it, developers to branches of their own", async () => {
    const { write, branch, call } = await project();
    const { status, body } = await write(dev.token, "main");
    expect([status, body]).toEqual([400, refused]);
    expect((await write(reporter.token, "main")).status).toBe(403);
    expect((await write(maintainer.token, "main")).status).toBe(201);
    expect((await write(dev.token, "mine", { start_branch: "main" })).status).toBe(201);
    expect((await write(dev.token, "mine")).status).toBe(201);
    const shown = { protected: true, developers_can_push: false, developers_can_merge: false };
    expect(await branch("main")).toMatchObject({ ...shown, can_push: false });
    expect(await branch("main", maintainer.token)).toMatchObject({ ...shown, can_push: true });
    expect(await branch("mine")).toMatchObject({ ...shown, protected: false, can_push: true });
    expect(await branch("mine", reporter.token)).toMatchObject({ can_push: false });
    const list = (await call("GET", "/branches", dev.token)).body;
    expect(list.map((each: Json) => [each.name, each.protected, each.can_push])).toEqual([
      ["main", true, false],
      ["mine", false, true],
    ]);
  });

  test("refuses a change and a deletion of a file of main to developers", async () => {
    const { call } = await project();
    const json = { branch: "main", content: "x", commit_message: "Change a file" };
    for (const method of ["PUT", "DELETE"]) {
      const { status, body } = await call(method, "/files/README.md", dev.token, json);
      expect([status, body]).toEqual([400, refused]);
      expect((await call(method, "/files/README.md", maintainer.token, json)).status).toBeLessThan(300);
    }
  });

  test("checks the right before it looks for the file or the branch", async () => {
    const { call } = await project();
    const json = { branch: "main", commit_message: "Remove a file", start_branch: "nowhere" };
    expect((await call("DELETE", "/files/nowhere", dev.token, json)).body).toEqual(refused);
  });

  test("leaves the beginning of an empty repository to maintainers", async () => {
    const { write, branch, call, path_with_namespace } = await project({ withReadme: false });
    for (const name of ["main", "other"]) {
      const { status, body } = await write(dev.token, name);
      expect([status, body]).toEqual([400, refused]);
    }
    const { status, body } = await call("POST", "/branches", dev.token, { branch: "b", ref: "main" });
    expect(status).toBe(400);
    expect(body.message).toBe(
      [
        `A default branch (e.g. main) does not yet exist for ${path_with_namespace}`,
        "Ask a project Owner or Maintainer to create a default branch:",
        "",
        `  ${world.origin}/${path_with_namespace}/-/project_members`,
      ].join("\n"),
    );
    expect((await write(maintainer.token, "trunk")).status).toBe(201);
    expect(await branch("trunk")).toMatchObject({ default: true, protected: true });
    expect((await call("POST", "/branches", dev.token, { branch: "b", ref: "trunk" })).status).toBe(201);
    expect((await write(dev.token, "b")).status).toBe(201);
  });

  test("lets nobody delete the default branch", async () => {
    const { call } = await project();
    for (const token of [dev.token, maintainer.token, rootToken]) {
      const { status, body } = await call("DELETE", "/branches/main", token);
      expect([status, body]).toEqual([400, { message: "The default branch of a project cannot be deleted." }]);
    }
  });

  test("keeps the rule with the name when another branch becomes the default one", async () => {
    const { id, branch, call } = await project();
    await call("POST", "/branches", dev.token, { branch: "trunk", ref: "main" });
    await world.call("PUT", `/projects/${id}`, { token: rootToken, json: { default_branch: "trunk" } });
    expect(await branch("main")).toMatchObject({ default: false, protected: true });
    expect(await branch("trunk")).toMatchObject({ default: true, protected: false });
    expect((await call("DELETE", "/branches/main", dev.token)).body.message).toBe(
      "You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.",
    );
    expect((await call("DELETE", "/branches/main", maintainer.token)).status).toBe(204);
    expect((await call("POST", "/branches", dev.token, { branch: "main", ref: "trunk" })).body).toEqual({
      message: "You are not allowed to create protected branches on this project.",
    });
    expect((await call("POST", "/branches", maintainer.token, { branch: "main", ref: "trunk" })).status).toBe(201);
  });
});

describe("the setting of the instance", () => {
  const rule = (push: number, merge: number) => ({
    allowed_to_push: [{ access_level: push }],
    allowed_to_merge: [{ access_level: merge }],
    allow_force_push: false,
    developer_can_initial_push: false,
  });

  test("is 2 at first, and is shown in both forms", async () => {
    expect((await world.call("GET", "/application/settings", { token: rootToken })).body).toMatchObject({
      default_branch_protection: 2,
      default_branch_protection_defaults: rule(40, 40),
    });
    const one = await setProtection({ default_branch_protection: 1 });
    expect(one.default_branch_protection_defaults).toEqual(rule(30, 40));
    const three = await setProtection({ default_branch_protection_defaults: rule(40, 30) });
    expect([three.default_branch_protection, three.default_branch_protection_defaults]).toEqual([3, rule(40, 30)]);
    const other = { allowed_to_push: [{ access_level: 60 }] };
    const own = await setProtection({ default_branch_protection_defaults: other });
    expect([own.default_branch_protection, own.default_branch_protection_defaults]).toEqual([2, other]);
    for (const bad of [
      { default_branch_protection: 5 },
      { default_branch_protection_defaults: { allowed_to_push: [{ access_level: 20 }] } },
    ]) {
      expect((await world.call("PUT", "/application/settings", { token: rootToken, json: bad })).status).toBe(400);
    }
    await setProtection({ default_branch_protection: 2 });
  });

  test.each([
    [0, [201, false, false, false]],
    [1, [201, true, true, false]],
    [2, [400, true, false, false]],
    [3, [400, true, false, true]],
    [4, [201, true, false, false]],
  ])("of %p decides about the first push of a developer and the rule that follows", async (number, expected) => {
    await setProtection({ default_branch_protection: number });
    const { write, branch } = await project({ withReadme: false });
    const first = (await write(dev.token, "main")).status;
    if (first !== 201) await write(maintainer.token, "main");
    const main = await branch("main");
    expect([first, main.protected, main.developers_can_push, main.developers_can_merge]).toEqual(expected);
    expect((await write(dev.token, "main")).status).toBe(number < 2 ? 201 : 400);
    await setProtection({ default_branch_protection: 2 });
  });

  test("as a hash makes a rule of its levels", async () => {
    const levels = [{ access_level: 60 }];
    await setProtection({ default_branch_protection_defaults: { allowed_to_push: levels, allowed_to_merge: levels } });
    const { write } = await project();
    expect((await write(maintainer.token, "main")).body).toEqual(refused);
    expect((await write(rootToken, "main")).status).toBe(201);
    await setProtection({ default_branch_protection: 2 });
  });

  test("does not change repositories that have begun", async () => {
    await setProtection({ default_branch_protection: 0 });
    const { write, branch } = await project();
    await setProtection({ default_branch_protection: 2 });
    expect((await write(dev.token, "main")).status).toBe(201);
    expect((await branch("main")).protected).toBe(false);
  });
});

describe("the setting of a group", () => {
  const group = async (json: object = {}) => {
    count += 1;
    const all = { name: `guild${count}`, path: `guild${count}`, ...json };
    return (await world.call("POST", "/groups", { token: rootToken, json: all })).body;
  };

  test("is that of the instance until it is set", async () => {
    const made = await group();
    expect(made.default_branch_protection).toBe(2);
    await setProtection({ default_branch_protection: 0 });
    const { body } = await world.call("GET", `/groups/${made.id}`, { token: rootToken });
    expect([body.default_branch_protection, body.default_branch_protection_defaults.allow_force_push]).toEqual([
      0,
      true,
    ]);
    const { write } = await project({ group: made });
    expect((await write(dev.token, "main")).status).toBe(201);
    await setProtection({ default_branch_protection: 2 });
  });

  test("holds once it is set, to the value of the instance too", async () => {
    const open = await project({ group: await group({ default_branch_protection: 0 }) });
    expect((await open.write(dev.token, "main")).status).toBe(201);
    const made = await group({ default_branch_protection: 2 });
    await setProtection({ default_branch_protection: 0 });
    const closed = await project({ group: made });
    expect((await closed.write(dev.token, "main")).status).toBe(400);
    await setProtection({ default_branch_protection: 2 });
  });

  test("is shown as the number of its hash", async () => {
    const hash = { allowed_to_push: [{ access_level: 30 }], allowed_to_merge: [{ access_level: 40 }] };
    expect(await group({ default_branch_protection_defaults: hash })).toMatchObject({
      default_branch_protection: 1,
      default_branch_protection_defaults: hash,
    });
  });
});
