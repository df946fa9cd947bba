import { expect, test } from "bun:test";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

const world = await startWorld();
const [dev, maintainer] = [await world.user({ name: "Dora" }), await world.user()];
const send = (method: string, path: string, token = rootToken, json?: object) =>
  world.call(method, path, json === undefined ? { token } : { token, json });

const { body: project } = await send("POST", "/projects", rootToken, { path: "tagged", initialize_with_readme: true });
addMember(world, project, dev, "developer", "project");
addMember(world, project, maintainer, "maintainer", "project");
const rules = `/projects/${project.id}/protected_tags`;
const tags = `/projects/${project.id}/repository/tags`;
const tag = (name: string, token: string) => send("POST", tags, token, { tag_name: name, ref: "main" });

test("maintainers make, read and remove rules for tags, which have no id", async () => {
  const row = {
    id: expect.any(Number),
    access_level: 40,
    access_level_description: "Maintainers",
    deploy_key_id: null,
    user_id: null,
    group_id: null,
  };
  const made = await send("POST", rules, maintainer.token, { name: "release/*" });
  expect([made.status, made.body]).toEqual([201, { name: "release/*", create_access_levels: [row] }]);
  const again = await send("POST", rules, maintainer.token, { name: "release/*" });
  expect([again.status, again.body]).toEqual([422, { message: ["Name has already been taken"] }]);
  expect((await send("GET", rules, maintainer.token)).body.map((rule: Json) => rule.name)).toEqual(["release/*"]);
  expect((await send("GET", `${rules}/release%2F*`)).body.name).toBe("release/*");
  expect((await send("GET", rules, dev.token)).status).toBe(403);
  expect((await send("PATCH", `${rules}/release%2F*`, rootToken, {})).status).toBe(405);
  expect((await send("POST", rules, rootToken, { name: "a", create_access_level: 20 })).body.error).toBe(
    "create_access_level does not have a valid value",
  );
  expect((await send("DELETE", `${rules}/release%2F*`, maintainer.token)).status).toBe(204);
  const unknown = await send("GET", `${rules}/release%2F*`);
  expect([unknown.status, unknown.body]).toEqual([404, { message: "404 Not found" }]);
});

test("a protected tag is made by those of its rows, and deleted by maintainers", async () => {
  await send("POST", rules, rootToken, { name: "v*" });
  const refused = await tag("v1", dev.token);
  expect([refused.status, refused.body]).toEqual([
    400,
    { message: "You are not allowed to create this tag as it is protected." },
  ]);
  expect((await tag("v1", maintainer.token)).body.protected).toBe(true);
  expect((await tag("other", dev.token)).body.protected).toBe(false);
  const kept = await send("DELETE", `${tags}/v1`, dev.token);
  expect([kept.status, kept.body]).toEqual([403, { message: "403 Forbidden" }]);
  expect((await send("DELETE", `${tags}/other`, dev.token)).status).toBe(204);
  expect((await send("DELETE", `${tags}/v1`, maintainer.token)).status).toBe(204);
  await send("POST", rules, rootToken, { name: "v2*", allowed_to_create: [{ user_id: dev.id }] });
  expect((await tag("v2", dev.token)).status).toBe(201);
  await send("POST", rules, rootToken, { name: "none", create_access_level: 0 });
  expect((await tag("none", rootToken)).status).toBe(400);
});
