import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addIssues } from "../../../support/planning/issues.ts";
import { addLabel } from "../../../support/planning/labels.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const promote = (projectId: number, name: string | undefined, token = ann.token) =>
  world.call("PUT", `/projects/${projectId}/labels/promote`, { token, json: { name } });

function scene() {
  const group = places.group();
  places.member(group, ann.id, accessLevels.planner);
  return { group, project: places.project(group.id), sibling: places.project(group.id) };
}

describe("promoting a label", () => {
  test("makes it a group label, and merges those of its projects into it", async () => {
    const { group, project, sibling } = scene();
    const below = places.project(places.group({ parent_id: group.id }).id);
    const label = addLabel(world, { type: "project", id: project.id }, { title: "bug" });
    const twin = addLabel(world, { type: "project", id: sibling.id }, { title: "bug" });
    const other = addLabel(world, { type: "project", id: sibling.id }, { title: "Bug" });
    const deep = addLabel(world, { type: "project", id: below.id }, { title: "bug" });
    const [issue] = addIssues(world, sibling.id, [{ label_ids: [twin.id, other.id] }]);
    const siblingLabels = `/projects/${sibling.id}/labels`;
    await world.call("PUT", `${siblingLabels}/${twin.id}`, { token: rootToken, json: { priority: 2 } });
    await world.call("POST", `${siblingLabels}/${twin.id}/subscribe`, { token: ann.token });

    const { status, body } = await promote(project.id, "bug");
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: label.id, name: "bug", color: label.color });
    expect(body).not.toHaveProperty("is_project_label");
    expect((await world.get(`/groups/${group.id}/labels`)).body).toHaveLength(1);
    expect((await world.call("GET", siblingLabels, { token: ann.token })).body).toMatchObject([
      { id: label.id, name: "bug", is_project_label: false, priority: 2, subscribed: true },
      { id: other.id, name: "Bug", is_project_label: true },
    ]);
    expect((await world.get(`/projects/${sibling.id}/issues/${issue?.iid}`)).body.labels).toEqual(["Bug", "bug"]);
    expect((await world.get(`/projects/${below.id}/labels/${deep.id}`)).status).toBe(404);
  });

  test("takes the label in the path, by id or title", async () => {
    const { group, project } = scene();
    const [one, other] = ["a/b", "promote"].map((title) =>
      addLabel(world, { type: "project", id: project.id }, { title }),
    );
    for (const key of [encodeURIComponent("a/b"), other?.id]) {
      const path = `/projects/${project.id}/labels/${key}/promote`;
      expect((await world.call("PUT", path, { token: ann.token, json: {} })).status).toBe(200);
      expect((await world.call("PUT", path, { token: ann.token })).body).toEqual({ message: "404 Label Not Found" });
    }
    expect((await world.get(`/groups/${group.id}/labels`)).body).toMatchObject([{ id: one?.id }, { id: other?.id }]);
  });

  test("merges it into an existing label of the group", async () => {
    const { group, project } = scene();
    const label = addLabel(world, { type: "project", id: project.id }, { title: "bug" });
    const there = addLabel(world, { type: "group", id: group.id }, { title: "bug", color: "#ABCDEF" });
    const [issue] = addIssues(world, project.id, [{ label_ids: [label.id] }]);
    expect((await promote(project.id, "bug")).body).toMatchObject({ id: there.id, color: "#ABCDEF" });
    expect((await world.get(`/projects/${project.id}/labels`)).body).toHaveLength(1);
    expect((await world.get(`/projects/${project.id}/issues/${issue?.iid}`)).body.labels).toEqual(["bug"]);
  });

  test("is refused without a group, without the right there, and for labels of other places", async () => {
    const { group, project } = scene();
    addLabel(world, { type: "project", id: project.id }, { title: "bug" });
    addLabel(world, { type: "group", id: group.id }, { title: "above" });
    for (const name of ["nobody", "above"]) {
      expect(await promote(project.id, name)).toMatchObject({ status: 404, body: { message: "404 Label Not Found" } });
    }
    expect(await promote(project.id, undefined)).toMatchObject({ status: 400, body: { error: "name is missing" } });

    const owner = await world.user();
    places.member(project, owner.id, accessLevels.owner);
    expect((await promote(project.id, "bug", owner.token)).status).toBe(403);

    const own = places.project(owner.record.namespace_id ?? 0, { visibility: "public" });
    addLabel(world, { type: "project", id: own.id }, { title: "bug" });
    expect(await promote(own.id, "bug", rootToken)).toMatchObject({
      status: 400,
      body: { message: "Failed to promote project label to group label" },
    });
    expect((await promote(own.id, "bug")).status).toBe(403);
  });
});
