import { expect, test } from "bun:test";
import { accessLevels } from "../../../src/domain/access-level.ts";
import { placesOf } from "../../support/places.ts";
import { rootToken, startWorld } from "../../support/world.ts";

const world = await startWorld();
const places = placesOf(world);
const group = places.group({ path: "cars", visibility: "public" });
const project = places.project(group.id, { path: "van", visibility: "public" });
const mia = await world.user({ username: "mia", name: "Mia" });
places.member(project, mia.id, accessLevels.planner);

test("an issue has every field of the page", async () => {
  const { status, body } = await world.call("POST", `/projects/${project.id}/issues`, {
    token: mia.token,
    json: { title: "Wheels squeak", labels: "noise,bug" },
  });
  expect({ status, body }).toMatchObject({ status: 201, body: { iid: 1, labels: ["bug", "noise"], subscribed: true } });
  const again = await world.get(`/projects/${project.id}/issues/1`);
  expect(again.body).toEqual({ ...body, subscribed: false });
});
void rootToken;
