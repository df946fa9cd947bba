import { expect, test } from "bun:test";
import fc from "fast-check";
import { collectorOf, envelopeOf, eventOf } from "../../../support/fixtures/error-tracking.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";

// Every answer of `call` is checked for 5xx, and for its schema where it is a success.
const world = await startWorld();
const places = placesOf(world);
const { id } = places.project(places.group().id);
const collector = await collectorOf(world, id);
const errors = `/projects/${id}/error_tracking/errors`;

/** Reads everything there is, the newest error first. */
async function readAll(): Promise<void> {
  const { body } = await world.get(errors, { query: { status: "all", per_page: 5 } });
  for (const error of body as Json[]) {
    expect((await world.get(`${errors}/${error.id}`)).status).toBe(200);
    expect((await world.get(`${errors}/${error.id}/events`)).body.length).toBeGreaterThan(0);
  }
}

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("__proto__", "\u0000", "\ud800", "1e999", "", "9".repeat(400), "2024-13-40", "\u202e"),
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
);
const frame = fc.dictionary(
  fc.constantFrom("lineno", "function", "module", "filename", "pre_context", "context_line", "post_context"),
  nasty,
);
const exception = fc.record(
  { type: nasty, value: nasty, stacktrace: fc.oneof(nasty, fc.record({ frames: fc.array(frame, { maxLength: 3 }) })) },
  { requiredKeys: [] },
);
const event = fc.dictionary(
  fc.constantFrom("platform", "timestamp", "transaction", "level", "release", "logger", "threads", "environment", "x"),
  nasty,
);

test("no event causes an error 500, at its report or in later reads", async () => {
  await fc.assert(
    fc.asyncProperty(event, fc.array(exception, { maxLength: 3 }), async (attributes, exceptions) => {
      const { status } = await collector.report({ ...attributes, exception: { values: exceptions } });
      expect([200, 400]).toContain(status);
      if (status === 200) await readAll();
    }),
    { numRuns: 300 },
  );
});

test("no single odd member causes an error 500", async () => {
  const names = ["platform", "timestamp", "transaction", "level", "release", "logger", "threads", "environment", "sdk"];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), nasty, async (name, value) => {
      const { status } = await collector.report(eventOf({ [name]: value }));
      expect([200, 400]).toContain(status);
      if (status === 200) await readAll();
    }),
    { numRuns: 200 },
  );
});

test("no envelope and no header causes an error 500", async () => {
  const line = fc.oneof(
    fc.constantFrom<Json>({}, "", "{", { type: "event" }, { type: "session" }, { type: "transaction" }, eventOf()),
    fc.integer({ min: -2, max: 300 }).map((length) => ({ type: "event", length })),
    fc.uint8Array({ maxLength: 12 }),
    nasty,
  );
  const headers = fc.dictionary(
    fc.constantFrom("Content-Encoding", "X-Sentry-Auth", "Authorization"),
    fc.oneof(fc.constantFrom("gzip", "deflate", "br", "Sentry", "sentry_key="), fc.string({ unit: "grapheme-ascii" })),
    { maxKeys: 2 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), headers, async (lines, given) => {
      const raw = envelopeOf(...lines);
      const query = { sentry_key: collector.publicKey };
      const { status } = await world.call("POST", collector.envelope, { raw, query, headers: given });
      expect([200, 400, 401]).toContain(status);
    }),
    { numRuns: 300 },
  );
});
