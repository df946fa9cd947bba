import { expect, test } from "bun:test";
import { type TakeRoom, UnpackedBytes } from "../../../src/git/objects/unpacked-bytes.ts";

const mebibyte = 1 << 20;

/** Begins work that takes room for files of these sizes, one after the other, and ends when it is told to. */
function begin(unpacked: UnpackedBytes, ...sizes: number[]) {
  const gate = Promise.withResolvers<void>();
  const state = { hasRoom: false };
  const done = unpacked.hold(async (takeRoom: TakeRoom) => {
    for (const size of sizes) await takeRoom(size);
    state.hasRoom = true;
    await gate.promise;
  });
  const end = () => {
    gate.resolve();
    return done;
  };
  return { state, end };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
}

test("files wait while others have 32 MiB unpacked, in the order in which they came", async () => {
  const unpacked = new UnpackedBytes();
  const first = begin(unpacked, 20 * mebibyte);
  const second = begin(unpacked, 20 * mebibyte);
  const third = begin(unpacked, mebibyte);
  await turns();
  expect([first, second, third].map(({ state }) => state.hasRoom)).toEqual([true, false, false]);
  await first.end();
  await turns();
  expect([second, third].map(({ state }) => state.hasRoom)).toEqual([true, true]);
  await Promise.all([second.end(), third.end()]);
});

test("small files never wait", async () => {
  const unpacked = new UnpackedBytes();
  const large = begin(unpacked, 32 * mebibyte);
  await turns();
  const small = begin(unpacked, 100_000);
  await turns();
  expect([large, small].map(({ state }) => state.hasRoom)).toEqual([true, true]);
  await Promise.all([large.end(), small.end()]);
});

test("a file above the limit waits until it is alone, and work that takes room twice does not wait for itself", async () => {
  const unpacked = new UnpackedBytes();
  const first = begin(unpacked, 20 * mebibyte, 20 * mebibyte);
  const huge = begin(unpacked, 200 * mebibyte);
  await turns();
  expect([first, huge].map(({ state }) => state.hasRoom)).toEqual([true, false]);
  await first.end();
  await turns();
  expect(huge.state.hasRoom).toBe(true);
  await huge.end();
});

test("work that fails gives its room back", async () => {
  const unpacked = new UnpackedBytes();
  const failing = unpacked.hold(async (takeRoom: TakeRoom) => {
    await takeRoom(32 * mebibyte);
    throw new Error("no such file");
  });
  await expect(failing).rejects.toThrow("no such file");
  const next = begin(unpacked, 32 * mebibyte);
  await turns();
  expect(next.state.hasRoom).toBe(true);
  await next.end();
});

test("work inside of other work shares its room, also when others wait for more", async () => {
  const unpacked = new UnpackedBytes();
  const isInside = Promise.withResolvers<void>();
  const outer = unpacked.hold(async (takeRoom) => {
    await takeRoom(20 * mebibyte);
    await isInside.promise;
    await unpacked.hold((takeMore) => takeMore(mebibyte));
  });
  const waiting = begin(unpacked, 20 * mebibyte);
  await turns();
  isInside.resolve();
  await outer;
  await turns();
  expect(waiting.state.hasRoom).toBe(true);
  await waiting.end();
});

test("a job that work has set off takes room of its own after the end of that work, and gives it back", async () => {
  const unpacked = new UnpackedBytes();
  const isOver = Promise.withResolvers<void>();
  let later: Promise<unknown> = Promise.resolve();
  await unpacked.hold(async () => {
    later = isOver.promise.then(() => unpacked.hold((takeRoom) => takeRoom(32 * mebibyte)));
  });
  isOver.resolve();
  await later;
  const next = begin(unpacked, 32 * mebibyte);
  await turns();
  expect(next.state.hasRoom).toBe(true);
  await next.end();
});

test("work that may not wait unpacks files while others have all of the room", async () => {
  const unpacked = new UnpackedBytes();
  const large = begin(unpacked, 32 * mebibyte);
  await turns();
  await unpacked.withoutWaiting(() => unpacked.hold((takeRoom) => takeRoom(mebibyte)));
  await large.end();
});
