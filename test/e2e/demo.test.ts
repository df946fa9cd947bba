import { expect, test } from "bun:test";
import { $ } from "bun";
import { startOutpost } from "../support/outpost-process.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const ends = "Stop with Ctrl-C";

test("the first start makes people and prints tokens and calls that work", async () => {
  await using outpost = await startOutpost({ verb: "demo" });
  await outpost.saw(ends);
  expect(outpost.stderr()).toMatch(/mara\.quist +Mara Quist +\S{20,}\n/);
  const calls = outpost.stderr().match(/^ +curl .*$/gm) ?? [];
  expect(calls).toHaveLength(5);
  for (const call of calls) {
    const { exitCode, stdout } = await $`sh -c ${`${call} --fail-with-body --silent --noproxy '*'`}`.nothrow().quiet();
    expect([call, exitCode, stdout.toString()]).toEqual([call, 0, expect.stringContaining('"username"')]);
  }
});

test("a later start tells who is there and adds nobody", async () => {
  await using folder = await createTempFolder();
  const first = await startOutpost({ verb: "demo", dataFolder: folder.path });
  await first.saw(ends);
  const token = / (\S{20,})\n/.exec(first.stderr())?.[1] ?? "";
  await first.stop();
  await using second = await startOutpost({ verb: "demo", dataFolder: folder.path });
  await second.saw(ends);
  expect(second.stderr()).toContain("Mara Quist");
  const listed = await fetch(`${second.origin}/api/v4/users`, { headers: { "PRIVATE-TOKEN": token } });
  const people = (await listed.json()) as { username: string }[];
  expect(people).toHaveLength(7);
});
