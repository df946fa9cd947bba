import { expect, test } from "bun:test";
import { connect } from "node:net";
import { listenersMax } from "../../../src/modules/admin/console/index.ts";
import { LiveFeed } from "../../../src/modules/admin/console/live-feed.ts";
import { RecentRequests } from "../../../src/modules/admin/recent-requests/index.ts";
import { enqueueJob } from "../../../src/modules/core/background-jobs/index.ts";
import { startApp } from "../../../src/server/app.ts";
import { configFor } from "../../support/fixtures/config.ts";
import { FakeClock } from "../../support/fixtures/fake-clock.ts";
import { type Json, rootToken, startWorld, type World } from "../../support/fixtures/world.ts";
import { until } from "../../support/process/fault-client.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const world = await startWorld();
const ann = await world.user();
const feedOf = ({ context }: World) => context.get(LiveFeed);

interface Heard {
  readonly event: string;
  readonly data: Json;
}

/** One client that listens; `next` is the next event, or comment, and undefined when the stream ended or broke off. */
async function listen(query = "", token = rootToken, { origin } = world) {
  const stop = new AbortController();
  const headers = { "PRIVATE-TOKEN": token };
  const answer = await fetch(`${origin}/-/console/events${query}`, { headers, signal: stop.signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  async function next(): Promise<Heard | undefined> {
    while (!text.includes("\n\n")) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
      if (done) return undefined;
      text += decoder.decode(value, { stream: true });
    }
    const block = text.slice(0, text.indexOf("\n\n"));
    text = text.slice(block.length + 2);
    const data = /^data: (.*)$/m.exec(block)?.[1];
    return {
      event: /^event: (.*)$/m.exec(block)?.[1] ?? block,
      data: data === undefined ? undefined : JSON.parse(data),
    };
  }
  return { answer, next, stop: () => stop.abort() };
}

function tick(seconds: number): void {
  for (let each = 0; each < seconds; each += 1) world.clock.advance(1_000);
}

test("a listener gets figures each five seconds, requests if it wants them, and jobs when they change", async () => {
  const timers = world.clock.timers;
  const listener = await listen("?requests=true");
  expect(listener.answer.headers.get("content-type")).toBe("text/event-stream");
  expect((await listener.next())?.event).toBe("retry: 1000");
  expect(world.clock.timers).toBe(timers + 1);
  for (let count = 0; count < 10; count += 1) await world.call("GET", "/version", { token: ann.token });
  tick(1);
  const requests = await listener.next();
  expect(requests?.event).toBe("requests");
  expect(requests?.data.slice(0, 2)).toMatchObject([
    { route: "/version", username: ann.username },
    { route: "/version", username: ann.username },
  ]);
  expect(requests?.data).toHaveLength(11);
  world.store.transact((tx) =>
    enqueueJob(tx, world.context, { kind: "unheard_of", payload: {}, due_at: "2035-01-01T00:00:00.000Z" }),
  );
  tick(4);
  expect(await listener.next()).toEqual({
    event: "figures",
    data: {
      at: world.clock.time(),
      requests_per_second: 2.2,
      server_errors_per_second: 0,
      p50_ms: expect.any(Number),
      p99_ms: expect.any(Number),
    },
  });
  expect(await listener.next()).toMatchObject({ event: "jobs", data: [{ kind: "unheard_of", state: "queued" }] });
  tick(5);
  expect(await listener.next()).toMatchObject({ event: "figures", data: { requests_per_second: 0, p50_ms: null } });
  tick(5);
  expect((await listener.next())?.event).toBe("figures");
  expect((await listener.next())?.event).toBe(": alive");
  listener.stop();
  await until("nobody listens", () => feedOf(world).listeners === 0);
  expect(world.clock.timers).toBe(timers);
});

test("the stream ends after the seconds that were asked for, and when the token is revoked", async () => {
  const made = await world.token(1, { name: "listener", scopes: ["api"] });
  const short = await listen("?seconds=2");
  const revoked = await listen("", made.token);
  for (const each of [short, revoked]) await each.next();
  tick(2);
  expect(await short.next()).toBeUndefined();
  await world.call("DELETE", `/personal_access_tokens/${made.id}`, { token: rootToken });
  tick(13);
  const heard: string[] = [];
  for (let each = await revoked.next(); each !== undefined; each = await revoked.next()) heard.push(each.event);
  expect(heard).not.toContain(": alive");
  expect(feedOf(world).listeners).toBe(0);
});

test("there are so many listeners and no more", async () => {
  const all = [];
  for (let count = 0; count < listenersMax; count += 1) all.push(await listen());
  const refused = await listen();
  expect(refused.answer.status).toBe(503);
  for (const each of all) each.stop();
  await until("nobody listens", () => feedOf(world).listeners === 0);
});

test("a listener that does not read is closed", async () => {
  const socket = connect(Number(new URL(world.origin).port), "127.0.0.1");
  const path = "/-/console/events?requests=true";
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nPRIVATE-TOKEN: ${rootToken}\r\n\r\n`);
  await until("it listens", () => feedOf(world).listeners === 1);
  socket.pause();
  const ring = world.context.get(RecentRequests);
  await until("it is closed", async () => {
    for (let count = 0; count < 100; count += 1) ring.add("/x".repeat(250), "", 200).route = "/x";
    tick(1);
    await new Promise(setImmediate);
    return feedOf(world).listeners === 0;
  });
  socket.destroy();
});

test("other callers are refused, and a server without a console has no events", async () => {
  expect((await listen("", ann.token)).answer.status).toBe(403);
  expect((await fetch(`${world.origin}/-/console/events`)).status).toBe(401);
  const plain = await startWorld({ console: false });
  expect((await listen("", rootToken, plain)).answer.status).toBe(404);
});

test("a stop of the server ends the streams at once", async () => {
  await using folder = await createTempFolder();
  const app = await startApp(
    configFor(folder.path),
    { debug() {}, info() {}, warn() {}, error() {} },
    { clock: new FakeClock() },
  );
  const listener = await listen("", rootToken, { ...world, origin: app.origin });
  await listener.next();
  const begun = performance.now();
  await app.stop();
  expect(performance.now() - begun).toBeLessThan(2_000);
  expect(await listener.next()).toBeUndefined();
});

test("the figures of the last quarter of an hour need no listener", async () => {
  const quiet = await startWorld();
  await quiet.get("/version");
  quiet.clock.advance(10_000);
  await quiet.get("/version");
  await quiet.get("/version");
  const { body } = await quiet.get("/-/figures");
  expect(body.map(({ requests_per_second }: Json) => requests_per_second)).toEqual([0.2, 0, 0.4]);
  expect(body[1]).toMatchObject({ p50_ms: null, server_errors_per_second: 0 });
  quiet.clock.advance(16 * 60_000);
  expect((await quiet.get("/-/figures")).body).toEqual([]);
});
