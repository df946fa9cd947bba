import { describe, expect, test } from "bun:test";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { stepOf } from "../../support/checks/depth.ts";
import { seedOfRun } from "../../support/checks/random.ts";
import { executable, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { installStrace } from "../../support/process/strace.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const noStrace = await installStrace();
/** System calls that change names in folders. A kill between two of them leaves the same state. */
const callKinds = ["rename", "link", "unlink", "unlinkat", "mkdir"] as const;
type CallKind = (typeof callKinds)[number];

/** Runs the executable and kills it at the n-th call of a kind that one of its threads makes. True: it was killed. */
async function killAtCall(args: readonly string[], call: CallKind, n: number): Promise<boolean> {
  const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:signal=SIGKILL:when=${n}`];
  const strace = ["strace", "-f", "-qq", "-o", "/dev/null", ...inject];
  const child = Bun.spawn([...strace, executable, ...args], { stdout: "ignore", stderr: "pipe" });
  const stderr = await child.stderr.text();
  const code = await child.exited;
  if (code !== 0 && child.signalCode === null && code !== 137) throw new Error(`exit code ${code}: ${stderr}`);
  return code !== 0;
}

/** Kills at one in `step` calls of these kinds, other ones in each run, until there is none, and looks at what is left. Returns the number of kills. */
async function atCalls(
  kinds: readonly CallKind[],
  begin: () => Promise<readonly string[]>,
  look: (place: string) => Promise<void>,
  step: number,
): Promise<number> {
  let kills = 0;
  for (const kind of kinds) {
    for (let n = 1 + (seedOfRun % step); await killAtCall(await begin(), kind, n); n += step) {
      kills += 1;
      await look(`${kind} ${n}`);
    }
  }
  return kills;
}

async function countUsers(dataFolder: string): Promise<number> {
  const { stdout, stderr } = await runOutpost(["user", "list", "--json", "--data", dataFolder]);
  if (stdout === "") throw new Error(stderr);
  return (JSON.parse(stdout) as unknown[]).length;
}

describe.skipIf(noStrace !== undefined)("killed at any call that changes names", () => {
  test("a restore is complete or absent, and can be repeated", async () => {
    await using folder = await createTempFolder();
    const file = join(folder.path, "a.tar.gz");
    const original = await startOutpost({ dataFolder: join(folder.path, "original") });
    await original.stop();
    for (const name of ["ada", "grace"]) await createUser(original.dataFolder, name);
    expect((await runOutpost(["backup", "--data", original.dataFolder, "-o", file])).exitCode).toBe(0);
    let data = "";
    let round = 0;
    let whole = 0;
    const begin = async () => {
      round += 1;
      data = join(folder.path, String(round));
      return ["restore", file, "--data", data];
    };
    const look = async (place: string) => {
      const again = await runOutpost(["restore", file, "--data", data]);
      if (again.exitCode !== 0) {
        whole += 1;
        expect([place, again.stderr]).toEqual([place, expect.stringContaining("holds a store already")]);
      }
      expect([place, await countUsers(data)]).toEqual([place, 3]);
      expect([place, await readdir(join(data, "generations"))]).toEqual([place, ["0002"]]);
      expect([place, await readdir(join(data, "generations/0002"))]).not.toContain("command");
    };
    expect(await atCalls(callKinds, begin, look, stepOf(3))).toBeGreaterThan(1);
    // Only a kill behind the switch, before the note of the restore was removed.
    expect(whole).toBeLessThanOrEqual(1);
  }, 600_000);

  test("a seed leaves the store of the first start or the complete seed, and one file of credentials", async () => {
    await using folder = await createTempFolder();
    const first = join(folder.path, "first");
    const outpost = await startOutpost({ dataFolder: first });
    await outpost.stop();
    const token = await tokenIn(first);
    let data = "";
    let round = 0;
    const found = new Set<string>();
    // It makes a thousand files, by other calls than those of the switch.
    const killed = await atCalls(
      ["unlink", "unlinkat"],
      async () => {
        round += 1;
        data = join(folder.path, String(round));
        await cp(first, data, { recursive: true });
        return ["seed", "--data", data];
      },
      async (place) => {
        const users = await countUsers(data);
        const [generation = "", ...others] = await readdir(join(data, "generations"));
        found.add(generation);
        expect([place, others, users > 1]).toEqual([place, [], generation === "0002"]);
        expect([place, (await runOutpost(["check", "--data", data])).exitCode]).toEqual([place, 0]);
        expect([place, await tokenIn(data)]).toEqual([place, token]);
        expect(await readdir(join(data, "generations", generation))).not.toContain("initial-root-credentials");
      },
      stepOf(18),
    );
    expect(killed).toBeGreaterThan(0);
    expect(["0001", "0002"]).toEqual(expect.arrayContaining([...found]));
  }, 600_000);
});

async function createUser(dataFolder: string, username: string): Promise<void> {
  const user = ["--username", username, "--email", `${username}@people.example`, "--random-password"];
  const { exitCode, stderr } = await runOutpost(["user", "create", ...user, "--data", dataFolder]);
  if (exitCode !== 0) throw new Error(stderr);
}

async function tokenIn(dataFolder: string): Promise<string | undefined> {
  const text = await readFile(join(dataFolder, "initial-root-credentials"), "utf8");
  return /^token: (\S+)$/m.exec(text)?.[1];
}
