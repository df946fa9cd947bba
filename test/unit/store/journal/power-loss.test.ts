import { expect, test } from "bun:test";
import { PowerLoss, SimulatedDisk } from "../../../support/disk/simulated-disk.ts";
import { Ledger, liveOnce, reopenTwice } from "./ledger.ts";

/** The number of random outcomes of the unsynced writes that each place is tested with. */
const drawsAtEveryCall = 12;
const seedOfRun = Number(process.env.TEST_SEED ?? 20_260_314);

/** Every call that a whole life makes, as far as the power lasts. */
async function liveUntil(call: number): Promise<{ disk: SimulatedDisk; ledger: Ledger; isWhole: boolean }> {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  disk.losePowerAt(call);
  try {
    await liveOnce(disk, ledger);
  } catch (error) {
    if (!disk.isPowerLost) throw error;
  }
  return { disk, ledger, isWhole: !disk.isPowerLost };
}

test(`after a power loss at any call of a whole life, exactly a prefix is left, with everything acknowledged (seed ${seedOfRun})`, async () => {
  let call = 1;
  for (; ; call += 1) {
    const { disk, ledger, isWhole } = await liveUntil(call);
    if (isWhole) break;
    for (let draw = 0; draw < drawsAtEveryCall; draw += 1) {
      const seed = seedOfRun + call * 100 + draw * 2;
      const place = `power lost at call ${call} (${disk.calls.at(-1)}), seed ${seed}`;
      await reopenTwice(disk.afterPowerLoss(seed), ledger, seed, place);
    }
  }
  expect(call).toBeGreaterThan(200);
}, 600_000);

test("the state of a start after a kill survives a power loss right after it", async () => {
  let call = 1;
  for (; ; call += 1) {
    const { disk, ledger, isWhole } = await liveUntil(call);
    if (isWhole) break;
    const place = `killed at call ${call} (${disk.calls.at(-1)})`;
    await reopenTwice(disk.afterKill(), ledger, seedOfRun + call, place);
  }
  expect(call).toBeGreaterThan(200);
}, 600_000);

test("the simulated disk keeps synced bytes, and no others for certain", () => {
  const outcomes = new Set<string>();
  for (let seed = 0; seed < 200; seed += 1) {
    const disk = new SimulatedDisk();
    disk.makeFolder("/a");
    disk.syncFolder("/");
    const file = disk.open("/a/one", "fresh");
    disk.syncFolder("/a");
    file.write(Buffer.from("synced"), 0);
    file.sync();
    file.write(Buffer.from("UNSYNC"), 0);
    disk.rename("/a/one", "/a/two");
    disk.losePowerAt(1);
    expect(() => disk.list("/a")).toThrow(PowerLoss);
    expect(() => file.sync()).toThrow(PowerLoss);
    const after = disk.afterPowerLoss(seed);
    const names = after.list("/a");
    outcomes.add(`${names} ${Buffer.from(after.read(`/a/${names[0]}`))}`);
  }
  expect([...outcomes].sort()).toEqual(["one UNSYNC", "one synced", "two UNSYNC", "two synced"]);
});
