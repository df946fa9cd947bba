import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { metricsItem, metricsPayload, setAlertScene } from "../../../support/fixtures/alerts.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const community = await startWorld({ edition: "community" });
const scene = await setAlertScene(world);
const free = await setAlertScene(community);
const iidOf = async (payload: unknown, { send } = scene): Promise<number> => (await send(payload)).body[0].iid;
const sha1 = (text: string) => new Bun.CryptoHasher("sha1").update(text).digest("hex");

describe("the fingerprint", () => {
  test.each([
    [{ fingerprint: "text" }, sha1("text")],
    [{ fingerprint: 12 }, sha1("12")],
    [{ fingerprint: ["a", ["b", 1]] }, sha1("ab1")],
    [{}, null],
    [{ hosts: ["a"], start_time: "2024-02-03T04:05:06Z", title: "" }, null],
  ])("of %j is %j", async (payload, fingerprint) => {
    expect((await scene.alert(await iidOf(payload))).fingerprint).toBe(fingerprint);
  });

  test("of an item combines its start and its own fingerprint", async () => {
    const { body } = await scene.send(metricsPayload());
    expect((await scene.alert(body[0].iid)).fingerprint).toBe(sha1("2024-02-03T04:05:06.789Z/9f2b0c3d4e5f6071"));
  });

  test("of an item without one separates series of one rule", async () => {
    const item = (instance: string, more: object = {}) =>
      metricsItem({ fingerprint: undefined, labels: { alertname: "A", instance }, ...more });
    const { body } = await scene.send(metricsPayload([item("1"), item("2"), item("1")]));
    expect(body).toHaveLength(2);
    const swapped = item("1", { labels: { instance: "1", alertname: "A" } });
    expect((await scene.send(metricsPayload([swapped]))).body).toEqual([body[0]]);
    const later = item("1", { startsAt: "2024-02-03T04:05:07Z" });
    expect((await scene.send(metricsPayload([later]))).body[0].iid).toBeGreaterThan(body[1].iid);
  });

  test("is the hash of all but start, end and hosts in paid tiers, whatever the order of keys", async () => {
    const one = await iidOf({ title: "A", x: { p: 1, q: [{ r: 1, s: 2 }] }, start_time: "2024-02-03T04:05:06Z" });
    const same = { x: { q: [{ s: 2, r: 1 }], p: 1 }, title: "A", hosts: ["h"], start_time: "2025-01-01" };
    expect(await iidOf(same)).toBe(one);
    expect(await iidOf({ title: "A", x: { p: 2, q: [{ r: 1, s: 2 }] } })).not.toBe(one);
    expect(await iidOf({ title: "A", "x.p": 1, x: { q: [{ r: 1, s: 2 }] } })).toBe(one);
    expect((await scene.alert(one)).fingerprint).toMatch(/^[\da-f]{40}$/);
  });

  test("is not computed in the community edition, which uses a given one", async () => {
    const [one, two] = [await iidOf({ title: "A" }, free), await iidOf({ title: "A" }, free)];
    expect(two).toBe(one + 1);
    expect((await free.alert(two)).fingerprint).toBeNull();
    const given = await iidOf({ title: "A", fingerprint: "f" }, free);
    expect(await iidOf({ title: "B", fingerprint: "f" }, free)).toBe(given);
    expect((await free.alert(given)).event_count).toBe(2);
  });

  test("is not computed while its flag is off", async () => {
    const set = (value: boolean) =>
      world.call("POST", "/features/generic_alert_fingerprints", { token: rootToken, json: { value } });
    expect((await set(false)).status).toBe(201);
    const [one, two] = [await iidOf({ title: "flag" }), await iidOf({ title: "flag" })];
    expect(two).toBe(one + 1);
    await set(true);
    const [three, four] = [await iidOf({ title: "flag" }), await iidOf({ title: "flag" })];
    expect(four).toBe(three);
  });

  test("applies to all integrations of a project, and only to them", async () => {
    const { send, integrate } = scene;
    const second = await integrate();
    const one = await iidOf({ fingerprint: "across" });
    expect((await send({ fingerprint: "across" }, { to: second })).body[0].iid).toBe(one);
    const elsewhere = await setAlertScene(world);
    await elsewhere.send({ fingerprint: "across" });
    expect((await elsewhere.alert(1)).event_count).toBe(1);
  });
});

describe("a repeated alert", () => {
  test("increases the count, and changes nothing else", async () => {
    const iid = await iidOf({ fingerprint: "again", title: "first", severity: "low" });
    const before = await scene.alert(iid);
    world.clock.advance(60_000);
    await scene.send({ fingerprint: "again", title: "second", severity: "high", start_time: "2024-01-01" });
    const { updated_at, ...after } = await scene.alert(iid);
    const { updated_at: _, ...unchanged } = before;
    expect(after).toEqual({ ...unchanged, event_count: 2 });
    expect(updated_at).toBe(world.clock.time());
  });

  test.each(["acknowledged", "ignored"])("while it is %s increases the count, too", async (status) => {
    const iid = await iidOf({ fingerprint: status });
    await scene.ask("PUT", `${scene.alertsPath}/${iid}`, { status });
    expect(await iidOf({ fingerprint: status })).toBe(iid);
    expect(await scene.alert(iid)).toMatchObject({ status, event_count: 2 });
  });

  test("after it was resolved is a new one", async () => {
    const iid = await iidOf({ fingerprint: "anew" });
    await scene.send({ fingerprint: "anew", end_time: "2024-02-03T04:05:06Z" });
    expect(await iidOf({ fingerprint: "anew" })).toBe(iid + 1);
  });
});

describe("a resolving payload", () => {
  test.each([
    ["2024-02-03T04:05:06Z", "2024-02-03T04:05:06.000Z"],
    [1_706_933_106_789, "2024-02-03T04:05:06.789Z"],
    ["1706933106789", "2024-02-03T04:05:06.789Z"],
  ])("%j resolves the open alert", async (end_time, ended_at) => {
    const iid = await iidOf({ fingerprint: `end ${end_time}` });
    const { status, body } = await scene.send({ fingerprint: `end ${end_time}`, end_time, title: "other" });
    expect({ status, body }).toEqual({ status: 200, body: [{ iid, title: "New: Alert" }] });
    expect(await scene.alert(iid)).toMatchObject({ status: "resolved", ended_at, event_count: 1 });
  });

  test("without an open alert is refused, and stores nothing", async () => {
    const { body: before } = await scene.ask("GET", `${scene.alertsPath}/status_counts`);
    for (const fingerprint of ["nothing", ""]) {
      expect((await scene.send({ fingerprint, title: "z", end_time: "2024-02-03T04:05:06Z" })).status).toBe(400);
    }
    expect((await scene.ask("GET", `${scene.alertsPath}/status_counts`)).body).toEqual(before);
  });
});

test("after any payloads, there is one open alert of an identity and the counts are right", async () => {
  const step = fc.record({ of: fc.integer({ min: 0, max: 2 }), end: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { send, alertsPath, ask } = await setAlertScene(world);
      const open = new Map<number, number>();
      const made: { events: number; resolved: boolean }[] = [];
      for (const { of, end } of steps) {
        const payload = { fingerprint: `id ${of}`, ...(end ? { end_time: "2024-02-03T04:05:06Z" } : {}) };
        const at = open.get(of);
        const { status, body } = await send(payload);
        if (end && at === undefined) expect(status).toBe(400);
        else {
          const iid = at ?? made.push({ events: 0, resolved: false });
          const entry = made[iid - 1] as (typeof made)[number];
          expect(body[0].iid).toBe(iid);
          if (end) entry.resolved = true;
          else entry.events += 1;
          if (end) open.delete(of);
          else open.set(of, iid);
        }
      }
      const { body } = await ask("GET", `${alertsPath}?per_page=100&order_by=created_at&sort=asc`);
      const found = body
        .sort((one: Json, other: Json) => one.iid - other.iid)
        .map(({ event_count, status }: Json) => ({ events: event_count, resolved: status === "resolved" }));
      expect(found).toEqual(made);
    }),
    { numRuns: 15 },
  );
});
