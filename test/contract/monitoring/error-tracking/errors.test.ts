import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { eventOf } from "../../../support/fixtures/error-tracking.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";
import { exceptions, setErrorScene } from "./setting.ts";

const world = await startWorld();
const { errorsOf, get, list, reported, only } = await setErrorScene(world);

const details = async (...events: readonly Json[]): Promise<Json> => (await get(await only(...events))).body;
const trace = (...frames: Json[]) => ({ stacktrace: { frames } });

describe("an error", () => {
  test("shows everything of its events", async () => {
    const {
      id,
      path,
      path: _,
    } = await reported(
      eventOf({ release: "1.4.0", level: "warning", timestamp: "2024-02-03T04:05:06Z" }),
      eventOf({ timestamp: "2024-02-03T04:30:00.5+01:00" }),
      eventOf(
        { release: "1.4.1", level: "error", logger: "root", timestamp: "2024-02-03T05:00:00Z" },
        { value: "float division by zero" },
      ),
    );
    const [listed] = await list(id);
    const name = (await world.get(`/projects/${id}`)).body.path_with_namespace;
    expect(listed).toEqual({
      id: expect.any(Number),
      project_id: id,
      title: "ZeroDivisionError float division by zero",
      type: "ZeroDivisionError",
      message: "float division by zero",
      culprit: "run(app.jobs)",
      platform: "python",
      status: "unresolved",
      count: 3,
      user_count: 0,
      first_seen: "2024-02-03T04:05:06.000Z",
      last_seen: "2024-02-03T05:00:00.000Z",
      external_url: `${world.origin}/${name}/-/error_tracking/${listed.id}/details`,
    });
    expect((await get(`${path}/${listed.id}`)).body).toEqual({
      ...listed,
      integrated: true,
      first_release_version: "1.4.0",
      last_release_version: "1.4.1",
      tags: { level: "error", logger: "root" },
    });
  });

  test.each([
    [
      "the first exception with a stacktrace",
      exceptions({ type: "A", value: "a" }, { type: "B", value: "b", ...trace() }),
      "B",
      "b",
    ],
    [
      "the first exception when none has one",
      exceptions({ type: "A", value: "a" }, { type: "B", value: "b" }),
      "A",
      "a",
    ],
    ["a bare list of exceptions", { exception: [{ type: "A", value: "a" }] }, "A", "a"],
    ["a message that was captured", exceptions({ value: "hello", ...trace() }), "Error", "hello"],
    ["an exception with a blank type and value", exceptions({ type: " ", value: "\t" }), "Error", "Error"],
    ["an exception without a value", exceptions({ type: "A" }), "A", "A"],
  ])("has a name from %s", async (_, event, type, message) => {
    expect(await details(event)).toMatchObject({ type, message });
  });

  test.each([
    ["its transaction", { ...exceptions({ type: "A", ...trace({ function: "f" }) }), transaction: "GET /" }, "GET /"],
    ["its last frame", exceptions({ type: "A", ...trace({ function: "f" }, { function: "g", module: "m" }) }), "g(m)"],
    [
      "its last frame's function",
      { ...exceptions({ type: "A", ...trace({ function: "g" }) }), transaction: " " },
      "g()",
    ],
    ["its last frame's module", exceptions({ type: "A", ...trace({ module: "m", function: null }) }), "(m)"],
    ["nothing", exceptions({ type: "A", ...trace() }), "unknown"],
  ])("has the culprit that %s gives", async (_, event, culprit) => {
    expect(await details(event)).toMatchObject({ culprit });
  });

  test("has a title of 64 characters, and a description of 1,024, at most", async () => {
    const { title } = await details(eventOf({}, { value: "😀".repeat(46) }));
    expect(title).toBe(`ZeroDivisionError ${"😀".repeat(46)}`);
    const long = await details(eventOf({}, { value: "😀".repeat(1500) }));
    expect(long.title).toBe(`ZeroDivisionError ${"😀".repeat(43)}...`);
    expect([...long.title]).toHaveLength(64);
    expect(long.message).toBe("😀".repeat(1024));
  });

  test.each([
    ["2024-02-03T04:05:06.789123Z", "2024-02-03T04:05:06.789Z"],
    ["2024-02-03T04:05:06+02:00", "2024-02-03T02:05:06.000Z"],
    ["2024-02-03T04:05:06", "2024-02-03T04:05:06.000Z"],
    [1706933106.25, "2024-02-03T04:05:06.250Z"],
    ["1706933106", "2024-02-03T04:05:06.000Z"],
    ["1706933106.5", "2024-02-03T04:05:06.500Z"],
    [0, "1970-01-01T00:00:00.000Z"],
    [-1, "1969-12-31T23:59:59.000Z"],
  ])("was seen at %p: %s", async (timestamp, seen) => {
    expect(await details(eventOf({ timestamp }))).toMatchObject({ first_seen: seen, last_seen: seen });
  });

  test.each([[undefined], [null], [""], ["yesterday"], [1e30], [[]]])(
    "was seen now, when its time is %p",
    async (timestamp) => {
      const seen = world.clock.time();
      expect(await details(eventOf({ timestamp }))).toMatchObject({ first_seen: seen, last_seen: seen });
    },
  );

  test("was last seen when the event that arrived last happened, and first when the first did", async () => {
    const times = ["2024-02-03T04:05:06Z", "2024-02-05T04:05:06Z", "2024-02-01T04:05:06Z"];
    const error = await details(...times.map((timestamp) => eventOf({ timestamp })));
    expect(error).toMatchObject({ first_seen: "2024-02-03T04:05:06.000Z", last_seen: "2024-02-01T04:05:06.000Z" });
  });

  test("has texts without NULs and halves of characters, by which a search finds it", async () => {
    const { id, collector } = await reported();
    const raw = JSON.stringify(eventOf({ tags: { "a-b": "x-y" } }))
      .replaceAll("-", "\\u0000")
      .replace("division by", "by\\ud800");
    expect((await collector.report(undefined, { raw })).status).toBe(200);
    const [error] = await list(id, { query: "zero" });
    expect(error.message).toBe("by\ufffd zero");
    expect((await get(`${errorsOf(id)}/${error.id}/events/latest`)).body.payload.tags).toEqual({ ab: "xy" });
  });

  test("keeps names with a meaning for programs unchanged", async () => {
    const { id, collector } = await reported();
    const raw = JSON.stringify(eventOf({ extra: "here" })).replace('"here"', '{"__proto__":{"a":1},"constructor":2}');
    expect((await collector.report(undefined, { raw })).status).toBe(200);
    const [error] = await list(id);
    const { text } = await get(`${errorsOf(id)}/${error.id}/events/latest`);
    expect(text).toContain('"extra":{"__proto__":{"a":1},"constructor":2}');
  });
});

test("events with equal name, actor and platform are one error, and others are not", async () => {
  const word = fc.constantFrom("a", "b", 'a","b', "");
  const triple = fc.record({ type: word, transaction: word, platform: fc.option(word) });
  await fc.assert(
    fc.asyncProperty(fc.array(triple, { minLength: 1, maxLength: 12 }), async (triples) => {
      const { id } = await reported(
        ...triples.map(({ type, transaction, platform }) => ({ platform, transaction, exception: [{ type }] })),
      );
      const expected = new Map<string, number>();
      for (const { type, transaction, platform } of triples) {
        const key = JSON.stringify([type || "Error", transaction || "unknown", platform]);
        expected.set(key, (expected.get(key) ?? 0) + 1);
      }
      const found = await list(id);
      const counts = found.map(({ type, culprit, platform, count }) => [
        JSON.stringify([type, culprit, platform]),
        count,
      ]);
      expect(new Map(counts as [string, number][])).toEqual(expected);
      expect(found).toHaveLength(expected.size);
    }),
    { numRuns: 25 },
  );
});
