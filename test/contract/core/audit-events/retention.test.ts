import { expect, test } from "bun:test";
import { linksOf } from "../../../support/fixtures/links.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { recorderOf } from "./setting.ts";

const setting = "audit_events_retention_days";

async function place() {
  const world = await startWorld();
  const project = placesOf(world).project(placesOf(world).group().id);
  const ann = await world.user();
  const record = recorderOf(world);
  const put = (value: unknown) =>
    world.call("PUT", "/application/settings", { token: rootToken, json: { [setting]: value } });
  return {
    world,
    project,
    put,
    write: (count: number) => Array.from({ length: count }, () => record(ann, "Project", project.id)),
    list: (query: Record<string, string | number> = {}) => world.get(`/projects/${project.id}/audit_events`, { query }),
  };
}

test("all events stay by default; with a limit, older ones leave every list at midnight", async () => {
  const { world, project, put, write, list } = await place();
  await world.jobsDone();
  const old = write(30);
  world.clock.advanceDays(10);
  const young = write(25);
  world.clock.advanceDays(400);
  await world.jobsDone();
  expect((await list()).headers.get("x-total")).toBe("55");

  const { status, body } = await put(405);
  expect([status, body[setting]]).toEqual([200, 405]);
  expect(world.events().at(-1)).toMatchObject({
    event_name: "application_setting_updated",
    details: { change: setting, from: "", to: "405" },
  });
  // Not before the next midnight.
  await world.jobsDone();
  expect((await list()).headers.get("x-total")).toBe("55");
  world.clock.advanceDays(1);
  await world.jobsDone();

  expect(world.logged.filter((line) => line.includes("too old"))).toEqual([
    expect.stringMatching(/"removed":\d+,"days":405/),
  ]);
  const first = await list({ per_page: 20 });
  expect(first.headers.get("x-total")).toBe("25");
  const ids = young.toReversed();
  expect(first.body.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 20));
  expect((await list({ per_page: 20, page: 2 })).body.map(({ id }: { id: number }) => id)).toEqual(ids.slice(20));
  for (const path of ["/audit_events", `/projects/${project.id}/audit_events`]) {
    expect((await world.get(`${path}/${old.at(-1)}`)).status).toBe(404);
    expect((await world.get(`${path}/${young[0]}`)).status).toBe(200);
  }
  const query = { entity_type: "Project", entity_id: project.id, created_before: "2025-03-11T00:00:00Z" };
  expect((await world.get("/audit_events", { query })).body).toEqual([]);
  const keyset = await list({ pagination: "keyset", per_page: 24 });
  const rest = await world.get(
    linksOf(keyset.headers)
      .get("next")
      ?.replace(/^.*\/api\/v4/, "") ?? "",
  );
  expect(rest.body.map(({ id }: { id: number }) => id)).toEqual([young[0]]);
  expect(linksOf(rest.headers).get("next")).toBeUndefined();
  // An id is never given twice.
  expect(write(1)[0]).toBe(world.events().at(-1)?.id ?? 0);
});

test("all events may be removed; later ones continue the ids", async () => {
  const { world, put, write, list } = await place();
  await put(1);
  const [last = 0] = write(3).slice(-1);
  world.clock.advanceDays(3);
  await world.jobsDone();
  expect((await list()).body).toEqual([]);
  expect((await world.get("/audit_events")).body).toEqual([]);
  expect(write(1)).toEqual([last + 1]);
  expect((await list()).headers.get("x-total")).toBe("1");
});

test("null and 0 keep them without a limit", async () => {
  const { world, put, write, list } = await place();
  write(3);
  for (const value of [0, null]) {
    await put(1);
    await put(value);
    world.clock.advanceDays(5000);
    await world.jobsDone();
    expect((await list()).headers.get("x-total")).toBe("3");
  }
});

test("a value that is no number of days is refused", async () => {
  const { world, put } = await place();
  for (const value of [-1, 1.5, "soon", 2 ** 31]) expect((await put(value)).status).toBe(400);
  expect((await world.get("/application/settings")).body[setting]).toBeNull();
});
