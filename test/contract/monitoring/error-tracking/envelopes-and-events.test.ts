import { describe, expect, test } from "bun:test";
import { collectorOf, envelopeOf, eventOf } from "../../../support/fixtures/error-tracking.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";
import { accepted, event, senderTo, eventText as text, unreadable } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const project = places.project(places.group().id);
const { toStore, toEnvelope } = senderTo(world, await collectorOf(world, project.id), project.id);

const dropped = { status: 200, body: {}, kept: 0 };
const unsupported = { status: 400, body: { message: "400 Bad request - Unsupported sentry payload" }, kept: 0 };

describe("an envelope", () => {
  const header = { event_id: event.event_id, sent_at: "2024-02-03T04:05:06Z" };

  test("gives its event, with or without its length, and with any items behind it", async () => {
    const length = Buffer.byteLength(text);
    for (const lines of [
      [header, { type: "event" }, text],
      [header, { type: "event", length }, text],
      [{}, "", { type: "event", content_type: "application/json" }, text, { type: "attachment", length: 3 }, "\n\n\n"],
      [header, { type: "event" }, text, "rubbish"],
    ]) {
      expect(await toEnvelope(envelopeOf(...lines))).toEqual(accepted);
    }
    expect(await toEnvelope(`{}\r\n{"type":"event"}\r\n${text}`)).toEqual(accepted);
  });

  test("with a transaction is accepted, and not stored", async () => {
    expect(await toEnvelope(envelopeOf(header, { type: "transaction" }, {}, { type: "event" }, event))).toEqual(
      dropped,
    );
  });

  test("of other items is refused, unless it has an event behind them", async () => {
    for (const type of ["session", "client_report", "attachment", undefined, 7, null]) {
      const refused = { status: 400, body: { message: "400 Bad Request" }, kept: 0 };
      expect(await toEnvelope(envelopeOf(header, { type }, {}))).toEqual(refused);
      expect(await toEnvelope(envelopeOf(header, { type }, {}, { type: "transaction" }, {}))).toEqual(refused);
      expect(await toEnvelope(envelopeOf(header, { type }, {}, { type: "event" }, event))).toEqual(accepted);
    }
    const bytes = new Uint8Array([10, 10, 255, 0]);
    const lines = [header, { type: "attachment", length: 4 }, bytes, { type: "event" }, event];
    expect(await toEnvelope(envelopeOf(...lines))).toEqual(accepted);
  });

  test("may have empty lines between its items, and 1,000 items before its event", async () => {
    const withItems = (count: number, ...others: readonly Json[]) => {
      const items = Array.from({ length: count }, () => [{ type: "session" }, {}]).flat();
      return envelopeOf(header, ...items, ...others);
    };
    const behind = [{ type: "event" }, event];
    expect(await toEnvelope(`{}\n\n\r\n\n{"type":"event"}\n${text}`)).toEqual(accepted);
    expect(await toEnvelope(withItems(999, ...behind))).toEqual(accepted);
    expect(await toEnvelope(withItems(1000, ...behind))).toEqual(unreadable);
    expect(await toEnvelope(`{}\n${"\n\r\n".repeat(100_000)}`)).toEqual(unreadable);
  });

  test.each([
    ["without items", envelopeOf(header)],
    ["with a header that is no object", envelopeOf([], { type: "event" }, event)],
    ["with an item that has no object for a header", envelopeOf(header, "5", event)],
    ["with a length that is not that of the payload", envelopeOf(header, { type: "event", length: 5 }, event)],
    ["with a length beyond the end", envelopeOf(header, { type: "event", length: 1e9 }, event)],
    ["with a length that is none", envelopeOf(header, { type: "event", length: -1 }, event)],
    ["with an event that is no JSON", envelopeOf(header, { type: "event" }, "{")],
    ["with an event that is cut off", envelopeOf(header, { type: "event" })],
    ["that is not UTF-8", new Uint8Array([...envelopeOf(header, { type: "event" }), 34, 255, 34])],
  ])("%s is refused", async (_, bytes) => {
    expect(await toEnvelope(bytes)).toEqual(unreadable);
  });
});

describe("an event", () => {
  const refusing = async (made: Json) => expect(await toStore({ raw: JSON.stringify(made) })).toEqual(unsupported);
  const frame = (attributes: Json) => eventOf({}, { stacktrace: { frames: [attributes] } });

  test.each([
    ["no object", [1]],
    ["without an exception", { message: "hello", platform: "python" }],
    ["with null for an exception", eventOf({ exception: null })],
    ["with one exception outside of a list", eventOf({ exception: { type: "x", value: "y" } })],
    ["with an empty list", eventOf({ exception: { values: [] } })],
    ["with an empty bare list", eventOf({ exception: [] })],
    ["with an exception that is no object", eventOf({ exception: { values: ["x"] } })],
    ["with a type that is no text", eventOf({}, { type: 7 })],
    ["with a value that is no text", eventOf({}, { value: {} })],
    ["with a stacktrace that is no object", eventOf({}, { stacktrace: [] })],
    ["with frames that are no list", eventOf({}, { stacktrace: { frames: {} } })],
    ["with a frame that is no object", eventOf({}, { stacktrace: { frames: [null] } })],
    ["with a line number that is none", frame({ lineno: "7" })],
    ["with in_app that is no boolean", frame({ in_app: "yes" })],
    ["with lines before that are no list", frame({ pre_context: "x" })],
    ["with lines after that are no list", frame({ post_context: {} })],
    ["with a path that is no text", frame({ abs_path: 1 })],
    ["with a function that is no text", frame({ function: 1 })],
    ["with a file name that is no text", frame({ filename: [] })],
    ["with a line that is no text", frame({ context_line: 1 })],
    ["with an environment that is no text", eventOf({ environment: 1 })],
    ["with a platform that is no text", eventOf({ platform: ["x"] })],
    ["with an sdk that is no object", eventOf({ sdk: "x" })],
  ])("%s is refused", (_, made) => refusing(made));

  test("may have null for everything but its exceptions, and unknown members", async () => {
    const nothing = {
      lineno: null,
      in_app: null,
      pre_context: null,
      post_context: null,
      abs_path: null,
      vars: { a: 1 },
    };
    for (const made of [
      eventOf({ environment: null, platform: null, sdk: null, timestamp: null, tags: [["a", 1]] }),
      eventOf({}, { type: null, value: null, stacktrace: null }),
      eventOf({}, { stacktrace: { frames: null } }),
      frame({ ...nothing, function: null, filename: null, context_line: null }),
      { exception: [{}] },
      { exception: { values: [{}] } },
    ]) {
      expect(await toStore({ raw: JSON.stringify(made) })).toEqual(accepted);
    }
  });

  test.each([
    ["Name", eventOf({}, { type: "n".repeat(256) })],
    ["Actor", eventOf({ transaction: "a".repeat(256) })],
    ["Platform", eventOf({ platform: "p".repeat(256) })],
    ["Environment", eventOf({ environment: "e".repeat(256) })],
    ["Level", eventOf({ level: "l".repeat(256) })],
  ])("whose %s is too long is refused", async (field, made) => {
    const message = `Validation failed: ${field} is too long (maximum is 255 characters)`;
    expect(await toStore({ raw: JSON.stringify(made) })).toEqual({ status: 400, body: { message }, kept: 0 });
  });

  test("whose texts have the maximal length is stored", async () => {
    const longest = "😀".repeat(255);
    const attributes = { transaction: longest, platform: longest, environment: longest, level: longest };
    expect(await toStore({ raw: JSON.stringify(eventOf(attributes, { type: longest })) })).toEqual(accepted);
  });
});
