import { describe, expect, test } from "bun:test";
import { documentSteps, requestStepsMax } from "../../../../src/domain/work-budget.ts";
import { errorEvents, trackedErrors } from "../../../../src/modules/monitoring/error-tracking/records.ts";
import { eventOf } from "../../../support/fixtures/error-tracking.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setErrorScene } from "./setting.ts";

const world = await startWorld();
const { list, only, reported } = await setErrorScene(world);
await world.call("POST", "/features/request_log_details", { token: rootToken, json: { value: true } });

const stepsOfLast = () =>
  Number(/"steps":(\d+)/.exec(world.logged.findLast((line) => line.includes("steps")) ?? "")?.[1]);
const numbered = (count: number, of: (at: number) => Json = (at) => ({ function: `f${at}` })) =>
  Array.from({ length: count }, (_, at) => of(at));
const ends = (entries: readonly Json[]) => [...entries.slice(0, 50), ...entries.slice(-200)];

/** The payload of the latest event after this one was reported. */
async function kept(event: Json): Promise<Json> {
  return (await world.get(`${await only(event)}/events/latest`)).body.payload;
}

describe("the store keeps, of an event with very long lists,", () => {
  test("the first fifty and the last two hundred frames", async () => {
    const frames = numbered(90_000, (at) => (at < 200 || at >= 89_000 ? { function: `f${at}` } : {}));
    const path = await only(eventOf({}, { stacktrace: { frames, registers: {} } }));
    const { stack_trace_entries, payload } = (await world.get(`${path}/events/latest`)).body;
    expect(payload).toEqual(eventOf({}, { stacktrace: { frames: ends(frames), registers: {} } }));
    expect(stack_trace_entries.map((entry: Json) => entry.function)).toEqual(
      ends(frames).map((frame) => frame.function),
    );
    expect((await world.get(path)).body.culprit).toBe("f89999()");
  });

  test("the same of exceptions and threads, with their other members", async () => {
    const last = { type: "last", stacktrace: { frames: numbered(251) } };
    const values = [...numbered(250, (at) => ({ type: `T${at}` })), last];
    const cut = ends(values).with(-1, { ...last, stacktrace: { frames: ends(numbered(251)) } });
    const threads = { values: [{ id: 1, stacktrace: { frames: numbered(251) } }], other: numbered(251) };
    expect(await kept({ exception: { values, other: 1 }, threads })).toEqual({
      exception: { values: cut, other: 1 },
      threads: { ...threads, values: [{ id: 1, stacktrace: { frames: ends(numbered(251)) } }] },
    });
    expect(await kept({ exception: values, threads: values })).toEqual({ exception: cut, threads: cut });
  });

  test("the lines nearest to a frame's own", async () => {
    const lines = numbered(150, String);
    const frame = { lineno: 200, pre_context: lines, context_line: "x", post_context: lines };
    const frames = [{ ...frame, pre_context: lines.slice(50), post_context: lines.slice(0, 100) }];
    expect(await kept(eventOf({}, { stacktrace: { frames: [frame] } }))).toEqual(
      eventOf({}, { stacktrace: { frames } }),
    );
  });

  test("nothing that has more than a hundred thousand values", async () => {
    const { collector } = await reported();
    const { status, body } = await collector.report(eventOf({ extra: { a: Array(100_000).fill(0) } }));
    const message = "400 Bad request - Failed to parse sentry request";
    expect({ status, body }).toEqual({ status: 400, body: { message } });
  });
});

test("an ordinary event is stored unchanged, in the order of the report", async () => {
  const lines = numbered(100, String);
  const frames = numbered(250, (at) => ({ function: `f${at}`, pre_context: lines, post_context: lines, vars: { at } }));
  const threads = { values: numbered(250, (id) => ({ id, stacktrace: null })) };
  const json = JSON.stringify({ threads, ...eventOf({ extra: { z: 1, a: [null, 1.5] } }, { stacktrace: { frames } }) });
  const path = await only(JSON.parse(json));
  const { text } = await world.get(`${path}/events/latest`);
  expect(text.endsWith(`"payload":${json}}`)).toBe(true);
  expect((await world.get(`${path}/events`)).text.endsWith(`"payload":${json}}]`)).toBe(true);
});

describe("a page of events costs", () => {
  /** Puts an event of some other time straight into the store. */
  function put(errorId: number, payload: string, count = 1): void {
    world.store.transact((tx) => {
      for (let rest = count; rest > 0; rest -= 1) {
        tx.append(errorEvents, {
          id: tx.nextId("error-events"),
          error_id: errorId,
          description: "d",
          environment: null,
          level: null,
          occurred_at: "2024-02-03T04:05:06.000Z",
          payload,
        });
      }
    });
  }

  async function errorWith(payload: string, count: number): Promise<string> {
    const { id, path } = await reported(eventOf());
    const [error] = await list(id);
    expect(world.store.of(trackedErrors).get(error.id)).toBeDefined();
    put(error.id, payload, count);
    return `${path}/${error.id}/events?per_page=100`;
  }

  /** A test's own calls take no 503. */
  async function statusOf(path: string): Promise<number> {
    const headers = { "PRIVATE-TOKEN": rootToken };
    return (await fetch(`${world.origin}/api/v4${path}`, { method: "HEAD", headers })).status;
  }

  test("as many steps as the events have characters", async () => {
    const payload = JSON.stringify(eventOf({ extra: "x".repeat(1_000_000) }));
    expect(await statusOf(await errorWith(payload, 20))).toBe(200);
    expect(stepsOfLast()).toBeGreaterThan(20 * payload.length);
    expect(stepsOfLast()).toBeLessThan(20 * payload.length + 2_000 * documentSteps);
    expect(await statusOf(await errorWith(payload, 99))).toBe(503);
    expect(stepsOfLast()).toBeLessThan(requestStepsMax * 1.1);
  });

  test("eighty steps more for each key of an object", async () => {
    const extra = Object.fromEntries(numbered(50_000).map((_, at) => [`k${at}`, 0]));
    const payload = JSON.stringify(eventOf({ extra }));
    expect(await statusOf(await errorWith(payload, 2))).toBe(200);
    expect(stepsOfLast()).toBeGreaterThan(2 * 50_000 * 80);
    expect(await statusOf(await errorWith(payload, 20))).toBe(503);
  });

  test("more for the frames of those that are stored with too many", async () => {
    const payload = JSON.stringify(eventOf({}, { stacktrace: { frames: Array(100_000).fill({}) } }));
    expect((await world.get(await errorWith(payload, 1))).body[0].stack_trace_entries).toHaveLength(100_000);
    expect(await statusOf(await errorWith(payload, 20))).toBe(503);
    const frame = { lineno: 1, post_context: Array(500_000).fill(1) };
    const lines = JSON.stringify(eventOf({}, { stacktrace: { frames: [frame] } }));
    expect(await statusOf(await errorWith(lines, 4))).toBe(503);
  });
});
