import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const outer = places.group();
const inner = places.group({ parent_id: outer.id });
const project = places.project(inner.id);
const other = places.project(inner.id);
const ann = await world.user({ username: "ann" });
places.member(inner, ann.id, accessLevels.planner);

const inProject = `/projects/${project.id}/labels`;
const inGroup = `/groups/${inner.id}/labels`;
const post = (path: string, json: Json, token: string | undefined = ann.token) =>
  world.call("POST", path, { token, json });

let count = 0;
const fresh = () => {
  count += 1;
  return `label ${count}`;
};

describe("a new label", () => {
  test("has the given attributes and defaults for the rest", async () => {
    const { status, body } = await post(inProject, { name: "feature", color: "#5843AD" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: "feature",
      color: "#5843AD",
      text_color: "#FFFFFF",
      description: null,
      description_html: "",
      subscribed: false,
      priority: null,
      is_project_label: true,
      archived: false,
    });
  });

  test("has a description and a priority in a project", async () => {
    const json = { name: fresh(), color: "#fff", description: "a <b> & :tada:", priority: 3 };
    const { body } = await post(inProject, json);
    expect(body).toMatchObject({ priority: 3, description: "a <b> & :tada:" });
    expect(body.description_html).toBe("a &lt;b&gt; &amp; 🎉");
    const { body: again } = await world.get(`${inProject}/${body.id}`);
    expect(again).toEqual(body);
  });

  test("of a group has neither priority nor is_project_label", async () => {
    const { status, body } = await post(inGroup, { name: fresh(), color: "#123456", priority: 3 });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual([
      ...["archived", "color", "description", "description_html", "id", "name", "subscribed", "text_color"],
    ]);
  });

  test("has a trimmed name", async () => {
    const name = fresh();
    expect((await post(inProject, { name: `  ${name} `, color: "#000000" })).body.name).toBe(name);
  });

  test.each([
    ["#abc", "#aabbcc", "#1F1E24"],
    ["#FFAABB", "#FFAABB", "#1F1E24"],
    ["#000", "#000000", "#FFFFFF"],
    ["red", "#FF0000", "#FFFFFF"],
    ["RebeccaPurple", "#663399", "#FFFFFF"],
    ["white", "#FFFFFF", "#1F1E24"],
  ])("of colour %s has colour %s with letters of %s", async (color, converted, text_color) => {
    const { body } = await post(inProject, { name: fresh(), color });
    expect(body).toMatchObject({ color: converted, text_color });
  });

  test("takes null or nothing as description and priority", async () => {
    for (const json of [{ priority: null, description: null }, { priority: "" }]) {
      const { status, body } = await post(inProject, { name: fresh(), color: "#123456", ...json });
      expect([status, body.priority, body.description]).toEqual([201, null, null]);
    }
  });

  test("may have the title of another project's label, or differ in case only", async () => {
    const name = fresh();
    expect((await post(inProject, { name, color: "red" })).status).toBe(201);
    expect((await post(`/projects/${other.id}/labels`, { name, color: "red" })).status).toBe(201);
    expect((await post(inProject, { name: name.toUpperCase(), color: "red" })).status).toBe(201);
  });
});

describe("a label is refused", () => {
  test.each([
    [{ color: "red" }, "name is missing"],
    [{ name: "x" }, "color is missing"],
    [{}, "name is missing, color is missing"],
    [{ name: null, color: "red" }, "name is missing"],
    [{ name: "x", color: "red", priority: "high" }, "priority is invalid"],
    [{ name: "x", color: "red", priority: 1.5 }, "priority is invalid"],
    [{ name: ["x"], color: "red" }, "name is invalid"],
  ])("%j: %s", async (json, error) => {
    const { status, body } = await post(inProject, json);
    expect([status, body.error]).toEqual([400, error]);
  });

  test.each([
    [{ name: "x", color: "#12345" }, { color: ["must be a valid color code"] }],
    [{ name: "x", color: "#gggggg" }, { color: ["must be a valid color code"] }],
    [{ name: "x", color: "constructor" }, { color: ["must be a valid color code"] }],
    [{ name: "x", color: "" }, { color: ["must be a valid color code"] }],
    [{ name: "a,b", color: "red" }, { title: ["is invalid"] }],
    [{ name: "  ", color: "red" }, { title: ["can't be blank"] }],
    [{ name: "x".repeat(256), color: "red" }, { title: ["is too long (maximum is 255 characters)"] }],
    [
      { name: ",", color: "?" },
      { title: ["is invalid"], color: ["must be a valid color code"] },
    ],
    [{ name: "x", color: "red", priority: -1 }, { priority: ["must be greater than or equal to 0"] }],
  ])("%j: %j", async (json, message) => {
    for (const path of "priority" in json ? [inProject] : [inProject, inGroup]) {
      expect(await post(path, json)).toMatchObject({ status: 400, body: { message } });
    }
  });

  test("when its title is taken in the project or a group above it", async () => {
    const taken = { status: 409, body: { message: "Label already exists" } };
    const [own, above] = [fresh(), fresh()];
    await post(inProject, { name: own, color: "red" });
    await post(`/groups/${outer.id}/labels`, { name: above, color: "red" }, rootToken);
    expect(await post(inProject, { name: ` ${own}`, color: "not one" })).toMatchObject(taken);
    expect(await post(inProject, { name: above, color: "red" })).toMatchObject(taken);
    expect(await post(inGroup, { name: above, color: "red" })).toMatchObject(taken);
    expect((await post(inGroup, { name: own, color: "red" })).status).toBe(201);
  });

  test("from guests, strangers and anonymous callers, and in hidden places", async () => {
    const guest = await world.user();
    places.member(inner, guest.id, accessLevels.guest);
    const stranger = await world.user();
    const json = { name: fresh(), color: "red" };
    expect(await post(inProject, json, guest.token)).toMatchObject({ status: 403, body: { message: "403 Forbidden" } });
    expect((await post(inProject, { name: "x" }, guest.token)).status).toBe(400);
    expect((await post(inProject, json, stranger.token)).body).toEqual({ message: "404 Project Not Found" });
    expect((await post(inGroup, json, stranger.token)).body).toEqual({ message: "404 Group Not Found" });
    expect((await world.call("POST", inProject, { json })).body).toEqual({ message: "401 Unauthorized" });
  });
});
