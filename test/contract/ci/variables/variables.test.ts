import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld({ edition: "premium" });
const { project, group, person } = await setTracker(world, "private");
const developer = await person(accessLevels.developer);
const maintainer = await person(accessLevels.maintainer);
const owner = await person(accessLevels.owner);
const stranger = await world.user();

const ofProject = `/projects/${project.id}/variables`;
const ofGroup = `/groups/${group.id}/variables`;
const ofInstance = "/admin/ci/variables";
const ask = (method: string, path: string, json?: Json, token: string | undefined = rootToken) =>
  world.call(method, path, { token, ...(json === undefined ? {} : { json }) });

let count = 0;
const fresh = () => {
  count += 1;
  return `KEY_${count}`;
};
const make = async (path: string, json: Json = {}) => {
  const answer = await ask("POST", path, { key: fresh(), value: "blue", ...json });
  expect(answer.status).toBe(201);
  return answer.body;
};

describe("a variable", () => {
  test("of a project or group has every field", async () => {
    for (const path of [ofProject, ofGroup]) {
      const key = fresh();
      const made = await ask("POST", path, { key, value: "blue" });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        variable_type: "env_var",
        key,
        value: "blue",
        protected: false,
        masked: false,
        hidden: false,
        raw: false,
        environment_scope: "*",
        description: null,
      });
      expect((await ask("GET", `${path}/${key}`)).body).toEqual(made.body);
      expect((await ask("GET", path)).body).toContainEqual(made.body);
    }
  });

  test("of the instance has neither a scope nor a hidden value", async () => {
    const key = fresh();
    const json = { key, value: "blue_blue_blue", masked_and_hidden: true, environment_scope: "production", raw: true };
    expect((await ask("POST", ofInstance, json)).body).toEqual({
      ...{ variable_type: "env_var", key, value: "blue_blue_blue", protected: false },
      ...{ masked: false, raw: true, description: null },
    });
  });

  test("changes only in what the request names; the key of the path counts", async () => {
    const { key } = await make(ofProject, { description: "color" });
    const changed = await ask("PUT", `${ofProject}/${key}`, { key: "OTHER", value: 7, variable_type: "file" });
    expect(changed.body).toMatchObject({ key, value: "7", variable_type: "file", description: "color" });
    expect((await ask("PUT", `${ofProject}/${key}`, {})).body).toEqual(changed.body);
    expect((await ask("DELETE", `${ofProject}/${key}`)).status).toBe(204);
    expect((await ask("GET", `${ofProject}/${key}`)).body).toEqual({ message: "404 Variable Not Found" });
  });

  test("that is hidden never shows its value again", async () => {
    const made = await make(ofProject, { value: "secret_value", masked_and_hidden: true });
    expect(made).toMatchObject({ value: null, masked: true, hidden: true });
    const path = `${ofProject}/${made.key}`;
    expect((await ask("PUT", path, { value: "other_secret", description: "d" })).body).toMatchObject({
      ...{ value: null, description: "d" },
    });
    expect((await ask("PUT", path, { masked: false })).body).toEqual({
      message: { base: ["The visibility setting cannot be changed for masked and hidden variables."] },
    });
    expect((await ask("GET", path)).body).toMatchObject({ value: null, masked: true });
  });

  test("is gone with its project", async () => {
    const { body } = await ask("POST", "/projects", { name: fresh(), namespace_id: group.id });
    const path = `/projects/${body.id}/variables`;
    await make(path);
    await ask("DELETE", `/projects/${body.id}`);
    await world.jobsDone();
    const { ciVariables, variableSourceKey } = await import("../../../../src/modules/ci/variables/records.ts");
    const key = variableSourceKey({ source_type: "project", source_id: body.id });
    expect(world.store.of(ciVariables).by.source.find(key).size).toBe(0);
  });
});

describe("variables of one key", () => {
  test("differ in their scopes, which a filter names exactly", async () => {
    const key = fresh();
    for (const environment_scope of ["*", "a", "b/*"]) {
      expect((await ask("POST", ofProject, { key, value: environment_scope, environment_scope })).status).toBe(201);
    }
    const path = `${ofProject}/${key}`;
    const several = {
      message: "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
    };
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { status, body } = await ask(method, path, method === "PUT" ? { value: "x" } : undefined);
      expect([status, body]).toEqual([409, several]);
    }
    expect((await ask("GET", `${path}?filter[environment_scope]=*`)).body.value).toBe("*");
    expect((await ask("GET", `${path}?filter[environment_scope]=c`)).status).toBe(404);
    const filter = { environment_scope: "b/*" };
    expect((await ask("PUT", path, { value: "new", filter })).body).toMatchObject({ value: "new", ...filter });
    expect((await ask("PUT", path, { environment_scope: "a", filter })).body).toEqual({
      message: { key: [`(${key}) has already been taken`] },
    });
    expect((await ask("DELETE", `${path}?filter[environment_scope]=a`)).status).toBe(204);
    expect((await ask("PUT", path, { environment_scope: "a", filter })).body.environment_scope).toBe("a");
    expect((await ask("GET", `${path}?filter=a`)).body).toMatchObject({ error: "filter is invalid" });
  });
});

test.each([
  ["project", ofProject, [maintainer, owner], [developer]],
  ["group", ofGroup, [owner], [developer, maintainer]],
] as const)(
  "variables of a %s are for few; the role is checked before the parameters",
  async (_, path, may, mayNot) => {
    for (const { token } of may) expect((await ask("GET", path, undefined, token)).status).toBe(200);
    for (const { token } of mayNot) {
      for (const method of ["GET", "POST"]) {
        expect((await ask(method, path, method === "POST" ? {} : undefined, token)).status).toBe(403);
      }
    }
    expect((await ask("POST", path, {}, stranger.token)).status).toBe(404);
    expect((await world.call("GET", path)).status).toBe(401);
    expect((await ask("GET", ofInstance, undefined, owner.token)).status).toBe(403);
  },
);

test.each([
  [{ value: "x" }, { error: "key is missing" }],
  [{ key: "A", value: null }, { error: "value is missing" }],
  [{ key: "a b", value: "x" }, { message: { key: ["can contain only letters, digits and '_'."] } }],
  [{ key: "", value: "x" }, { message: { key: ["can't be blank", "can contain only letters, digits and '_'."] } }],
  [{ key: "K".repeat(256), value: "x" }, { message: { key: ["is too long (maximum is 255 characters)"] } }],
  [{ key: "A", value: "x", variable_type: "dir" }, { error: "variable_type does not have a valid value" }],
  [{ key: "A", value: "short", masked: true }, { message: { value: ["is invalid"] } }],
  [{ key: "A", value: "long enough", masked: true, raw: true }, { message: { value: ["is invalid"] } }],
  [{ key: "A", value: "$long_enough", masked: true }, { message: { value: ["is invalid"] } }],
  [
    { key: "A", value: "x", description: "d".repeat(256) },
    { message: { description: ["is too long (maximum is 255 characters)"] } },
  ],
  [{ key: "A", value: "x".repeat(1_048_577) }, { message: { value: ["is too long (maximum is 1048576 characters)"] } }],
])("a variable is refused (%#)", async (json, body) => {
  const answer = await ask("POST", ofProject, json);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject(body);
});

test("a scope has few signs, and a value of the instance at most 10,000 characters", async () => {
  const bad = await ask("POST", ofProject, { key: fresh(), value: "x", environment_scope: "a;b" });
  expect([bad.status, Object.keys(bad.body.message)]).toEqual([400, ["environment_scope"]]);
  expect((await ask("POST", ofInstance, { key: fresh(), value: "x".repeat(10_001) })).body).toEqual({
    message: { value: ["The value of the provided variable exceeds the 10000 character limit"] },
  });
  const { key } = await make(ofProject, { value: "$long_enough", masked: true, raw: true });
  expect((await ask("PUT", `${ofProject}/${key}`, { raw: false })).body).toEqual({
    message: { value: ["is invalid"] },
  });
});

test("the values of one place have a length in all, and nothing is served of an archived project", async () => {
  const { body } = await ask("POST", "/projects", { name: fresh(), namespace_id: group.id });
  const path = `/projects/${body.id}/variables`;
  const value = "x".repeat(1_000_000);
  const { key } = await make(path, { value });
  await make(path, { value });
  expect((await ask("POST", path, { key: fresh(), value })).body).toEqual({
    message: { base: ["The values are too long (maximum is 2097152 characters)"] },
  });
  expect((await ask("PUT", `${path}/${key}`, { value: `y${value}` })).status).toBe(200);
  await ask("POST", `/projects/${body.id}/archive`);
  expect((await ask("GET", path)).status).toBe(403);
  expect((await ask("POST", path, { key: fresh(), value: "x" })).status).toBe(403);
});

test("the instance has at most 25", async () => {
  const had = (await ask("GET", ofInstance)).body.length;
  for (let at = had; at < 25; at += 1) await make(ofInstance);
  expect((await ask("POST", ofInstance, { key: fresh(), value: "x" })).body).toEqual({
    message: { base: ["Maximum number of ci instance level variables (25) exceeded"] },
  });
});

test("in community, variables of groups are for every environment", async () => {
  const community = await startWorld({ edition: "community" });
  const place = await setTracker(community, "private");
  const json = { key: "A", value: "x", environment_scope: "production" };
  const made = await community.call("POST", `/groups/${place.group.id}/variables`, { token: rootToken, json });
  expect(made.body.environment_scope).toBe("*");
});
