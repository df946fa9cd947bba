import { expect, test } from "bun:test";
import { $ } from "bun";
import type { Json } from "../../support/checks/json.ts";
import { until } from "../../support/process/fault-client.ts";
import { startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const ends = "Stop with Ctrl-C";

test("the first start makes an organisation and prints tokens and calls that work", async () => {
  await using outpost = await startOutpost({ command: "demo" });
  await outpost.saw(ends);
  expect(outpost.stderr()).toMatch(/mara\.quist +\S{20,} {2}administrator; /);
  const calls = outpost.stderr().match(/^ +curl .*$/gm) ?? [];
  expect(calls).toHaveLength(5);
  for (const call of calls) {
    const { exitCode, stdout } = await $`sh -c ${`${call} --fail-with-body --silent --noproxy '*'`}`.nothrow().quiet();
    expect([call, exitCode, stdout.toString()]).toEqual([call, 0, expect.stringContaining('"id"')]);
  }
});

test("the first start has mails, a backup and runners that are online", async () => {
  await using outpost = await startOutpost({ command: "demo" });
  await outpost.saw(ends);
  const token = /mara\.quist +(\S{20,})/.exec(outpost.stderr())?.[1] ?? "";
  const read = async (path: string) =>
    (await (await fetch(`${outpost.origin}${path}`, { headers: { "PRIVATE-TOKEN": token } })).json()) as Json;
  await until("mails are written", async () => (await read("/-/outbox")).length > 1);
  await until("a backup is made", async () => (await read("/-/backups")).archives.length === 1);
  await until("a runner is online", async () => (await read("/api/v4/runners/all?status=online")).length > 0);
});

test("a later start shows the users and adds none", async () => {
  await using folder = await createTempFolder();
  const people = async (origin: string, token: string) => {
    const headers = { "PRIVATE-TOKEN": token };
    return (await fetch(`${origin}/api/v4/users?per_page=100`, { headers })).headers.get("x-total");
  };
  const first = await startOutpost({ command: "demo", dataFolder: folder.path });
  await first.saw(ends);
  const token = /mara\.quist +(\S{20,})/.exec(first.stderr())?.[1] ?? "";
  const before = await people(first.origin, token);
  await first.stop();
  await using second = await startOutpost({ command: "demo", dataFolder: folder.path });
  await second.saw(ends);
  const code = /mara\.quist +\S+#code=(\S+)/.exec(second.stderr())?.[1];
  const signedIn = await fetch(`${second.origin}/-/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  expect([signedIn.status, await signedIn.json()]).toEqual([
    ...[201, expect.objectContaining({ user: expect.objectContaining({ username: "mara.quist" }) })],
  ]);
  expect(second.stderr()).toContain("mara.quist");
  expect(second.stderr()).not.toContain(token);
  expect(before).not.toBeNull();
  expect(await people(second.origin, token)).toBe(before);
});
