import { describe, expect, test } from "bun:test";
import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { openShop } from "./setting.ts";

const world = await startWorld();

describe("the settings", () => {
  test("of a new project allow only listed ones", async () => {
    const { body } = await world.call("POST", "/projects", { token: rootToken, json: { name: "fresh" } });
    const path = `/projects/${encodeURIComponent(body.path_with_namespace)}/job_token_scope`;
    expect((await world.get(path)).body).toEqual({ inbound_enabled: true, outbound_enabled: false });
  });

  test("show the last change, and a change answers 204", async () => {
    const { call } = await openShop(world);
    for (const enabled of [false, true, false]) {
      const { status, body } = await call("PATCH", "", { enabled });
      expect([status, body]).toEqual([204, undefined]);
      expect((await call("GET")).body).toEqual({ inbound_enabled: enabled, outbound_enabled: false });
    }
    for (const word of ["True", "1", "yes", "on", 1]) {
      await call("PATCH", "", { enabled: false });
      expect((await call("PATCH", "", { enabled: word })).status).toBe(204);
      expect((await call("GET")).body.inbound_enabled).toBe(true);
    }
  });

  test("are not in the project's own answer, and survive its changes", async () => {
    const { source, call, mia } = await openShop(world);
    await call("PATCH", "", { enabled: false });
    const json = { description: "x", inbound_job_token_scope_enabled: true };
    const { body } = await world.call("PUT", `/projects/${source.id}`, { token: mia.token, json });
    expect(body).not.toHaveProperty("inbound_job_token_scope_enabled");
    expect((await call("GET")).body.inbound_enabled).toBe(false);
  });

  test("take only a boolean", async () => {
    const { source, call } = await openShop(world);
    const before = world.store.of(projects).get(source.id);
    const missing = { error: "enabled is missing, enabled is empty", message: '400 (Bad request) "enabled" not given' };
    for (const json of [{}, { outbound_scope_enabled: true }]) {
      const { status, body } = await call("PATCH", "", json);
      expect([status, body]).toEqual([400, missing]);
    }
    for (const [enabled, word] of [
      [null, "empty"],
      ["", "empty"],
      [123, "invalid"],
      ["maybe", "invalid"],
    ] as const) {
      const { status, body } = await call("PATCH", "", { enabled });
      expect([status, body.error]).toEqual([400, `enabled is ${word}`]);
    }
    expect(world.store.of(projects).get(source.id)).toEqual(before as never);
  });

  test("record the time of a change, and nothing without one", async () => {
    const { source, call, path } = await openShop(world);
    const record = () => world.store.of(projects).get(source.id);
    const [before, events] = [record(), world.events().length];
    world.clock.advance(1000);
    await call("PATCH", "", { enabled: true });
    expect([record(), world.events().length]).toEqual([before, events]);
    await call("PATCH", "", { enabled: false });
    expect(record()?.updated_at).toBe(world.clock.time());
    expect(world.events(events)).toMatchObject([
      { event_name: "secure_ci_job_token_inbound_disabled", details: { entity_path: path } },
    ]);
  });
});

test("the API checks rights in the page's order", async () => {
  const { source, call } = await openShop(world);
  const stranger = (await world.user()).token;
  const target = { target_project_id: 999_999 };
  // Login, then parameters, then the project, then the role.
  expect((await call("PATCH", "", {}, "opx-nobody")).status).toBe(401);
  expect((await call("PATCH", "", {}, stranger)).status).toBe(400);
  expect((await call("POST", "/allowlist", {}, stranger)).body.error).toBe(
    "target_project_id is missing, target_project_id is empty",
  );
  for (const [method, end, json] of [
    ["GET", "", undefined],
    ["PATCH", "", { enabled: true }],
    ["GET", "/allowlist", undefined],
    ["POST", "/allowlist", target],
    ["DELETE", "/allowlist/999999", undefined],
    ["GET", "/groups_allowlist", undefined],
    ["POST", "/groups_allowlist", { target_group_id: 999_999 }],
    ["DELETE", "/groups_allowlist/999999", undefined],
  ] as const) {
    const { status, body } = await call(method, end, json, stranger);
    expect([method, end, status, body]).toEqual([method, end, 404, { message: "404 Project Not Found" }]);
    const anonymous = await world.call(
      method,
      `/projects/${source.id}/job_token_scope${end}`,
      json === undefined ? {} : { json },
    );
    expect([anonymous.status, anonymous.body]).toEqual([401, { message: "401 Unauthorized" }]);
  }
});
