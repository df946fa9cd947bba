import { expect, test } from "bun:test";
import { entityTooLarge } from "../../../../src/http/body/body.ts";
import { drainBytes, readBytes, streamBytes } from "../../../../src/http/body/body-bytes.ts";
import { Gate } from "../../../../src/lib/gate.ts";
import { yieldToOthers } from "../../../../src/lib/yield.ts";
import { FakeClock } from "../../../support/fixtures/fake-clock.ts";
import { failureOfAsync } from "../failures.ts";
import { known } from "./senders.ts";

const limit = { sizeBytesMax: 1 << 20, refuse: entityTooLarge };
const tooSlow = { kind: "too_slow", body: { message: "408 Request Timeout" }, headers: { Connection: "close" } };

/** A body that comes when the test says so. */
function slowBody(headers: Record<string, string> = {}) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start(its) {
      controller = its;
    },
    cancel() {
      isCancelled = true;
    },
  });
  const clock = new FakeClock();
  return {
    request: new Request("http://host/", { method: "POST", headers, body }),
    sender: { ...known, clock },
    clock,
    /** So many bytes come, and whoever waits for them has them. */
    async send(bytes: number) {
      controller?.enqueue(new Uint8Array(bytes));
      while (!isCancelled && controller?.desiredSize !== 1) await new Promise(setImmediate);
      for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
    },
    end: () => controller?.close(),
    isCancelled: () => isCancelled,
  };
}

test("a small body that has not come after ten seconds is refused, and its connection closed", async () => {
  const { request, sender, clock } = slowBody({ "Content-Length": "1000" });
  const reading = failureOfAsync(() => readBytes(request, limit, sender));
  await yieldToOthers();
  clock.advance(10_000);
  expect(await reading).toMatchObject(tooSlow);
});

test("a small body that comes in time is read, and no timer is left", async () => {
  const { request, sender, clock, send, end } = slowBody({ "Content-Length": "3" });
  const reading = readBytes(request, limit, sender);
  await yieldToOthers();
  expect(clock.timers).toBe(1);
  clock.advance(9_999);
  await send(3);
  end();
  expect(await reading).toHaveLength(3);
  expect(clock.timers).toBe(0);
});

test("a small body that came with its head takes no timer and no place", async () => {
  const clock = new FakeClock();
  const headers = { "Content-Length": "3" };
  const request = new Request("http://host/", { method: "POST", headers, body: new Uint8Array(3) });
  const reading = readBytes(request, limit, { ...known, clock });
  const taken: number[] = [];
  setImmediate(() => taken.push(clock.timers, known.load.requests.count));
  expect(await reading).toHaveLength(3);
  await yieldToOthers();
  expect(taken).toEqual([0, 0]);
});

const ways: [string, (body: ReturnType<typeof slowBody>) => Promise<unknown>][] = [
  ["read", ({ request, sender }) => readBytes(request, limit, sender)],
  ["drained", ({ request, sender }) => drainBytes(request, limit, limit.sizeBytesMax, sender)],
  ["streamed", ({ request, sender }) => Array.fromAsync(streamBytes(request, limit, sender))],
];

test.each(ways)("a body of unknown length that sends a byte a second is cut off when it is %s", async (_, read) => {
  const body = slowBody();
  const reading = failureOfAsync(() => read(body));
  for (let second = 0; second < 10; second += 1) {
    await body.send(1);
    body.clock.advance(1_000);
  }
  body.clock.advance(1_000);
  expect(await reading).toMatchObject(tooSlow);
  expect(body.isCancelled()).toBe(true);
  expect(body.clock.timers).toBe(0);
});

test.each(ways)("one that sends 16 KiB a second is %s to its end", async (_, read) => {
  const body = slowBody();
  const reading = read(body);
  for (let second = 0; second < 50; second += 1) {
    body.clock.advance(1_000);
    await body.send(16 * 1024);
  }
  body.end();
  await reading;
  expect(body.clock.timers).toBe(0);
});

test("bytes that came fast give no more than a minute", async () => {
  const { request, sender, clock, send } = slowBody();
  const reading = failureOfAsync(() => readBytes(request, limit, sender));
  await send(1_000_000);
  clock.advance(60_000);
  expect(await reading).toMatchObject(tooSlow);
});

test("the time in which nobody asks for more of a body is not the sender's", async () => {
  const { request, sender, clock, send, end } = slowBody();
  const pieces = streamBytes(request, limit, sender);
  const first = pieces.next();
  await send(10);
  await first;
  clock.advance(600_000);
  const second = pieces.next();
  await send(10);
  expect((await second).value).toHaveLength(10);
  end();
  expect((await pieces.next()).done).toBe(true);
});

test.each(ways)(
  "a body that keeps other work from being alone is cut off after two seconds when it is %s",
  async (_, read) => {
    const body = slowBody();
    const gate = new Gate();
    const reading = failureOfAsync(() => gate.run(() => read({ ...body, sender: { ...body.sender, gate } })));
    await body.send(100_000);
    let isAlone = false;
    const alone = gate.run(() => gate.alone(() => (isAlone = true)));
    body.clock.advance(1_000);
    await body.send(100_000);
    expect(isAlone).toBe(false);
    body.clock.advance(1_000);
    expect(await reading).toMatchObject(tooSlow);
    await alone;
    expect([isAlone, body.clock.timers]).toEqual([true, 0]);
  },
);
