import { afterAll, beforeAll, expect, test } from "bun:test";
import { systemClock } from "../../../src/domain/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { type AuditEventRecord, auditEvents } from "../../../src/modules/core/audit-events/records.ts";
import { collections } from "../../../src/modules/index.ts";
import { Store } from "../../../src/store/index.ts";
import { type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse battery" };

let folder: TempFolder;

beforeAll(async () => {
  folder = await createTempFolder();
  await using outpost = await startOutpost({ env, dataFolder: folder.path });
  await post(outpost, "/users", { name: "Mara", username: "mara", email: "m@x.example", force_random_password: true });
  await outpost.stop();
});

afterAll(() => folder.remove());

async function post({ origin }: OutpostProcess, path: string, body: object): Promise<unknown> {
  const headers = { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" };
  return (await fetch(`${origin}/api/v4${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

async function get({ origin }: OutpostProcess, path: string, token: string): Promise<unknown> {
  return (await fetch(`${origin}/api/v4${path}`, { headers: { "PRIVATE-TOKEN": token } })).json();
}

/** `outpost token create` for Mara, unless `args` say otherwise. */
function create(...args: string[]) {
  return runOutpost(["token", "create", "--data", folder.path, "--user", "mara", "--scopes", "read_api", ...args]);
}

test("the command creates a token that works, prints it alone on stdout, and writes an audit event without an author", async () => {
  const { exitCode, stdout, stderr } = await create("--scopes", "api,read_user", "--name", "laptop");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^opx-[A-Za-z0-9]{20}\n$/);
  expect(stderr).toMatch(/^created for mara \(id 2\): api, read_user, until \d{4}-\d\d-\d\d; shown only once\n$/);

  await using outpost = await startOutpost({ dataFolder: folder.path });
  expect(await get(outpost, "/personal_access_tokens/self", stdout.trim())).toMatchObject({
    name: "laptop",
    user_id: 2,
    scopes: ["api", "read_user"],
    active: true,
  });
  await outpost.stop();
  expect(await lastAuditEvent()).toMatchObject({
    event_name: "personal_access_token_created",
    author_id: -1,
    details: { target_details: "laptop", entity_path: "mara", ip_address: null },
  });
});

test("it takes an id and an expiry, and prints one JSON object", async () => {
  const end = new Date(Date.now() + 864e5 * 30).toISOString().slice(0, 10);
  const { exitCode, stdout } = await create("--user", "1", "--scopes", "api, sudo", "--expires-at", end, "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    id: expect.any(Number),
    name: "Made on the command line",
    revoked: false,
    created_at: expect.any(String),
    description: null,
    scopes: ["api", "sudo"],
    user_id: 1,
    last_used_at: null,
    active: true,
    expires_at: end,
    token: expect.stringMatching(/^opx-/),
  });
});

test("through a running server, each command does the same", async () => {
  await using outpost = await startOutpost({ dataFolder: folder.path, env: { OUTPOST_ROOT_TOKEN: rootToken } });
  const live = (command: string, ...args: string[]) =>
    runOutpost(["token", command, "--data", folder.path, ...args], { env: { OUTPOST_TOKEN: rootToken } });
  const made = await live("create", "--user", "mara", "--scopes", "api", "--name", "Mara's own");
  expect([made.exitCode, made.stderr]).toEqual([0, expect.stringMatching(/^created for mara \(id 2\): api, until /)]);
  const ownerOf = async (token: string) => {
    const response = await fetch(`${outpost.origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": token.trim() } });
    return [response.status, ((await response.json()) as { username?: string }).username];
  };
  expect(await ownerOf(made.stdout)).toEqual([200, "mara"]);
  const listed = JSON.parse((await live("list", "--user", "mara", "--json")).stdout) as { id: number; name: string }[];
  const id = String(listed.find(({ name }) => name === "Mara's own")?.id);
  expect((await live("list", "--all")).stdout).toMatch(new RegExp(`^${id} {2}mara {2}Mara's own +api `, "m"));
  const rotated = await live("rotate", id);
  expect([rotated.exitCode, await ownerOf(rotated.stdout)]).toEqual([0, [200, "mara"]]);
  expect(await ownerOf(made.stdout)).toEqual([401, undefined]);
  expect((await live("revoke", id)).stderr).toBe(`Mara's own (id ${id}) is revoked, as it was before\n`);
  const unknown = await live("revoke", "987654");
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    1,
    "outpost: no token has the id 987654\ntry: outpost token list\n",
  ]);
});

test.each([
  ["a scope that is none", ["--scopes", "read_apu"], 2, '"read_apu" is not a scope; the nearest is read_api'],
  [
    "a day that is none",
    ["--expires-at", "2027-02-30"],
    2,
    '--expires-at is "2027-02-30"; expected a date such as 2027-01-31',
  ],
  ["a user that is not there", ["--user", "nobody"], 1, "no user is called nobody"],
  ["no scope at all", ["--scopes", " ,"], 1, "Scopes can't be blank"],
  ["an end too far away", ["--expires-at", "2999-01-01"], 1, "Expires at must be before "],
  ["a scope for administrators", ["--scopes", "sudo"], 1, "Scopes can only contain available scopes"],
])("it refuses %s", async (_, args, code, message) => {
  const { exitCode, stdout, stderr } = await create(...args);
  expect([exitCode, stdout]).toEqual([code, ""]);
  expect(stderr).toStartWith(`outpost: ${message}`);
  expect(stderr.trimEnd().split("\n").at(-1)).toStartWith("try: outpost ");
});

test("it creates no store", async () => {
  await using empty = await createTempFolder();
  const { exitCode, stderr } = await create("--data", empty.path);
  expect([exitCode, stderr]).toEqual([
    1,
    `outpost: ${empty.path} holds no store\ntry: outpost token create --data DIR\n`,
  ]);
  expect([...new Bun.Glob("*").scanSync(empty.path)]).toEqual([]);
});

test("without its flags it names the missing ones, and without `create` it shows its help", async () => {
  expect(await runOutpost(["token", "create"])).toMatchObject({
    exitCode: 2,
    stderr:
      "outpost: required option '--user <name or id>' not specified\ntry: outpost token create --user root --scopes api\n",
  });
  const { exitCode, stdout, stderr } = await runOutpost(["token"]);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("outpost token create --user root --scopes api");
});

test("list shows active tokens, and with --all the others too", async () => {
  const made = await create("--name", "to list", "--json");
  const { id } = JSON.parse(made.stdout) as { id: number };
  const list = (...args: string[]) => runOutpost(["token", "list", "--data", folder.path, ...args]);
  expect((await list("--user", "mara")).stdout).toMatch(
    new RegExp(`^${id} {2}mara {2}to list +read_api +\\d{4}-\\d\\d-\\d\\d {2}never +active$`, "m"),
  );
  expect((await list()).stdout).toMatch(/^1 +root {2}Initial token of root +all +never +/m);
  const revoked = await runOutpost(["token", "revoke", String(id), "--data", folder.path]);
  expect(revoked).toMatchObject({ exitCode: 0, stdout: "", stderr: `to list (id ${id}) is revoked\n` });
  expect(await lastAuditEvent()).toMatchObject({ event_name: "personal_access_token_revoked", author_id: -1 });
  expect((await list()).stdout).not.toContain("to list");
  const all = JSON.parse((await list("--all", "--json")).stdout) as object[];
  expect(all).toContainEqual(expect.objectContaining({ id, name: "to list", revoked: true, active: false }));
});

test("rotate replaces a token", async () => {
  const { id, token: old } = JSON.parse((await create("--json")).stdout) as { id: number; token: string };
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const rotate = (...args: string[]) => runOutpost(["token", "rotate", ...args, "--data", folder.path]);
  const { exitCode, stdout, stderr } = await rotate(String(id), "--expires-at", day);
  expect(exitCode).toBe(0);
  expect(stderr).toBe(`rotated for mara (id 2): read_api, until ${day}; shown only once\n`);
  expect(await rotate(String(id))).toMatchObject({
    exitCode: 1,
    stderr: "outpost: 400 Bad request - Token already revoked\ntry: outpost token rotate --help\n",
  });
  expect(await rotate("999")).toMatchObject({
    stderr: "outpost: no token has the id 999\ntry: outpost token list\n",
  });
  expect(await rotate("mine")).toMatchObject({ exitCode: 2 });
  await using outpost = await startOutpost({ dataFolder: folder.path });
  expect(await get(outpost, "/personal_access_tokens/self", stdout.trim())).toMatchObject({ active: true });
  expect(await get(outpost, "/personal_access_tokens/self", old)).toMatchObject({ error: "invalid_token" });
});

/** Read from the store itself: there is no operation for audit events yet. */
async function lastAuditEvent(): Promise<AuditEventRecord | undefined> {
  const store = await Store.open({
    folder: folder.path,
    collections,
    clock: systemClock,
    randomness: systemRandomness,
    log: silentLog,
    onDiskFailure: () => {},
  });
  try {
    const events = store.logOf(auditEvents);
    return events.get(events.size);
  } finally {
    await store.close();
  }
}
