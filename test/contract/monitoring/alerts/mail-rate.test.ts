import { expect, test } from "bun:test";
import { mails } from "../../../../src/modules/core/outbox/records.ts";
import { type AlertScene, metricsItem, metricsPayload, setAlertScene } from "../../../support/fixtures/alerts.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { startWorld } from "../../../support/fixtures/world.ts";

const limit = 1000;
const perRequest = 100;
const hourMs = 3_600_000;

test("the alerts of a project cause at most 1,000 mails in an hour of the clock, and one warning beyond", async () => {
  const world = await startWorld();
  const people = await Promise.all(Array.from({ length: 3 }, () => world.user()));
  const sceneWithMails = async () => {
    const made = await setAlertScene(world);
    await made.ask("PUT", "/incident_management_settings", { send_email: true });
    for (const { id } of people) placesOf(world).member(made.project, id, 40);
    return made;
  };
  const [loud, calm] = [await sceneWithMails(), await sceneWithMails()];
  let count = 0;
  const send = async (scene: AlertScene, alerts: number) => {
    const before = world.store.logOf(mails).size;
    const items = Array.from({ length: alerts }, () => metricsItem({ fingerprint: `f${count++}` }));
    expect((await scene.send(metricsPayload(items))).status).toBe(200);
    return world.store.logOf(mails).size - before;
  };
  const warnings = () => world.logged.filter((line) => line.includes("too many mails"));

  for (let request = 0; request < 3; request += 1) expect(await send(loud, perRequest)).toBe(3 * perRequest);
  expect(warnings()).toEqual([]);
  expect(await send(loud, perRequest)).toBe(limit - 9 * perRequest);
  expect(await send(loud, 2)).toBe(0);
  expect(warnings()).toEqual([expect.stringContaining(`"project":${loud.project.id},"limit":1000,"seconds":1800`)]);
  expect((await loud.ask("GET", loud.alertsPath)).headers.get("x-total")).toBe(String(count));

  expect(await send(calm, 2)).toBe(6);
  world.clock.advance(hourMs);
  expect(await send(loud, 1)).toBe(3);
  expect(warnings()).toHaveLength(1);
});
