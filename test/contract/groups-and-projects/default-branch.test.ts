import { expect, test } from "bun:test";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const call = async (method: string, path: string, json: object) => {
  const { status, body } = await world.call(method, path, { token: rootToken, json });
  expect([path, status]).toEqual([path, method === "POST" ? 201 : 200]);
  return body;
};

let count = 0;
const names = () => {
  count += 1;
  return { name: `thing${count}`, path: `thing${count}` };
};
const createGroup = (attributes: object) => call("POST", "/groups", { ...names(), ...attributes });
const createProject = (attributes: object) => call("POST", "/projects", { ...names(), ...attributes });
const setInstance = (default_branch_name: string | null) =>
  call("PUT", "/application/settings", { default_branch_name });

const top = await createGroup({ default_branch: "trunk" });
const between = await createGroup({ parent_id: top.id, default_branch: "between" });
const below = await createGroup({ parent_id: between.id });
const plain = await createGroup({});

/** The default branches of an empty project and of one with a README. */
async function defaultBranchesIn(group: Json | undefined, attributes: object = {}): Promise<unknown[]> {
  const place = group === undefined ? {} : { namespace_id: group.id };
  const empty = await createProject({ ...place, ...attributes });
  const filled = await createProject({ ...place, ...attributes, initialize_with_readme: true });
  expect([empty.empty_repo, filled.empty_repo]).toEqual([true, false]);
  const [branch] = (await world.get(`/projects/${filled.id}/repository/branches`)).body as unknown as Json[];
  expect(branch?.name).toBe(filled.default_branch);
  return [empty.default_branch, filled.default_branch];
}

test("the first branch has the name that the group, else its topmost group, else the instance gives", async () => {
  expect(await defaultBranchesIn(top)).toEqual(["trunk", "trunk"]);
  expect(await defaultBranchesIn(between)).toEqual(["between", "between"]);
  expect(await defaultBranchesIn(below)).toEqual(["trunk", "trunk"]);
  expect(await defaultBranchesIn(plain)).toEqual(["main", "main"]);
  await setInstance("stem");
  expect(await defaultBranchesIn(plain)).toEqual(["stem", "stem"]);
  expect(await defaultBranchesIn(undefined)).toEqual(["stem", "stem"]);
  expect(await defaultBranchesIn(top)).toEqual(["trunk", "trunk"]);
  expect(await defaultBranchesIn(top, { default_branch: "own" })).toEqual(["trunk", "own"]);
  await setInstance(null);
});

test("a branch that is made in an empty repository follows a README on the group's branch", async () => {
  const { id } = await createProject({ namespace_id: top.id });
  await call("POST", `/projects/${id}/repository/branches`, { branch: "b", ref: "trunk" });
  expect((await world.get(`/projects/${id}`)).body).toMatchObject({ default_branch: "trunk", empty_repo: false });
});

test("an update of an empty project takes the name back that was shown, and no other one", async () => {
  const { id } = await createProject({ namespace_id: top.id });
  expect(await call("PUT", `/projects/${id}`, { default_branch: "trunk", description: "d" })).toMatchObject({
    ...{ default_branch: "trunk", empty_repo: true, description: "d" },
  });
  const json = { default_branch: "other" };
  expect((await world.call("PUT", `/projects/${id}`, { token: rootToken, json })).status).toBe(400);
  await call("PUT", `/groups/${top.id}`, { default_branch: "renamed" });
  expect((await world.get(`/projects/${id}`)).body.default_branch).toBe("renamed");
  await call("PUT", `/groups/${top.id}`, { default_branch: "trunk" });
});
