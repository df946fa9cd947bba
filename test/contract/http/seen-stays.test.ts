import { expect, test } from "bun:test";
import type { Operation } from "../../../src/modules/kernel/operation.ts";
import { operations } from "../../support/checks/operations.ts";
import { createRandom } from "../../support/checks/random.ts";
import { HeldDisk } from "../../support/disk/held-disk.ts";
import type { CallOptions } from "../../support/fixtures/world.ts";
import { allSamples, nameOf, sampleOf } from "../matrix/samples.ts";
import { setScene } from "../matrix/scene.ts";

const held = new HeldDisk();
const scene = await setScene(held.disk);
const { world, boss, places } = scene;
const samples = allSamples(scene);
const random = createRandom();

interface Call {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly options: CallOptions;
}

async function callOf(operation: Operation): Promise<Call> {
  const { path, options } = await sampleOf(samples, operation).make(boss, places.public);
  return { name: nameOf(operation), method: operation.method, path, options: { token: boss.token, ...options } };
}

const ask = async ({ method, path, options }: Call) => (await world.call(method, path, options)).text;

/** Answers of these tell of the process, or need no store, or wait for something else. */
const passing =
  /^GET (\/-\/(metrics|health|readiness|liveness|jobs|storages|requests|figures)|\/job$|\/v2\/|.*\/uploads\/)/;
const reads: Call[] = [];
for (const operation of operations) {
  if (operation.method === "GET" && !passing.test(nameOf(operation))) reads.push(await callOf(operation));
}
/** Others revoke the token that asks, set limits, wait for something else, or change only lazily. */
const writes = operations.filter(
  ({ method, path }) =>
    method !== "GET" && !/\/self\b|\/application\/settings|^\/-\/|^\/v2\/|\/jobs\/request|\/runners\/verify/.test(path),
);

test("no answer shows a change before it is on disk, after any changes and reads", async () => {
  let early = 0;
  for (const operation of Array.from({ length: 12 }, () => writes[random.integer(0, writes.length - 1)] as Operation)) {
    const write = await callOf(operation);
    const before = new Map<Call, string>();
    for (const read of reads) before.set(read, await ask(read));
    const steady: Call[] = [];
    for (const read of reads) if ((await ask(read)) === before.get(read)) steady.push(read);
    await world.store.settled();

    const version = world.store.version;
    held.hold();
    let isAnswered = false;
    const written = ask(write).then(() => {
      isAnswered = true;
    });
    try {
      while (!isAnswered && world.store.version === version) await new Promise(setImmediate);
      // Refused, or a lazy change, which may be seen at once.
      if (world.store.settled() === undefined) continue;
      let isReleased = false;
      const wrong: string[] = [];
      const asked = steady.map(async (read) => {
        const text = await ask(read);
        if (isReleased) return;
        early += 1;
        if (text !== before.get(read)) wrong.push(`${read.name} after ${write.name}`);
      });
      await Promise.race([Promise.all(asked), Bun.sleep(250)]);
      expect(wrong).toEqual([]);
      expect(isAnswered).toBe(false);
      isReleased = true;
      held.release();
      await Promise.all(asked);
    } finally {
      held.release();
      await written;
    }
  }
  expect(early).toBeGreaterThan(reads.length);
}, 120_000);
