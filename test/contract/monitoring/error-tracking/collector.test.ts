import { describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { collectorOf, envelopeOf } from "../../../support/fixtures/error-tracking.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Answer, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { KeepAliveClient } from "../../../support/process/keep-alive.ts";
import { accepted, event, senderTo, eventText as text, unreadable } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const group = places.group({ path: "ops" });
const project = places.project(group.id, { path: "web" });
const collector = await collectorOf(world, project.id);
const { stored, sent, toStore, toEnvelope } = senderTo(world, collector, project.id);

const missing = { status: 404, body: { message: "404 Not Found" }, kept: 0 };
const tooLarge = { status: 413, body: { message: "Payload Too Large" } };

describe("the collector", () => {
  const key = collector.publicKey;

  test("accepts the key in the query, before one in a header", async () => {
    for (const query of [`sentry_key=${key}`, `sentry_key=${key}&sentry_version=7&sentry_client=x%2F1`]) {
      expect(await sent(collector.store, { raw: text, query })).toEqual(accepted);
      expect(await sent(collector.store, { raw: text, query, headers: { "X-Sentry-Auth": "no" } })).toEqual(accepted);
    }
    expect(await toStore({ raw: text, query: "sentry_key=wrong" })).toEqual(missing);
    expect(await toStore({ raw: text, query: "sentry_key=%20" })).toEqual(accepted);
  });

  test.each([
    `Sentry sentry_version=7, sentry_client=x/1.2, sentry_timestamp=1700000000, sentry_key=${key}, sentry_secret=s`,
    `Sentry sentry_key=${key},sentry_version=7`,
    `sentry_key=${key}`,
  ])("accepts the header %s", async (header) => {
    expect(await sent(collector.store, { raw: text, headers: { "X-Sentry-Auth": header } })).toEqual(accepted);
    const authorization = header.startsWith("Sentry") ? header : `Sentry ${header}`;
    expect(await sent(collector.store, { raw: text, headers: { Authorization: authorization } })).toEqual(accepted);
  });

  test("refuses a report without a key", async () => {
    expect(await sent(collector.store, { raw: text })).toEqual(unreadable);
    expect(await sent(collector.store, { raw: text, headers: { "X-Sentry-Auth": "" } })).toEqual(unreadable);
    expect(await sent(collector.envelope, { raw: "not read" })).toEqual(unreadable);
  });

  test("refuses a wrong key, whatever the body is", async () => {
    const other = await collectorOf(world, places.project(group.id).id);
    const wrong = ["Sentry sentry_version=7", "Sentry sentry_key=glet_0", `Sentry sentry_key=${other.publicKey}`];
    for (const header of wrong) {
      expect(await sent(collector.store, { raw: "{", headers: { "X-Sentry-Auth": header } })).toEqual(missing);
    }
  });

  test("refuses a deleted key; its events stay", async () => {
    const path = `/projects/${project.id}/error_tracking/client_keys`;
    const { body: made } = await world.call("POST", path, { token: rootToken });
    const query = `sentry_key=${made.public_key}`;
    expect(await sent(collector.store, { raw: text, query })).toEqual(accepted);
    const before = await stored();
    await world.call("DELETE", `${path}/${made.id}`, { token: rootToken });
    expect(await sent(collector.store, { raw: text, query })).toEqual(missing);
    expect(await stored()).toBe(before);
  });

  test("accepts an id and a path, with and without a slash at the end, for every visibility", async () => {
    expect(project.visibility).toBe("private");
    for (const path of [
      `/error_tracking/collector/api/${project.id}/store`,
      "/error_tracking/collector/api/ops%2Fweb/store/",
      "/error_tracking/collector/api/OPS%2fweb/store",
    ]) {
      expect(await sent(path, { raw: text, headers: collector.headers })).toEqual(accepted);
    }
  });

  test("refuses projects that do not exist, or are being deleted", async () => {
    const gone = places.project(group.id);
    const its = await collectorOf(world, gone.id);
    await world.call("DELETE", `/projects/${gone.id}`, { token: rootToken });
    for (const path of [its.store, its.envelope, "/error_tracking/collector/api/ops%2Fnone/store/"]) {
      const { status, body } = await world.call("POST", path, { raw: "{", headers: its.headers });
      expect({ status, body }).toEqual({ status: 404, body: { message: "404 Project Not Found" } });
    }
  });

  test("refuses all while tracking is off, before it checks the key", async () => {
    const { id } = places.project(group.id);
    const path = `/error_tracking/collector/api/${id}/store/`;
    const { status, body } = await world.call("POST", path, { raw: text });
    expect({ status, body }).toEqual({ status: 404, body: { message: "404 Not Found" } });
    const its = await collectorOf(world, id);
    const settings = `/projects/${id}/error_tracking/settings`;
    for (const json of [{ active: false }, { active: false, integrated: false }]) {
      await world.call("PATCH", settings, { token: rootToken, json });
      expect((await its.report(event)).status).toBe(404);
    }
    expect((await world.get(`/projects/${id}/error_tracking/errors`)).status).toBe(200);
  });
});

describe("the body of a report", () => {
  test.each([
    "application/x-sentry-envelope",
    "application/json",
    "text/plain;charset=UTF-8",
    "application/octet-stream",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "Text/Plain",
  ])("is read in the same way with the type %s", async (type) => {
    const headers = { "Content-Type": type };
    expect(await toStore({ raw: text, headers: { ...collector.headers, ...headers } })).toEqual(accepted);
    expect(await toEnvelope(envelopeOf({}, { type: "event" }, event), headers)).toEqual(accepted);
  });

  test("is refused with 415 with any other type, before other checks", async () => {
    for (const path of [collector.store, "/error_tracking/collector/api/999999/envelope/"]) {
      const answer = await world.call("POST", path, { raw: text, headers: { "Content-Type": "application/gzip" } });
      expect(answer).toMatchObject({
        status: 415,
        body: { error: "The provided content-type 'application/gzip' is not supported." },
      });
    }
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)(
    "may be compressed with %s at both paths, and is unpacked to a mebibyte at most",
    async (coding, pack) => {
      const headers = { ...collector.headers, "Content-Encoding": coding };
      const packed = (bytes: string | Uint8Array) => new Uint8Array(pack(bytes));
      expect(await toStore({ raw: packed(text), headers })).toEqual(accepted);
      expect(await toEnvelope(packed(envelopeOf({}, { type: "event" }, event)), headers)).toEqual(accepted);
      expect(await toStore({ raw: text, headers })).toEqual(unreadable);
      const bomb = packed(new Uint8Array(20 << 20));
      expect(await world.call("POST", collector.store, { raw: bomb, headers })).toMatchObject(tooLarge);
    },
  );

  test("may be a mebibyte, and not a byte more", async () => {
    const padded = (bytes: number) => text + " ".repeat(bytes - text.length);
    expect(await toStore({ raw: padded(1 << 20) })).toEqual(accepted);
    const refused = await world.call("POST", collector.store, {
      raw: padded((1 << 20) + 1),
      headers: collector.headers,
    });
    expect(refused).toMatchObject(tooLarge);
    const wrongKey = await world.call("POST", `${collector.store}?sentry_key=x`, { raw: padded((1 << 20) + 1) });
    expect(wrongKey.status).toBe(404);
  });

  test.each(["", "{", "hello", "\u0000", "[".repeat(100_000), `${'{"a":'.repeat(600)}1${"}".repeat(600)}`])(
    "that is no JSON document is refused: %#",
    async (raw) => {
      expect(await toStore({ raw })).toEqual(unreadable);
      expect(await toEnvelope(raw)).toEqual(unreadable);
    },
  );

  test("may be nested deeper than other bodies", async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100)}1${"}".repeat(100)}`);
    expect(await toStore({ raw: JSON.stringify({ ...event, extra: deep }) })).toEqual(accepted);
  });

  test("may be in chunks, and does not harm the connection when it is not read", async () => {
    const start = (path: string) => `POST /api/v4${path} HTTP/1.1\r\nHost: x\r\n`;
    const chunked = `Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    const header = `X-Sentry-Auth: ${collector.headers["X-Sentry-Auth"]}\r\n`;
    const client = new KeepAliveClient(world.origin);
    const ask = (bytes: string) => client.ask(Buffer.from(bytes), { isHead: false, waitMs: 2_000 });
    const answers: unknown[] = [];
    for (const auth of [header, "", header]) answers.push(await ask(`${start(collector.store)}${auth}${chunked}`));
    expect(answers).toMatchObject([{ status: 200 }, { status: 400 }, { status: 200 }]);
  });
});

test("browsers of other origins may send reports", async () => {
  const origin = { Origin: "https://app.example" };
  const cors = ({ headers }: Answer) => headers.get("access-control-allow-origin");
  for (const path of [collector.store, collector.envelope]) {
    const asked = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-sentry-auth" };
    const preflight = await world.call("OPTIONS", path, { headers: { ...origin, ...asked } });
    expect([preflight.status, cors(preflight)]).toEqual([204, "*"]);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("x-sentry-auth");
  }
  const headers = { ...origin, "Content-Type": "text/plain;charset=UTF-8" };
  const query = { sentry_key: collector.publicKey, sentry_version: "7" };
  const answer = await world.call("POST", collector.store, { raw: text, headers, query });
  expect([answer.status, cors(answer), answer.text]).toEqual([200, "*", "{}"]);
});
