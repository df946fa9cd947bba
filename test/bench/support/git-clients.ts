/** Stock git clients at a measured server. */

import { rmSync } from "node:fs";
import { type MeasuredOutpost, rootToken } from "./outpost.ts";

/** Seconds of a run of git. Throws with its words when it fails. */
export async function runTimed(args: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  const env = { ...process.env, HOME: "/nonexistent", GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", ...args], { env, stdout: "ignore", stderr: "pipe" });
  const said = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(" ")} failed: ${said}`);
  return (performance.now() - startedMs) / 1_000;
}

/** Seconds of a bare clone, which is removed. */
export async function cloneTimed(address: string, target: string): Promise<number> {
  const seconds = await runTimed(["clone", "-q", "--bare", address, target]);
  rmSync(target, { recursive: true });
  return seconds;
}

export function addressOf({ origin }: MeasuredOutpost, name: string): string {
  return `${origin.replace("://", `://x:${rootToken}@`)}/root/${name}.git`;
}

/** Milliseconds of small requests of somebody else, as long as `work` takes: the 99th of a hundred. */
async function otherMs(origin: string, work: Promise<unknown>): Promise<number> {
  const times: number[] = [];
  let isDone = false;
  const over = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const startedMs = performance.now();
    await (await fetch(`${origin}/api/v4/version`, { headers: { "PRIVATE-TOKEN": rootToken } })).text();
    times.push(performance.now() - startedMs);
    await Bun.sleep(10);
  }
  await over;
  return times.sort((one, other) => one - other)[Math.floor(0.99 * times.length)] ?? Number.NaN;
}

/** The growth of the server's memory while something works, and the times of others meanwhile. */
export async function measureBeside(
  outpost: MeasuredOutpost,
  work: () => Promise<unknown>,
): Promise<{ readonly moreMb: number; readonly p99: number }> {
  await Bun.sleep(1_000);
  outpost.forgetPeak();
  const before = outpost.rssMb();
  const p99 = await otherMs(outpost.origin, work());
  return { moreMb: outpost.peakRssMb() - before, p99 };
}
