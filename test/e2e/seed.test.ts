import { afterAll, describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { $ } from "bun";
import { runOutpost, startOutpost } from "../support/outpost-process.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** The head of a segment tells after which transaction it was written: how long the work before it took. */
const segmentHead = /^\{"outpost":.*\n/;

/** Every file of the documents, logs and repositories of a store, with what is in it. */
async function contentsOf(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const part of ["documents", "logs", "repositories"]) {
    for (const entry of await readdir(join(folder, part), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const content = await readFile(path, "latin1");
      found.set(path.slice(folder.length), part === "documents" ? content.replace(segmentHead, "") : content);
    }
  }
  return found;
}

const fixed = ["--until", "2026-11-22"];
const whole = await createTempFolder();
const data = join(whole.path, "data");
const seeded = await runOutpost(["seed", "--data", data]);
afterAll(() => whole.remove());

const tokenOf = (text: string, username: string) => new RegExp(`^${username} +(\\S+)`, "m").exec(text)?.[1];

describe("outpost seed", () => {
  test("fills a store that serves at once, and prints five calls that work", async () => {
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

  test("makes the same of the same number and day, to the byte, and another of another", async () => {
    await using folder = await createTempFolder();
    const [one, same, other] = ["one", "same", "other"].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    const first = await runOutpost(["seed", "--data", one, "--rng-seed", "7", "--json", ...fixed]);
    const second = await runOutpost(["seed", "--data", same, "--rng-seed", "7", "--json", ...fixed]);
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
    const issues = "/documents/issues/000000.json";
    expect((await contentsOf(other)).get(issues)).not.toBe(kept.get(issues));
  });

  test("of scale 5 is about ten thousand documents", async () => {
    await using folder = await createTempFolder();
    const { stdout } = await runOutpost(["seed", "--data", join(folder.path, "data"), "--scale", "5", "--json"]);
    expect(JSON.parse(stdout).documents).toBeWithin(9_000, 11_000);
  });

  test("refuses a store that holds more than its first start, and takes one that holds that alone", async () => {
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
      /holds \d+ people, \d+ groups, \d+ projects already; a seed fills new stores only\ntry: /,
    );
  });

  test.each([
    ["--scale", "0", "1 to 1000"],
    ["--scale", "1001", "1 to 1000"],
    ["--rng-seed", "x", "a whole number"],
    ["--until", "2026-02-30", "a day"],
  ])("%s %s is wrong use", async (flag, value, expected) => {
    await using folder = await createTempFolder();
    const { exitCode, stderr } = await runOutpost(["seed", "--data", join(folder.path, "data"), flag, value]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(expected)]);
  });
});
