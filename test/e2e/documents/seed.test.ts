import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { $ } from "bun";
import { until } from "../../support/process/fault-client.ts";
import { mountTmpfs, whyNoMounts } from "../../support/process/mounts.ts";
import { executable, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

/** The head of a segment tells after which transaction it was written: how long the work before it took. */
const segmentHead = /^\{"outpost":.*\n/;

/** Every file of the documents, logs and repositories of a store, with what is in it. */
async function contentsOf(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const part of ["generations/0002/documents", "generations/0002/logs", "repositories"]) {
    for (const entry of await readdir(join(folder, part), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const content = await readFile(path, "latin1");
      found.set(path.slice(folder.length), content.replace(segmentHead, ""));
    }
  }
  return found;
}

const seededFolder = ["generations", "initial-root-credentials", "lock", "manifest.json", "repositories"];
/** In a data folder with what lies in each of its generations. */
async function namesWithGenerations(dataFolder: string): Promise<string[]> {
  const generations = await readdir(join(dataFolder, "generations"));
  const parts = await Promise.all(
    generations.map(async (name) => [name, ...(await readdir(join(dataFolder, "generations", name))).sort()].join(" ")),
  );
  return [...(await readdir(dataFolder)).sort(), ...parts];
}
const wholeSeed = [...seededFolder, "0002 blobs documents journal logs"];
const whyNoMount = await whyNoMounts();
const fixed = ["--until", "2026-11-22"];
const whole = await createTempFolder();
const data = join(whole.path, "data");
const seeded = await runOutpost(["seed", "--data", data]);
afterAll(() => whole.remove());

const tokenOf = (text: string, username: string) => new RegExp(`^${username} +(\\S+)`, "m").exec(text)?.[1];

describe("outpost seed", () => {
  test("fills a store that can be served at once, and prints five calls that work", async () => {
    expect([seeded.exitCode, seeded.stderr]).toEqual([0, expect.stringMatching(/^[\d,]+ documents in .+; /m)]);
    expect(seeded.stdout).toMatch(/^tomas +opx-\S{20} +owner of skylark\/firmware; /m);
    const checked = await runOutpost(["check", "--data", data]);
    expect([checked.exitCode, checked.stdout]).toEqual([0, expect.stringContaining("is sound")]);
    await using outpost = await startOutpost({ dataFolder: data });
    const calls = seeded.stderr.match(/^ +curl .*$/gm) ?? [];
    expect(calls).toHaveLength(5);
    for (const call of calls) {
      const here = call.replace(/"http:\/\/[^/]+/, `"${outpost.origin}`);
      const { exitCode, stdout } = await $`sh -c ${`${here} --fail-with-body --silent --noproxy '*'`}`
        .nothrow()
        .quiet();
      expect([call, exitCode, stdout.toString()]).toEqual([call, 0, expect.stringContaining('"id"')]);
    }
    const root = /token: (\S+)/.exec(await readFile(join(data, "initial-root-credentials"), "utf8"))?.[1] ?? "";
    const user = await fetch(`${outpost.origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": root } });
    expect(await user.json()).toMatchObject({ id: 1, username: "root", is_admin: true });
  });

  test.each([
    ["on a full disk", "> /dev/full", /(^|\n)outpost: stdout cannot be written: .*\ntry: outpost seed > FILE/],
    ["when nobody reads stdout", "| true", /(^|\n)outpost: stdout is closed, .*\ntry: outpost seed > FILE/],
  ])("leaves no store without printed tokens, %s", async (_, redirection, said) => {
    await using folder = await createTempFolder();
    const [fresh, started] = [join(folder.path, "fresh"), join(folder.path, "started")];
    const first = await startOutpost({ dataFolder: started });
    await first.stop();
    for (const [dataFolder, flags] of [[fresh, ""] as const, [started, "--json"] as const]) {
      const line = `set -o pipefail; "$0" seed --data "$1" ${flags} ${redirection}`;
      const child = Bun.spawn(["bash", "-c", line, executable, dataFolder], { stderr: "pipe", stdout: "ignore" });
      const stderr = await child.stderr.text();
      expect([await child.exited, stderr]).toEqual([1, expect.stringMatching(said)]);
    }
    expect(existsSync(fresh)).toBe(false);
    const users = await runOutpost(["user", "list", "--json", "--data", started]);
    expect(JSON.parse(users.stdout)).toMatchObject([{ username: "root" }]);
  });

  test("takes root's token and password where both are given, and then mentions no file", async () => {
    await using folder = await createTempFolder();
    const dataFolder = join(folder.path, "data");
    const env = { OUTPOST_ROOT_TOKEN: "root-token-of-a-seed", OUTPOST_ROOT_PASSWORD: "correct horse" };
    const { exitCode, stderr } = await runOutpost(["seed", "--data", dataFolder], { env });
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining("credentials")]);
    await using outpost = await startOutpost({ dataFolder });
    const headers = { "PRIVATE-TOKEN": env.OUTPOST_ROOT_TOKEN };
    expect((await fetch(`${outpost.origin}/api/v4/user`, { headers })).status).toBe(200);
    // A server that had drawn a password would have written it there.
    expect(await readdir(dataFolder)).not.toContain("initial-root-credentials");
  });

  test("gives the same bytes for the same number and day, and others for another", async () => {
    await using folder = await createTempFolder();
    const [one, same, other] = ["one", "same", "other"].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    const first = await runOutpost(["seed", "--data", one, "--rng-seed", "7", "--json", ...fixed]);
    // The command runs in a time zone where the date differs.
    const env = { TZ: "Pacific/Kiritimati" };
    const second = await runOutpost(["seed", "--data", same, "--rng-seed", "7", "--json", ...fixed], { env });
    await runOutpost(["seed", "--data", other, "--rng-seed", "8", "--json", ...fixed]);
    const { documents, accounts, calls } = JSON.parse(first.stdout);
    expect(documents).toBeWithin(1_500, 2_500);
    expect(accounts[0]).toEqual({
      username: "mara.quist",
      name: "Mara Quist",
      role: expect.any(String),
      token: expect.any(String),
    });
    expect(calls).toHaveLength(5);
    expect(second.stdout).toBe(first.stdout);
    const kept = await contentsOf(one);
    expect(kept.size).toBeGreaterThan(100);
    expect(await contentsOf(same)).toEqual(kept);
    const issues = "/generations/0002/documents/issues/000000.json";
    expect((await contentsOf(other)).get(issues)).not.toBe(kept.get(issues));
  });

  test("of scale 5 is about ten thousand documents", async () => {
    await using folder = await createTempFolder();
    const { stdout } = await runOutpost(["seed", "--data", join(folder.path, "data"), "--scale", "5", "--json"]);
    expect(JSON.parse(stdout).documents).toBeWithin(9_000, 11_000);
  });

  test("refuses a store that has more than its first start, and fills one that has only that", async () => {
    await using folder = await createTempFolder();
    const begun = await startOutpost({ dataFolder: folder.path });
    const credentials = await readFile(join(folder.path, "initial-root-credentials"), "utf8");
    const held = await runOutpost(["seed", "--data", folder.path]);
    expect([held.exitCode, held.stderr]).toEqual([1, expect.stringContaining(String(begun.pid))]);
    await begun.stop();
    const taken = await runOutpost(["seed", "--data", folder.path]);
    expect(taken.exitCode).toBe(0);
    expect(await readFile(join(folder.path, "initial-root-credentials"), "utf8")).toBe(credentials);
    // Without a number, nobody else's store has the same tokens.
    expect(tokenOf(taken.stdout, "tomas")).not.toBe(tokenOf(seeded.stdout, "tomas"));
    const again = await runOutpost(["seed", "--data", folder.path]);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toMatch(
      /already contains \d+ people, \d+ groups, \d+ projects; seed fills only new stores\ntry: outpost serve --data \S+, which serves it; or /,
    );
  });

  /** As soon as the seed has come so far. */
  async function stopSeed(data: string, signal: "SIGKILL" | "SIGINT", files: number) {
    const child = Bun.spawn([executable, "seed", "--data", data, "--scale", "40"], {
      stdout: "ignore",
      stderr: "pipe",
    });
    const gathered = async () => {
      const found = await Promise.all(
        ["generations", "repositories"].map((name) => readdir(join(data, name), { recursive: true }).catch(() => [])),
      );
      return found.flat().length;
    };
    await until("the seed has come so far", async () => {
      if (child.exitCode !== null) throw new Error("the seed was over before it could be stopped");
      return (await gathered()) >= files;
    });
    child.kill(signal);
    await child.exited;
    return { exitCode: child.exitCode, stderr: await child.stderr.text() };
  }

  test("that is killed leaves no store, the next start reports that, and the next seed starts again", async () => {
    await using folder = await createTempFolder();
    const data = join(folder.path, "data");
    for (const files of [3, 500]) {
      await stopSeed(data, "SIGKILL", files);
      const { exitCode, stderr } = await runOutpost(["serve", "--port", "0", "--data", data]);
      expect([exitCode, stderr]).toEqual([
        1,
        `outpost: the seed into ${data} was interrupted; it has no store yet\ntry: outpost seed --data ${data}\n`,
      ]);
    }
    expect((await runOutpost(["seed", "--data", data])).exitCode).toBe(0);
    expect(await namesWithGenerations(data)).toEqual(wholeSeed);
  }, 60_000);

  test("that is killed leaves an existing store unchanged", async () => {
    await using folder = await createTempFolder();
    const first = await startOutpost({ dataFolder: folder.path });
    await first.stop();
    await stopSeed(folder.path, "SIGKILL", 150);
    const again = await startOutpost({ dataFolder: folder.path });
    const token = /token: (\S+)/.exec(await readFile(join(folder.path, "initial-root-credentials"), "utf8"))?.[1] ?? "";
    const users = await fetch(`${again.origin}/api/v4/users`, { headers: { "PRIVATE-TOKEN": token } });
    expect(await users.json()).toMatchObject([{ username: "root" }]);
    expect(await readdir(join(folder.path, "generations"))).toEqual(["0001"]);
    expect(await readdir(join(folder.path, "repositories/default"))).toEqual([]);
    await again.stop();
    expect((await runOutpost(["seed", "--data", folder.path])).exitCode).toBe(0);
  }, 60_000);

  test("that a user interrupts removes its files", async () => {
    await using folder = await createTempFolder();
    const data = join(folder.path, "data");
    expect(await stopSeed(data, "SIGINT", 150)).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^outpost: the seed was interrupted; nothing was changed\ntry: outpost seed --data DIR\n$/m,
      ),
    });
    expect(await readdir(folder.path)).toEqual([]);
  }, 60_000);

  /** A whole seed that was killed behind the instant at which it is in use, with the store of a first start beside it. */
  async function seedCutOff(folder: string): Promise<string> {
    const copy = join(folder, "copy");
    await cp(data, copy, { recursive: true });
    await mkdir(join(copy, "generations/0001/documents"), { recursive: true });
    await writeFile(join(copy, "generations/0002/command"), "outpost seed");
    await rename(join(copy, "initial-root-credentials"), join(copy, "generations/0002/initial-root-credentials"));
    return copy;
  }

  test("that was killed after its last step is in use, and the next start removes the replaced one", async () => {
    await using folder = await createTempFolder();
    const copy = await seedCutOff(folder.path);
    const before = await namesWithGenerations(copy);
    expect((await runOutpost(["check", "--data", copy])).stdout).toContain("is sound");
    expect(await namesWithGenerations(copy)).toEqual(before);
    const { stop } = await startOutpost({ dataFolder: copy });
    await stop();
    expect(await namesWithGenerations(copy)).toEqual(wholeSeed);
    const [token, known] = await Promise.all(
      [copy, data].map(async (each) =>
        /^token: .*$/m.exec(await readFile(join(each, "initial-root-credentials"), "utf8"))?.at(0),
      ),
    );
    expect([token, known]).toEqual([known, expect.any(String)]);
    expect((await runOutpost(["check", "--data", copy])).stdout).toContain("is sound");
  });

  test("that was killed after its last step is found by the next seed", async () => {
    await using folder = await createTempFolder();
    const copy = await seedCutOff(folder.path);
    const { exitCode, stderr } = await runOutpost(["seed", "--data", copy]);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/ already contains .*; seed fills only new stores\n/),
    ]);
    expect(await namesWithGenerations(copy)).toEqual(wholeSeed);
  });

  test("that was killed before its last step leaves no store, and the next one removes its files", async () => {
    await using folder = await createTempFolder();
    const copy = await seedCutOff(folder.path);
    await rm(join(copy, "generations/0001"), { recursive: true });
    await rename(join(copy, "manifest.json"), join(copy, "generations/0002/manifest.json"));
    expect((await runOutpost(["check", "--data", copy])).stderr).toStartWith(`outpost: ${copy} holds no store\n`);
    expect((await runOutpost(["seed", "--data", copy])).exitCode).toBe(0);
    expect(await namesWithGenerations(copy)).toEqual(wholeSeed);
  });

  test("does not touch a foreign folder called generations", async () => {
    await using folder = await createTempFolder();
    await mkdir(join(folder.path, "generations/0002"), { recursive: true });
    await writeFile(join(folder.path, "generations/0002/family-tree"), "kept");
    const { exitCode, stderr } = await runOutpost(["seed", "--data", folder.path]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("is not empty: ")]);
    expect((await readdir(folder.path, { recursive: true })).sort()).toEqual([
      "generations",
      "generations/0002",
      "generations/0002/family-tree",
      "lock",
    ]);
  });

  test("does not touch foreign files beside an interrupted seed", async () => {
    await using folder = await createTempFolder();
    for (const name of ["generations/0002", "documents"]) {
      await mkdir(join(folder.path, name), { recursive: true });
      await writeFile(join(folder.path, name, "thesis"), "kept");
    }
    await writeFile(join(folder.path, "generations/0002/command"), "outpost seed");
    const { exitCode, stderr } = await runOutpost(["seed", "--data", folder.path]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("is not empty: ")]);
    for (const name of ["documents", "generations/0002"]) {
      expect(await readFile(join(folder.path, name, "thesis"), "utf8")).toBe("kept");
    }
  });

  test.skipIf(whyNoMount !== undefined)("reports a full disk, and leaves the store unchanged", async () => {
    await using disk = await mountTmpfs(12);
    const { exitCode, stderr } = await runOutpost(["seed", "--data", join(disk.path, "data"), "--scale", "20"]);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^outpost: data folder \S+ cannot be used: .*no space left.*\ntry: .*; or free some space there\n$/,
      ),
    ]);
    expect(await readdir(disk.path)).toEqual([]);
  });

  test.each([
    ["--scale", "0", "1 to 1000"],
    ["--scale", "1001", "1 to 1000"],
    ["--rng-seed", "x", "a whole number"],
    ["--until", "2026-02-30", "a date"],
  ])("%s %s is wrong use", async (flag, value, expected) => {
    await using folder = await createTempFolder();
    const { exitCode, stderr } = await runOutpost(["seed", "--data", join(folder.path, "data"), flag, value]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(expected)]);
  });
});
