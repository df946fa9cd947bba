import { describe, expect, test } from "bun:test";
import { metricsItem, metricsPayload, setAlertScene } from "../../../support/fixtures/alerts.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const { send, alert } = await setAlertScene(world);
let count = 0;

/** The alert that a payload makes, whatever else was sent before. */
async function madeOf(payload: object): Promise<Json> {
  count += 1;
  const { status, body, text } = await send({ fingerprint: `own ${count}`, ...payload });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return alert(body[0].iid);
}

async function madeOfItem(attributes: object): Promise<Json> {
  count += 1;
  const { body } = await send(metricsPayload([metricsItem({ fingerprint: `item ${count}`, ...attributes })]));
  return body.length === 0 ? undefined : alert(body[0].iid);
}

describe("a generic payload", () => {
  test.each([
    [{}, { title: "New: Alert" }],
    [{ title: "  " }, { title: "New: Alert" }],
    [{ title: "x".repeat(200) }, { title: "x".repeat(200) }],
    [{ title: "x".repeat(201) }, { title: `${"x".repeat(197)}...` }],
    [{ title: 12 }, { title: "12" }],
    [{ title: true }, { title: "true" }],
    [{ title: ["x"] }, { title: "New: Alert" }],
    [{ description: "d".repeat(1001) }, { description: `${"d".repeat(997)}...` }],
    [
      { description: null, service: 5, monitoring_tool: "" },
      { description: null, service: "5", monitoring_tool: null },
    ],
    [{ service: "s".repeat(101) }, { service: `${"s".repeat(97)}...` }],
    [{ monitoring_tool: "Prometheus" }, { monitoring_tool: "Prometheus", title: "New: Alert" }],
    [{ hosts: "one" }, { hosts: ["one"] }],
    [{ hosts: ["a", ["b", ["c", 4]]] }, { hosts: ["a", "b", "c", "4"] }],
    [{ hosts: ["a".repeat(200), "b".repeat(60), "c"] }, { hosts: ["a".repeat(200), "b".repeat(55)] }],
    [{ hosts: ["a".repeat(255), "b"] }, { hosts: ["a".repeat(255)] }],
    [{ severity: "HIGH" }, { severity: "high" }],
    [{ severity: "info" }, { severity: "info" }],
    [{ severity: "unknown" }, { severity: "unknown" }],
    [{ severity: "s2" }, { severity: "critical" }],
    [{ severity: "warning" }, { severity: "critical" }],
    [{ severity: 3 }, { severity: "critical" }],
    [{ start_time: "2024-02-03T05:05:06+01:00" }, { started_at: "2024-02-03T04:05:06.000Z" }],
    [{ service_environment_name: "prod" }, { environment_name: "prod", environment: null }],
    [{ gitlab_environment_name: "prod" }, { environment_name: "prod" }],
    [{ runbook: "https://wiki.example" }, { runbook: "https://wiki.example" }],
    [{ end_time: "soon" }, { status: "triggered", ended_at: null }],
    [{ end_time: "0001-01-01T00:00:00Z" }, { status: "triggered" }],
    [{ metric_query: "x" }, { metric_query: null, y_label: null, incident_markdown: null }],
  ] as [object, object][])("%j is %j", async (payload, expected) => {
    expect(await madeOf(payload)).toMatchObject(expected);
  });

  test("starts now when its start is missing or malformed", async () => {
    world.clock.advance(5_000);
    for (const payload of [{}, { start_time: "yesterday" }, { start_time: null }]) {
      expect((await madeOf(payload)).started_at).toBe(world.clock.time());
    }
  });

  test("is stored as sent, with any nesting and any key", async () => {
    const payload = JSON.parse(
      '{"fingerprint":"kept","a":{"b":{"c":[{"d":1}]},"__proto__":{"x":"y"}},"n":null,"e":{}}',
    );
    const { body } = await send(JSON.stringify(payload));
    const found = await alert(body[0].iid);
    expect(found.payload).toEqual(payload);
    expect(found.details).toEqual({ fingerprint: "kept", "a.b.c": [{ d: 1 }], "a.__proto__.x": "y", n: null });
  });

  test("with unusual texts causes no error", async () => {
    for (const title of ["\0a", "\ud800", "\u202e", "é".repeat(300), "😀".repeat(300)]) {
      const { title: kept } = await madeOf({ title, [title]: title });
      expect([...kept].length).toBeLessThanOrEqual(200);
    }
  });
});

describe("a payload in the metrics format", () => {
  test("has all nine members and version 4; anything else is one generic alert", async () => {
    const { alerts, ...rest } = metricsPayload();
    for (const payload of [rest, { ...rest, alerts, version: "3" }, { ...rest, alerts, version: 4 }]) {
      const { status, body } = await send(payload);
      expect({ status, titles: body.map(({ title }: Json) => title) }).toEqual({ status: 200, titles: ["New: Alert"] });
    }
    const nulls = Object.fromEntries(Object.keys(metricsPayload()).map((name) => [name, null]));
    const { body } = await send({ ...nulls, version: "4", alerts: [] });
    expect(body).toEqual([]);
  });

  test("of Alertmanager is one alert for each item", async () => {
    const { body } = await send(metricsPayload());
    expect(body).toEqual([{ iid: expect.any(Number), title: "db-3 is down" }]);
    expect(await alert(body[0].iid)).toMatchObject({
      title: "db-3 is down",
      description: null,
      severity: "high",
      status: "triggered",
      monitoring_tool: "Prometheus",
      started_at: "2024-02-03T04:05:06.789Z",
      ended_at: null,
      metric_query: "up == 0",
      y_label: "db-3 is down",
      payload: metricsItem(),
    });
    const again = await send(metricsPayload([metricsItem(), metricsItem({ fingerprint: "other" })]));
    expect(again.body[0].iid).toBe(body[0].iid);
    expect(again.body[1].iid).toBeGreaterThan(body[0].iid);
    const over = {
      status: "resolved",
      endsAt: "2024-02-03T05:00:00Z",
      generatorURL: "",
      annotations: { summary: "up" },
    };
    const mixed = await send(metricsPayload([metricsItem(over), metricsItem({ fingerprint: "other" })]));
    expect(mixed.body.map(({ iid }: Json) => iid)).toEqual(again.body.map(({ iid }: Json) => iid));
    expect(await alert(body[0].iid)).toMatchObject({
      status: "resolved",
      ended_at: "2024-02-03T05:00:00.000Z",
      event_count: 2,
      title: "db-3 is down",
    });
  });

  test.each([
    [{ annotations: { title: "T", summary: "S" } }, { title: "T", y_label: "T" }],
    [{ annotations: { title: " ", summary: "S" } }, { title: "S" }],
    [{ annotations: {} }, { title: "InstanceDown" }],
    [{ annotations: null }, { title: "InstanceDown" }],
    [{ annotations: { description: "D", runbook: "R" } }, { description: "D", runbook: "R" }],
    [{ annotations: { service_incident_markdown: "**M**" } }, { incident_markdown: "**M**" }],
    [{ annotations: { gitlab_incident_markdown: "**M**" } }, { incident_markdown: "**M**" }],
    [{ annotations: { service_y_label: "Y" } }, { y_label: "Y", title: "InstanceDown" }],
    [{ annotations: { gitlab_y_label: "Y" } }, { y_label: "Y" }],
    [{ labels: { alertname: "A", service_environment_name: "e" } }, { environment_name: "e", severity: "critical" }],
    [{ labels: { alertname: "A", gitlab_environment_name: "e" } }, { environment_name: "e" }],
    [{ generatorURL: "no url?g0.expr=x" }, { metric_query: null }],
    [{ generatorURL: "http://x/graph" }, { metric_query: null }],
    [{ generatorURL: "http://x/?g0.expr=a%2Bb+c" }, { metric_query: "a+b c" }],
    [{ startsAt: "yesterday" }, { title: "db-3 is down" }],
    [{ endsAt: "2024-02-03T05:00:00Z" }, { status: "triggered", ended_at: null }],
  ] as [object, object][])("with %j is %j", async (attributes, expected) => {
    expect(await madeOfItem(attributes)).toMatchObject(expected);
  });

  test.each([
    ["no startsAt", { startsAt: undefined }],
    ["an empty startsAt", { startsAt: "" }],
    ["no title", { annotations: {}, labels: {} }],
    ["an end of something unknown", { status: "resolved", fingerprint: "unknown" }],
  ])("skips an item with %s", async (_, attributes) => {
    count += 1;
    const good = metricsItem({ fingerprint: `good ${count}` });
    const { status, body } = await send(metricsPayload([metricsItem(attributes), null, "text", 1, [], good]));
    expect({ status, length: body.length }).toEqual({ status: 200, length: 1 });
    expect(await send(metricsPayload([metricsItem(attributes)]))).toMatchObject({ status: 200, body: [] });
  });

  const table = {
    critical: "critical s1 p1 emergency fatal Critical minor other",
    high: "high s2 p2 major page PAGE",
    medium: "medium s3 p3 error alert",
    low: "low s4 p4 warn warning",
    info: "info s5 p5 debug information notice",
    unknown: "unknown",
  };
  test.each(Object.entries(table))("knows the synonyms of %s", async (severity, words) => {
    for (const word of words.split(" ")) {
      expect(await madeOfItem({ labels: { alertname: "A", severity: word } })).toMatchObject({ severity });
    }
  });

  test("without a status is resolved when its end has passed", async () => {
    for (const [endsAt, status] of [
      ["0001-01-01T00:00:00Z", "triggered"],
      [null, "triggered"],
      ["2999-01-01T00:00:00Z", "triggered"],
      ["2024-02-03T05:00:00Z", "resolved"],
    ]) {
      const made = await madeOfItem({ fingerprint: `end ${endsAt}` });
      await send(metricsPayload([metricsItem({ fingerprint: `end ${endsAt}`, status: undefined, endsAt })]));
      expect((await alert(made.iid)).status).toBe(status);
    }
  });

  test("is resolved now when a resolved item has no end", async () => {
    const made = await madeOfItem({ fingerprint: "over" });
    await send(metricsPayload([metricsItem({ fingerprint: "over", status: "resolved" })]));
    expect(await alert(made.iid)).toMatchObject({ status: "resolved", ended_at: world.clock.time() });
  });

  test("with hundreds of items creates as many alerts", async () => {
    const items = Array.from({ length: 230 }, (_, at) => metricsItem({ fingerprint: `many ${at}` }));
    const { body } = await send(metricsPayload(items));
    expect(new Set(body.map(({ iid }: Json) => iid)).size).toBe(230);
    expect((await send(metricsPayload([...items, ...items]))).body).toEqual(body);
    expect((await alert(body[229].iid)).event_count).toBe(3);
  });
});
