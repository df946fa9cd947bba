import { expect, test } from "bun:test";
import { initialSettings } from "../../../src/modules/core/application-settings/index.ts";
import { auditEvents } from "../../../src/modules/core/audit-events/records.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user({ username: "ann" });
/** With what depends on the storages that there are. */
const initial = { ...initialSettings, repository_storages_weighted: { default: 100 } };
const put = (json: unknown, token = rootToken) => world.call("PUT", "/application/settings", { token, json });

test("administrators read every setting with its initial value, other callers are refused", async () => {
  expect((await world.get("/application/settings")).body).toEqual(initial);
  expect((await world.call("GET", "/application/settings")).status).toBe(401);
  expect((await world.call("GET", "/application/settings", { token: ann.token })).status).toBe(403);
  expect((await put({ signup_enabled: false }, ann.token)).status).toBe(403);
});

test("a change answers all settings, is stored, and writes one event for each changed setting", async () => {
  const before = world.store.logOf(auditEvents).size;
  const { status, body } = await put({
    signup_enabled: "false",
    users_get_by_id_limit: 5,
    offset_pagination_limit: 50_000,
  });
  expect(status).toBe(200);
  expect(body).toEqual({ ...initial, signup_enabled: false, users_get_by_id_limit: 5 });
  expect((await world.get("/application/settings")).body).toEqual(body);
  const events = world.events(before);
  expect(events.map((event) => event.details.change)).toEqual(["signup_enabled", "users_get_by_id_limit"]);
  expect(events[0]).toMatchObject({
    author_id: 1,
    entity_id: 1,
    entity_type: "Service::Audit::InstanceScope",
    event_name: "application_setting_updated",
    details: {
      from: "true",
      to: "false",
      target_type: "ApplicationSetting",
      target_details: "signup_enabled",
      custom_message: "Changed signup_enabled from true to false",
      entity_path: "service_instance",
    },
  });
  await put({ signup_enabled: true, users_get_by_id_limit: 0 });
});

test("an update without a change writes no event, and unknown settings are ignored", async () => {
  const before = world.events().length;
  expect((await put({ signup_enabled: true, no_such_setting: 1 })).body).toEqual(initial);
  for (const json of [{}, { no_such_setting: 1 }]) {
    const { status, body } = await put(json);
    expect([status, body.error]).toEqual([
      400,
      `${Object.keys(initial).join(", ")} are missing, at least one parameter must be provided`,
    ]);
  }
  expect(world.events().length).toBe(before);
});

test("values of the wrong type or range are refused, all of them named, and nothing changes", async () => {
  const { status, body } = await put({
    signup_enabled: "maybe",
    throttle_authenticated_api_period_in_seconds: 0,
    users_get_by_id_limit: 1,
  });
  expect(status).toBe(400);
  expect(body.error).toBe(
    "signup_enabled is invalid, throttle_authenticated_api_period_in_seconds does not have a valid value",
  );
  expect((await world.get("/application/settings")).body).toEqual(initial);
});

test("the deepest offset follows its setting, 0 removes it", async () => {
  const list = (query: string) => world.get(`/users?${query}`);
  await put({ offset_pagination_limit: 100 });
  expect((await list("page=5&per_page=20")).status).toBe(200);
  expect((await list("page=6&per_page=20")).body.error).toContain("maximum allowed offset of 100 ");
  await put({ offset_pagination_limit: 0 });
  expect((await list("page=9000&per_page=100")).body).toEqual([]);
  await put({ offset_pagination_limit: 50_000 });
});

test("new users are private if the instance's default says so and the request does not", async () => {
  await put({ user_defaults_to_private_profile: true });
  const asDefault = await world.user();
  const asNull = await world.user({ private_profile: null });
  const open = await world.user({ private_profile: false });
  expect([asDefault, asNull, open].map(({ record }) => record.private_profile)).toEqual([true, true, false]);
  await put({ user_defaults_to_private_profile: false });
});
