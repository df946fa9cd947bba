import { describe, expect, test } from "bun:test";
import { toDateTime } from "../../../../src/lib/datetime.ts";
import { linksOf } from "../../../support/fixtures/links.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { startWorld } from "../../../support/fixtures/world.ts";
import { recorderOf } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const record = recorderOf(world);
const ann = await world.user();
const group = places.group({ path: "bank" });
const project = places.project(group.id, { path: "ledger" });
const kinds = [
  ["Group", group.id, `/groups/${group.id}/audit_events`],
  ["Project", project.id, `/projects/${project.id}/audit_events`],
  ["User", ann.id, undefined],
  ["Service::Audit::InstanceScope", 1, undefined],
] as const;

/** Sixty events, a minute between each and the next, of the four kinds in turn. */
const times: string[] = [];
const start = world.events().length;
for (let count = 0; count < 60; count += 1) {
  world.clock.advance(60_000);
  const [type, id] = kinds[count % 4] as (typeof kinds)[number];
  record(ann, type, id);
  times.push(toDateTime(world.clock.now()));
}
const all = world.events(start).toReversed();
const idsOf = (body: readonly { id: number }[]) => body.map(({ id }) => id);
const some = (type: string) => all.filter((event) => event.entity_type === type).map(({ id }) => id);

describe("filters", () => {
  test.each(kinds)("entity_type %s, alone and with an id", async (type, id) => {
    const ids = some(type);
    const query = { created_after: times[0] as string, entity_type: type, per_page: 100 };
    expect(idsOf((await world.get("/audit_events", { query })).body)).toEqual(ids);
    expect(idsOf((await world.get("/audit_events", { query: { ...query, entity_id: id } })).body)).toEqual(ids);
    expect((await world.get("/audit_events", { query: { ...query, entity_id: 987654 } })).body).toEqual([]);
  });

  test("the branded name of the instance's scope is equivalent", async () => {
    const query = { entity_type: "Gitlab::Audit::InstanceScope", created_after: times[0] as string };
    const { body } = await world.get("/audit_events", { query });
    expect(idsOf(body)).toEqual(some("Service::Audit::InstanceScope"));
  });

  test.each(["/audit_events", kinds[0][2], kinds[1][2]])("%s: both bounds in time are inclusive", async (path) => {
    const query = { created_after: times[8] as string, created_before: times[40] as string, per_page: 100 };
    const { body } = await world.get(path, { query });
    const type = path.startsWith("/groups") ? "Group" : path.startsWith("/projects") ? "Project" : undefined;
    const fits = all.filter(
      (event) =>
        event.created_at >= query.created_after &&
        event.created_at <= query.created_before &&
        (type === undefined || event.entity_type === type),
    );
    expect(idsOf(body)).toEqual(fits.map(({ id }) => id));
    expect(fits.length).toBeGreaterThan(0);
  });

  test.each([
    [{ created_after: "yesterday" }, "created_after is invalid"],
    [{ created_before: "2026-13-01" }, "created_before is invalid"],
    [{ entity_type: "Runner" }, "entity_type does not have a valid value"],
    [{ entity_id: 1 }, "entity_type is missing"],
    [{ entity_type: "User", entity_id: "x" }, "entity_id is invalid"],
  ])("%j is refused", async (query, error) => {
    const { status, body } = await world.get("/audit_events", { query });
    expect([status, body.error]).toEqual([400, error]);
  });

  test("other lists ignore the entity", async () => {
    expect((await world.get(kinds[0][2], { query: { entity_type: "nonsense" } })).status).toBe(200);
    expect((await world.get(kinds[0][2], { query: { created_after: "x" } })).body.error).toBe(
      "created_after is invalid",
    );
  });
});

describe.each(["/audit_events", kinds[0][2], kinds[1][2]])("pages of %s", (path) => {
  const query = { created_after: times[0] as string, per_page: 7 };
  const type = path.startsWith("/groups") ? "Group" : path.startsWith("/projects") ? "Project" : undefined;
  const wanted = type === undefined ? all.map(({ id }) => id) : some(type);

  test("by offset: newest first, with a total and links that keep the filters", async () => {
    const { body, headers } = await world.get(path, { query: { ...query, page: 2 } });
    expect(idsOf(body)).toEqual(wanted.slice(7, 14));
    expect(headers.get("x-total")).toBe(String(wanted.length));
    for (const url of linksOf(headers).values()) expect(url).toContain("created_after=");
  });

  test("by keyset: a cursor until the last page, no counts, each event once although new ones are written", async () => {
    const met: number[] = [];
    let url = `${path}?pagination=keyset&per_page=7&created_after=${encodeURIComponent(times[0] as string)}`;
    for (let pages = 0; pages < 20; pages += 1) {
      const { status, body, headers } = await world.get(url);
      expect([status, headers.get("x-total"), headers.get("x-page")]).toEqual([200, null, null]);
      met.push(...idsOf(body));
      record(ann, "User", ann.id, "meanwhile");
      const next = linksOf(headers).get("next");
      if (next === undefined) break;
      expect(next).toContain("cursor=");
      expect(next).toContain("created_after=");
      url = next.slice(next.indexOf("/api/v4") + "/api/v4".length);
    }
    expect(met).toEqual(wanted);
  });

  test.each([{ order_by: "id", sort: "desc" }, { order_by: "id" }, { sort: "desc" }])(
    "keyset takes %j",
    async (order) => {
      const { status, body } = await world.get(path, { query: { ...query, ...order, pagination: "keyset" } });
      expect([status, body.length]).toEqual([200, 7]);
    },
  );

  test.each([
    { order_by: "created_at", sort: "desc" },
    { order_by: "id", sort: "asc" },
  ])("keyset refuses %j", async (order) => {
    const { status, body } = await world.get(path, { query: { ...query, ...order, pagination: "keyset" } });
    expect([status, body]).toEqual([405, { error: "Keyset pagination is not yet available for this type of request" }]);
  });

  test("a broken cursor is refused", async () => {
    const { status, body } = await world.get(path, { query: { pagination: "keyset", cursor: "broken" } });
    expect([status, body.error]).toEqual([400, "cursor is invalid"]);
  });

  test("have twenty entries by default, a hundred at most", async () => {
    expect((await world.get(path, { query: { per_page: 500 } })).headers.get("x-per-page")).toBe("100");
    expect((await world.get(path)).headers.get("x-per-page")).toBe("20");
  });
});

test("an event has every field, with repeated ones on top, and the name of its type", async () => {
  await world.call("PUT", "/application/settings", {
    query: { private_token: "root-token-of-the-tests" },
    json: { signup_enabled: false },
  });
  const [event] = (await world.get("/audit_events")).body;
  expect(event).toEqual({
    id: world.events().length,
    author_id: 1,
    entity_id: 1,
    entity_type: "Service::Audit::InstanceScope",
    event_name: "application_setting_updated",
    event_type: "application_setting_updated",
    details: {
      event_name: "application_setting_updated",
      change: "signup_enabled",
      from: "true",
      to: "false",
      author_name: "Administrator",
      author_email: expect.stringContaining("@"),
      author_class: "User",
      target_id: 1,
      target_type: "ApplicationSetting",
      target_details: "signup_enabled",
      custom_message: "Changed signup_enabled from true to false",
      ip_address: expect.stringContaining("127.0.0.1"),
      entity_path: "service_instance",
    },
    ip_address: event.details.ip_address,
    author_name: "Administrator",
    entity_path: "service_instance",
    target_details: "signup_enabled",
    target_type: "ApplicationSetting",
    target_id: 1,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});
