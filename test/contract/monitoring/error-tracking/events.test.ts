import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { eventOf } from "../../../support/fixtures/error-tracking.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";
import { setErrorScene } from "./setting.ts";

const world = await startWorld();
const { only } = await setErrorScene(world);

const latest = async (...events: readonly Json[]): Promise<Json> =>
  (await world.get(`${await only(...events)}/events/latest`)).body;

describe("an event", () => {
  test("shows the report, with unknown members", async () => {
    const event = eventOf({ environment: "production", level: "fatal", release: "1.4.1", extra: { a: [1, null] } });
    expect(await latest(event)).toEqual({
      id: expect.any(Number),
      error_id: expect.any(Number),
      description: "division by zero",
      environment: "production",
      level: "fatal",
      release: "1.4.1",
      date_received: "2024-02-03T04:05:06.000Z",
      stack_trace_entries: [
        { lineNo: null, colNo: 0, filename: null, abs_path: null, function: "main", context: [] },
        { lineNo: null, colNo: 0, filename: null, abs_path: null, function: "run", context: [] },
      ],
      payload: event,
    });
  });

  test("has null for members that are missing, or no texts", async () => {
    expect(await latest(eventOf({ level: 40, release: {} }))).toMatchObject({
      environment: null,
      level: null,
      release: null,
    });
  });

  test("keeps its description when a later one has another", async () => {
    const path = await only(
      eventOf({ timestamp: 2 }, { value: "first" }),
      eventOf({ timestamp: 1 }, { value: "second" }),
    );
    expect((await world.get(path)).body.message).toBe("second");
    const { body } = await world.get(`${path}/events`);
    expect(body.map(({ description }: Json) => description)).toEqual(["first", "second"]);
  });

  test("is complete, at any size", async () => {
    for (const length of [10_000, 16_000, 17_000, 1_000_000]) {
      const event = eventOf({ extra: "ü".repeat(length / 2), release: "2" });
      const path = await only(event, event);
      const { body } = await world.get(`${path}/events`);
      expect(body.map(({ payload }: Json) => payload)).toEqual([event, event]);
      expect((await world.get(path)).body).toMatchObject({ count: 2, last_release_version: "2" });
    }
  });
});

describe("a stack trace", () => {
  const frame = {
    lineno: 10,
    filename: "app.py",
    abs_path: "/srv/app.py",
    function: "run",
    pre_context: ["eight", "nine"],
    context_line: "ten",
    post_context: ["eleven", 12],
  };
  const shown = {
    lineNo: 10,
    colNo: 0,
    filename: "app.py",
    abs_path: "/srv/app.py",
    function: "run",
    context: [
      [8, "eight"],
      [9, "nine"],
      [10, "ten"],
      [11, "eleven"],
      [12, ""],
    ],
  };
  const entries = async (event: Json) => (await latest(event)).stack_trace_entries;

  test("has the lines around each frame, in the sent order", async () => {
    const other = { function: "main", lineno: 1, post_context: ["two"] };
    expect(await entries(eventOf({}, { stacktrace: { frames: [other, frame] } }))).toEqual([
      { lineNo: 1, colNo: 0, filename: null, abs_path: null, function: "main", context: [[2, "two"]] },
      shown,
    ]);
  });

  test("is that of the first exception that has one", async () => {
    const values = [
      { type: "A" },
      { type: "B", stacktrace: { frames: [frame] } },
      { type: "C", stacktrace: { frames: [] } },
    ];
    expect(await entries({ exception: { values } })).toEqual([shown]);
    expect(await entries({ exception: values })).toEqual([shown]);
  });

  test("is that of a thread when no exception has one", async () => {
    const threads = { values: [{ id: 1 }, { id: 2, stacktrace: { frames: [frame] } }] };
    expect(await entries(eventOf({ threads }, { stacktrace: null }))).toEqual([shown]);
    expect(await entries(eventOf({ threads: threads.values }, { stacktrace: null }))).toEqual([shown]);
    for (const strange of [null, 7, "x", [null, 1], { values: [{ stacktrace: { frames: [null, "x"] } }] }]) {
      expect(await entries(eventOf({ threads: strange }, { stacktrace: null }))).toEqual([]);
    }
  });
});

test("events are listed by time, the latest first, and those of one time the newest first", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 25 }), async (times) => {
      const path = await only(...times.map((timestamp, index) => eventOf({ timestamp, release: String(index) })));
      const expected = times
        .map((time, index) => ({ time, index }))
        .toSorted((a, b) => b.time - a.time || b.index - a.index)
        .map(({ index }) => String(index));
      const found: string[] = [];
      for (let page = 1; found.length < times.length; page += 1) {
        const { body, headers } = await world.get(`${path}/events`, { query: { page, per_page: 7 } });
        expect(headers.get("x-total")).toBe(String(times.length));
        expect(body.length).toBe(Math.min(7, times.length - found.length));
        found.push(...body.map(({ release }: Json) => release));
      }
      expect(found).toEqual(expected);
      expect((await world.get(`${path}/events/latest`)).body.release).toBe(expected[0]);
    }),
    { numRuns: 15 },
  );
});
