import { describe, expect, test } from "bun:test";
import { projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { withNewSecrets, withoutSecrets } from "../../../src/store/index.ts";
import { putGroup, putProject } from "../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "./setting.ts";

const world = await startWorld();
const given = "https://alice:hunter2@git.example/x.git";
const clean = "https://git.example/x.git";

describe("the import URL of a project", () => {
  test("is refused at the creation, with nothing made: no repository is fetched", async () => {
    const owner = await world.user();
    for (const path of ["/projects", `/projects/user/${owner.id}`]) {
      const json = { name: "Imported", import_url: given };
      const { status, body } = await world.call("POST", path, { token: rootToken, json });
      expect({ status, message: body.message }).toEqual({
        status: 422,
        message: "This server cannot import a repository from import_url. Create the project without it.",
      });
    }
    expect((await world.get("/projects?search=Imported")).body).toEqual([]);
    for (const import_url of [null, ""]) {
      const json = { name: `plain ${import_url}`, import_url };
      expect((await world.call("POST", "/projects", { token: owner.token, json })).status).toBe(201);
    }
  });

  test("is shown to maintainers only", async () => {
    const owner = await world.user();
    const json = { name: "Imported", visibility: "public" };
    const { body: made } = await world.call("POST", "/projects", { token: owner.token, json });
    const record = world.store.of(projects).get(made.id);
    if (record === undefined) throw new Error("the project is not there");
    world.store.transact((tx) => tx.update(projects, { ...record, import_url: clean }));
    const shown = async (token: string | undefined, path: string) => {
      const { body } = await world.call("GET", path, { token });
      return (Array.isArray(body) ? body[0] : body).import_url;
    };
    const people = { guest: undefined, developer: undefined, maintainer: clean, owner: clean } as const;
    for (const [role, address] of Object.entries(people)) {
      const person = await world.user();
      addMember(world, made, person, role as keyof typeof people, "project");
      expect([role, await shown(person.token, `/projects/${made.id}`)]).toEqual([role, address]);
      expect([role, await shown(person.token, "/projects?search=Imported")]).toEqual([role, address]);
    }
    const stranger = await world.user();
    expect(await shown(stranger.token, `/projects/${made.id}`)).toBeUndefined();
    expect(await shown(undefined, `/projects/${made.id}`)).toBeUndefined();
    expect(await shown(rootToken, `/projects/${made.id}`)).toBe(clean);
  });

  test("loses both in an export without secrets, and when it is imported", () => {
    const project = putProject(world, putGroup(world).id, { import_url: given });
    expect(withoutSecrets(projects, project)).toMatchObject({ import_url: clean, runners_token: null });
    expect<object>(withNewSecrets(projects, project, () => "new")).toEqual({ ...project, import_url: clean });
  });
});
