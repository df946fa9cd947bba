import { expect, test } from "bun:test";
import { requestStepsMax } from "../../../../src/domain/work-budget.ts";
import { alerts } from "../../../../src/modules/monitoring/alerts/records.ts";
import { metricsItem, metricsPayload, setAlertScene } from "../../../support/fixtures/alerts.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
await world.call("POST", "/features/request_log_details", { token: rootToken, json: { value: true } });

const stepsOfLast = () =>
  Number(/"steps":(\d+)/.exec(world.logged.findLast((line) => line.includes("steps")) ?? "")?.[1]);

test("each valid item of a large payload is stored, however many there are", async () => {
  const { project, send } = await setAlertScene(world);
  const items = Array.from({ length: 7_000 }, (_, at) => ({
    labels: { alertname: `a${at}` },
    startsAt: "2024-02-03T04:05:06Z",
  }));
  expect((await send(metricsPayload(items))).status).toBe(200);
  expect(world.store.of(alerts).by.project_id.find(project.id).size).toBe(7_000);
});

test("a hundred mappings for each of a third of a million items are refused before anything is stored", async () => {
  const payload_attribute_mappings = Array.from({ length: 100 }, () => ({
    field_name: "title",
    path: ["a"],
    type: "string",
  }));
  const { project, send } = await setAlertScene(world, { payload_attribute_mappings, payload_example: { a: "x" } });
  const { status } = await send(metricsPayload(Array.from({ length: 340_000 }, () => ({}))));
  expect(status).toBe(400);
  expect(stepsOfLast()).toBeLessThan(requestStepsMax * 1.01);
  expect(world.store.of(alerts).by.project_id.find(project.id).size).toBe(0);
});

test("a payload of 120,000 keys is refused before anything is stored, and one of 50,000 is taken", async () => {
  const { project, send } = await setAlertScene(world);
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
  expect((await send({ title: "x", ...keys(120_000) })).status).toBe(400);
  expect(stepsOfLast()).toBeLessThan(requestStepsMax * 1.01);
  expect(world.store.of(alerts).by.project_id.find(project.id).size).toBe(0);
  expect((await send({ title: "x", ...keys(50_000) })).status).toBe(200);
});

test("one long key above thousands of leaves is written a few times, not thousands of times", async () => {
  const { send, ask, alertsPath } = await setAlertScene(world);
  const key = "k".repeat(100_000);
  const leaves = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`${at}`, 1]));
  const { status, body } = await send({ title: "planted", fingerprint: "f1", [key]: leaves });
  expect(status).toBe(200);
  const answer = await ask("GET", `${alertsPath}/${body[0].iid}`);
  expect(answer.status).toBe(200);
  expect(answer.text.length).toBeLessThan(8 << 20);
});

test("alerts with long texts that fire again are written one by one, short ones together", async () => {
  const fired = async (runbook: string) => {
    const { send, alert } = await setAlertScene(world);
    const item = (at: number, more: object) =>
      metricsItem({ fingerprint: `same ${at}`, annotations: { title: `${at}`, ...more } });
    for (const at of [1, 2, 3]) expect((await send(metricsPayload([item(at, { runbook })]))).status).toBe(200);
    const before = world.store.statistics().durableSequence;
    expect((await send(metricsPayload([1, 2, 3].map((at) => item(at, {}))))).status).toBe(200);
    expect((await alert(3)).event_count).toBe(2);
    return world.store.statistics().durableSequence - before;
  };
  expect(await fired("short")).toBe(1);
  expect(await fired("x".repeat(700_000))).toBe(3);
});
