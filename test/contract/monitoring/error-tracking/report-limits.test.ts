import { expect, test } from "bun:test";
import { errorPayloads } from "../../../../src/modules/monitoring/error-tracking/records.ts";
import { collectorOf, eventOf } from "../../../support/fixtures/error-tracking.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();

async function collector() {
  const places = placesOf(world);
  const project = places.project(places.group().id);
  return { project, ...(await collectorOf(world, project.id)) };
}

test("a client key has 64 MiB of reports in a minute, and another one is not affected", async () => {
  const { report } = await collector();
  const event = eventOf({ extra: { text: "x".repeat(1_000_000) } });
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 80) statuses.push((await report(event)).status);
  expect(statuses).toEqual([...Array(67).fill(200), 429]);
  const small = await report(eventOf());
  expect(small.status).toBe(429);
  expect(Number(small.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await (await collector()).report(event)).status).toBe(200);
  world.clock.advance(60_000);
  expect((await report(event)).status).toBe(200);
}, 30_000);

test("an error keeps the payloads of its first large event and of the newest 99", async () => {
  const { report, project } = await collector();
  const count = 105;
  for (let at = 0; at < count; at += 1) {
    const extra = { at, text: "x".repeat(20_000) };
    expect((await report(eventOf({ extra }))).status).toBe(200);
  }
  expect(world.store.of(errorPayloads).by.project_id.find(project.id).size).toBe(100);
  const path = `/projects/${project.id}/error_tracking/errors`;
  const [error] = (await world.call("GET", path, { token: rootToken })).body;
  expect(error).toMatchObject({ count });
  const { status, body } = await world.call("GET", `${path}/${error.id}/events?per_page=100`, { token: rootToken });
  expect([status, body.length]).toEqual([200, 100]);
  expect(body.filter(({ payload }: { payload: object }) => Object.keys(payload).length === 0)).toHaveLength(1);
}, 30_000);
