import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { executable, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse battery" };
const renames = 1100;

interface Event {
  readonly id: number;
  readonly entity_type: string;
  readonly event_name: string;
  readonly created_at: string;
}

let folder: TempFolder;
/** The events in the API's answer, oldest first. */
const told: Event[] = [];

beforeAll(async () => {
  folder = await createTempFolder();
  await using outpost = await startOutpost({ env, dataFolder: folder.path });
  const headers = { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" };
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${outpost.origin}/api/v4${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  };
  await send("POST", "/groups", { name: "Bank", path: "bank" });
  for (let count = 0; count < renames; count += 1) {
    await send("PUT", "/users/1", { name: count === 0 ? '=SUM("a", 1)' : `Root ${count}` });
  }
  let url: string | undefined = `${outpost.origin}/api/v4/audit_events?pagination=keyset&per_page=100`;
  while (url !== undefined) {
    const answer: Response = await fetch(url, { headers });
    told.unshift(...((await answer.json()) as Event[]).toReversed());
    url = /<([^>]+)>/.exec(answer.headers.get("link") ?? "")?.[1];
  }
  await outpost.stop();
}, 180_000);

afterAll(() => folder.remove());

function exported(...args: string[]) {
  return runOutpost(["audit-events", "export", "--data", folder.path, ...args]);
}

async function eventsOf(...args: string[]): Promise<Event[]> {
  const { exitCode, stdout, stderr } = await exported(...args);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line) as Event);
}

test("the command prints every event as a line of JSON, oldest first, as the API shows it", async () => {
  const events = await eventsOf();
  expect(events.length).toBeGreaterThan(renames);
  for (const [at, event] of events.entries()) expect(told[at]).toMatchObject(event);
  expect(events).toHaveLength(told.length);
});

test("it filters by entity, and by time with both bounds", async () => {
  const groups = await eventsOf("--entity", "Group");
  expect(groups.map(({ event_name }) => event_name)).toEqual(["group_created", "member_created"]);
  expect(await eventsOf("--entity", "User:987654")).toEqual([]);
  const instance = await eventsOf("--entity", "Gitlab::Audit::InstanceScope");
  expect(instance).toEqual(await eventsOf("--entity", "Service::Audit::InstanceScope"));
  const [from, to] = [told[100]?.created_at as string, told[300]?.created_at as string];
  const fits = told.filter(({ created_at }) => created_at >= from && created_at <= to);
  expect((await eventsOf("--from", from, "--to", to)).map(({ id }) => id)).toEqual(fits.map(({ id }) => id));
});

test("it prints CSV with a head, where no name is a formula", async () => {
  const { exitCode, stdout } = await exported("--format", "csv");
  const lines = stdout.split("\r\n");
  expect([exitCode, lines.pop(), lines.length]).toEqual([0, "", told.length + 1]);
  expect(lines[0]).toStartWith("id,created_at,event_name,author_id,author_name");
  expect(lines.find((line) => line.includes("SUM"))).toContain(`"'=SUM(""a"", 1)"`);
});

test("it writes a complete file, and a reader that stops early is no error", async () => {
  const file = join(folder.path, "events.jsonl");
  const args = ["audit-events", "export", "--data", folder.path];
  await Bun.$`${executable} ${args} > ${file}`;
  expect((await Bun.file(file).text()).split("\n")).toHaveLength(told.length + 1);
  expect((await Bun.$`sh -c ${`${executable} ${args.join(" ")} | head -n 1`}`.text()).split("\n")).toHaveLength(2);
});

test.each([
  [
    "a type that is none",
    ["--entity", "Projekt:1"],
    2,
    '"Projekt" is not a subject of audit events; the nearest is Project',
  ],
  ["a moment that is none", ["--from", "soon"], 2, '--from is "soon"; expected a time such as 2027-01-31T09:30:00Z'],
  ["a format that is none", ["--format", "xml"], 2, '--format is "xml"; expected one of jsonl, csv'],
])("it refuses %s", async (_, args, code, message) => {
  const { exitCode, stdout, stderr } = await exported(...args);
  expect([exitCode, stdout]).toEqual([code, ""]);
  expect(stderr).toStartWith(`outpost: ${message}`);
});

test("it creates no store", async () => {
  await using empty = await createTempFolder();
  const { exitCode, stderr } = await exported("--data", empty.path);
  expect([exitCode, stderr]).toEqual([
    1,
    `outpost: ${empty.path} holds no store\ntry: outpost audit-events export --data DIR\n`,
  ]);
});

test("through a running server it prints the same, in the lowest edition too", async () => {
  const queries = [[], ["--format", "csv"], ["--entity", "Group", "--from", "2026-01-01"]];
  const stopped: string[] = [];
  for (const args of queries) stopped.push((await exported(...args)).stdout);
  await using outpost = await startOutpost({ dataFolder: folder.path, env: { ...env, OUTPOST_EDITION: "community" } });
  for (const [at, args] of queries.entries()) {
    const { exitCode, stdout, stderr } = await exported(...args, "--token", rootToken);
    expect([exitCode, stderr, stdout === stopped[at]]).toEqual([0, "", true]);
  }
  const child = Bun.$`sh -c ${`${executable} audit-events export --data ${folder.path} --token ${rootToken} | head -n 1`}`;
  expect((await child.text()).split("\n")).toHaveLength(2);
  expect(stopped[2]).not.toBe("");
  const anonymous = await fetch(`${outpost.origin}/-/audit-events/export`);
  expect(anonymous.status).toBe(401);
});
