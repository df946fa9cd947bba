import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { until } from "../../support/process/fault-client.ts";
import { executable, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";
import { runOnTerminal } from "../../support/process/terminal.ts";

const rootToken = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse battery" };

let folder: TempFolder;

beforeAll(async () => {
  folder = await createTempFolder();
  await using outpost = await startOutpost({ env, dataFolder: folder.path });
  await outpost.stop();
});

afterAll(() => folder.remove());

/** `outpost user …` in the store of these tests. */
function user(command: string, ...args: string[]) {
  return runOutpost(["user", command, "--data", folder.path, ...args]);
}

/** The audit events that were written since `before` there were, as name, author and target. */
async function eventsSince(before: number): Promise<unknown[][]> {
  const { stdout } = await runOutpost(["audit-events", "export", "--data", folder.path]);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { event_name: string; author_id: number; details: { target_details: string } });
  return events.slice(before).map((event) => [event.event_name, event.author_id, event.details.target_details]);
}

describe("user create", () => {
  test("creates a confirmed account, with an audit event without an author", async () => {
    const before = (await eventsSince(0)).length;
    const { exitCode, stdout, stderr } = await user(
      ...["create", "--username", "ada", "--email", "Ada@Skylark.example", "--name", "Ada Vale", "--admin", "--json"],
    );
    expect([exitCode, stderr]).toEqual([0, "ada (id 2) created\n"]);
    expect(JSON.parse(stdout)).toEqual({
      ...{ id: 2, username: "ada", name: "Ada Vale", email: "ada@skylark.example", state: "active" },
      ...{ is_admin: true, is_auditor: false, external: false, bot: false, two_factor_enabled: false },
      ...{ created_at: expect.any(String), confirmed_at: expect.any(String), last_activity_on: null },
    });
    expect(await eventsSince(before)).toEqual([["user_created", -1, "Ada Vale"]]);
  });

  test("generates a password, printed alone on stdout, or reads one from stdin", async () => {
    const made = await user("create", "--username", "bo", "--email", "bo@skylark.example", "--random-password");
    expect(made.stdout).toMatch(/^\S{24}\n$/);
    expect(made.stderr).toBe("bo (id 3) created; the password is shown only once\n");
    const args = ["user", "create", "--data", folder.path, "--username", "cy", "--email", "cy@skylark.example"];
    const child = Bun.spawn([executable, ...args, "--password-stdin"], {
      stdin: Buffer.from("correct horse\n"),
      stderr: "pipe",
    });
    expect([await child.exited, await child.stdout.text(), await child.stderr.text()]).toEqual([
      ...[0, "", "cy (id 4) created\n"],
    ]);
  });

  test.each([
    ["a taken name", ["--username", "ada", "--email", "a2@x.example"], 1, "Username has already been taken"],
    ["what breaks rules", ["--username", "x", "--email", "no"], 1, "email is invalid; username is too short"],
    ["no address", ["--username", "x"], 2, "required option '--email <address>' not specified"],
    [
      "two passwords",
      ["--username", "dee", "--email", "d@x.example", "--random-password", "--password-stdin"],
      2,
      "option '--random-password' cannot be used with option '--password-stdin'",
    ],
    [
      "no password on stdin",
      ["--username", "dee", "--email", "d@x.example", "--password-stdin"],
      2,
      "stdin contains no pass",
    ],
  ])("refuses %s", async (_, args, code, message) => {
    const { exitCode, stdout, stderr } = await user("create", ...args);
    expect([exitCode, stdout]).toEqual([code, ""]);
    expect(stderr).toStartWith(`outpost: ${message}`);
    expect(stderr.trimEnd().split("\n").at(-1)).toStartWith("try: outpost user create --");
  });
});

test("user list and show: aligned words in a pipe, a table on a terminal, or JSON", async () => {
  const { stdout } = await user("list", "--search", "ada");
  expect(stdout).toMatch(/^2 {2}ada {2}Ada Vale {2}ada@skylark\.example {2}active {2}admin {2}\S+ {2}never\n$/);
  const onTerminal = await runOnTerminal(["user", "list", "--data", folder.path], { NO_COLOR: "1" });
  expect(onTerminal).toMatch(/^id {2}username {2}name .*\n─+\n1 {3}root {6}Administrator /);
  const admins = JSON.parse((await user("list", "--admins", "--json")).stdout) as { username: string }[];
  expect(admins.map(({ username }) => username)).toEqual(["root", "ada"]);
  expect((await user("show", "2")).stdout).toMatch(/^username +ada$/m);
  expect((await user("show", "nobody")).stderr).toBe("outpost: no user is called nobody\ntry: outpost user list\n");
  expect((await user("list", "--state", "blokced")).stderr).toStartWith(
    'outpost: "blokced" is not a state; the nearest is blocked\n',
  );
});

test("user modify changes the given attributes, with audit events, and refuses an empty change", async () => {
  const before = (await eventsSince(0)).length;
  const { stdout } = await user("modify", "ada", "--no-admin", "--name", "Ada Hale", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ name: "Ada Hale", is_admin: false, external: false });
  expect(await eventsSince(before)).toEqual([
    ["user_name_updated", -1, "Ada Hale"],
    ["user_admin_status_updated", -1, "Ada Hale"],
  ]);
  expect(await user("modify", "ada")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("no change was given"),
  });
});

test("states change as through the API, and say so", async () => {
  const before = (await eventsSince(0)).length;
  expect((await user("block", "bo")).stderr).toBe("bo (id 3) is blocked\n");
  expect((await user("block", "bo")).stderr).toBe("bo (id 3) is blocked, as before\n");
  expect((await user("deactivate", "bo")).stderr).toBe(
    "outpost: Error occurred. A blocked user cannot be deactivated\ntry: outpost user deactivate --help\n",
  );
  expect((await user("unblock", "bo")).stderr).toBe("bo (id 3) is active\n");
  expect((await user("deactivate", "3")).stderr).toBe("bo (id 3) is deactivated\n");
  expect((await user("activate", "bo", "--json")).stdout).toContain('"state": "active"');
  expect((await user("ban", "bo")).stderr).toBe("bo (id 3) is banned\n");
  expect((await user("unban", "bo")).stderr).toBe("bo (id 3) is active\n");
  expect((await eventsSince(before)).map(([name]) => name)).toEqual([
    ...["user_blocked", "unblock_user", "user_deactivate", "user_activate", "ban_user", "unban_user"],
  ]);
});

test("user password prints a new one once, with an audit event", async () => {
  const before = (await eventsSince(0)).length;
  const { exitCode, stdout, stderr } = await user("password", "cy");
  expect([exitCode, stderr]).toEqual([0, "cy (id 4) has a new password; the password is shown only once\n"]);
  expect(stdout).toMatch(/^\S{24}\n$/);
  expect(await eventsSince(before)).toEqual([["user_password_updated", -1, "cy"]]);
});

describe("the last active administrator", () => {
  let alone: TempFolder;
  const inStore = (...args: string[]) => runOutpost(["user", ...args, "--data", alone.path]);

  beforeAll(async () => {
    alone = await createTempFolder();
    await using outpost = await startOutpost({ env, dataFolder: alone.path });
    await outpost.stop();
    for (const name of ["ada", "bo"]) {
      await inStore("create", "--username", name, "--email", `${name}@skylark.example`);
    }
    await inStore("block", "bo");
  });

  afterAll(() => alone.remove());

  test.each([[["modify", "root", "--no-admin"]], [["block", "root"]], [["ban", "root"]], [["deactivate", "root"]]])(
    "cannot be removed by %j",
    async (args) => {
      const { exitCode, stdout, stderr } = await inStore(...args);
      expect([exitCode, stdout, stderr]).toEqual([
        1,
        "",
        "outpost: 403 Forbidden - There must be an active administrator\ntry: outpost user promote NAME, for another user first\n",
      ]);
      expect(JSON.parse((await inStore("show", "root", "--json")).stdout)).toMatchObject({
        ...{ state: "active", is_admin: true },
      });
    },
  );

  test("can be demoted once another active one is promoted", async () => {
    const blocked = await inStore("promote", "bo");
    expect([blocked.exitCode, blocked.stderr]).toEqual([
      1,
      "outpost: bo is blocked; only an active user can be an administrator\ntry: outpost user unblock bo\n",
    ]);
    const promoted = await inStore("promote", "ada");
    expect([promoted.exitCode, promoted.stdout, promoted.stderr]).toEqual([0, "", "ada (id 2) is an administrator\n"]);
    expect((await inStore("promote", "ada")).stderr).toBe("ada (id 2) is an administrator, as before\n");
    expect((await inStore("block", "root")).stderr).toBe("root (id 1) is blocked\n");
    const again = await inStore("promote", "ada", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ username: "ada", is_admin: true });
  });
});

describe("through a running server", () => {
  test("each command does the same, with audit events of the token's user", async () => {
    const before = (await eventsSince(0)).length;
    await using outpost = await startOutpost({ dataFolder: folder.path, env });
    const live = (command: string, ...args: string[]) => user(command, ...args, "--token", rootToken);
    const made = await live("create", "--username", "eve", "--email", "eve@skylark.example", "--random-password");
    expect([made.exitCode, made.stderr]).toEqual([0, "eve (id 5) created; the password is shown only once\n"]);
    const session = await fetch(`${outpost.origin}/-/session`, {
      ...{ method: "POST", headers: { "Content-Type": "application/json" } },
      body: JSON.stringify({ login: "eve", password: made.stdout.trim() }),
    });
    expect(session.status).toBe(201);
    expect(JSON.parse((await live("modify", "eve", "--name", "Eve O'Dea", "--json")).stdout)).toMatchObject({
      ...{ id: 5, username: "eve", name: "Eve O'Dea", is_admin: false, state: "active" },
    });
    expect((await live("block", "eve")).stderr).toBe("eve (id 5) is blocked\n");
    expect((await live("block", "5")).stderr).toBe("eve (id 5) is blocked, as before\n");
    expect((await live("promote", "eve")).stderr).toStartWith("outpost: eve is blocked; only an active user");
    expect((await live("unblock", "eve")).stderr).toBe("eve (id 5) is active\n");
    expect((await live("promote", "eve")).stderr).toBe("eve (id 5) is an administrator\n");
    expect((await live("password", "eve")).stdout).toMatch(/^\S{24}\n$/);
    const admins = JSON.parse((await live("list", "--admins", "--json")).stdout) as { username: string }[];
    expect(admins.map(({ username }) => username)).toEqual(["root", "eve"]);
    const shown = await live("show", "eve", "--json");
    await outpost.stop();
    expect((await user("show", "eve", "--json")).stdout).toBe(shown.stdout);
    const events = (await eventsSince(before)).map(([name, author]) => [name, author]);
    expect(events).toContainEqual(["user_created", 1]);
    expect(events).toContainEqual(["user_blocked", 1]);
  });

  test("a list of several pages is complete", async () => {
    await using outpost = await startOutpost({ env });
    for (let count = 0; count < 101; count += 1) {
      const response = await fetch(`${outpost.origin}/api/v4/users`, {
        ...{ method: "POST", headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" } },
        body: JSON.stringify({
          ...{ username: `user${count}`, name: "A user", email: `user${count}@skylark.example` },
          force_random_password: true,
        }),
      });
      expect(response.status).toBe(201);
    }
    const { stdout } = await runOutpost(["user", "list", "--data", outpost.dataFolder, "--json"], { env });
    expect((JSON.parse(stdout) as { id: number }[]).map(({ id }) => id)).toEqual(
      Array.from({ length: 102 }, (_, at) => at + 1),
    );
  });

  test("errors have the status of the answer, and a hint", async () => {
    await using outpost = await startOutpost({ dataFolder: folder.path, env });
    const live = (command: string, ...args: string[]) => user(command, ...args, "--token", rootToken);
    const unknown = await live("show", "nobody");
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      1,
      "outpost: no user is called nobody\ntry: outpost user list\n",
    ]);
    const taken = await live("create", "--username", "ada", "--email", "a2@skylark.example");
    expect([taken.exitCode, taken.stderr]).toEqual([
      4,
      `outpost: the server at ${outpost.origin} answered 409: Username has already been taken\ntry: outpost user create --help\n`,
    ]);
    const refused = await live("block", "root");
    expect([refused.exitCode, refused.stderr]).toEqual([
      4,
      `outpost: the server at ${outpost.origin} answered 403 Forbidden - The API initiating user cannot be blocked by the API\ntry: outpost user block --help\n`,
    ]);
    const none = await user("list");
    expect([none.exitCode, none.stderr]).toEqual([
      1,
      `outpost: the server at ${outpost.origin} needs the token of an administrator\ntry: outpost user list --token TOKEN, or OUTPOST_TOKEN=TOKEN in the environment\n`,
    ]);
    const wrong = await user("list", "--token", "wrong-token-wrong-token");
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      4,
      `outpost: the server at ${outpost.origin} answered 401 Unauthorized\ntry: outpost user list --token TOKEN, of an administrator and with the scope api\n`,
    ]);
  });

  test.each([["--tls-self-signed"], ["--socket"]])("it finds a server with %s, and root's token", async (flag) => {
    await using place = await createTempFolder();
    const dataFolder = `${place.path}/data`;
    const args = flag === "--socket" ? [flag, `${place.path}/s`] : [flag];
    await using _outpost = await startOutpost({ dataFolder, args });
    const { exitCode, stdout, stderr } = await runOutpost(["user", "list", "--data", dataFolder]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toStartWith("1  root  ");
  });
});

describe("user delete", () => {
  test("deletes an account, of a stopped store once a server runs", async () => {
    await user("create", "--username", "dee", "--email", "dee@skylark.example");
    const deleted = await user("delete", "dee", "--json");
    expect([deleted.exitCode, JSON.parse(deleted.stdout).username]).toEqual([0, "dee"]);
    await using outpost = await startOutpost({ env, dataFolder: folder.path });
    const headers = { "PRIVATE-TOKEN": rootToken };
    const isGone = async () => {
      const answer = await fetch(`${outpost.origin}/api/v4/users?username=dee`, { headers });
      return ((await answer.json()) as unknown[]).length === 0;
    };
    await until("the user is gone", isGone);
  });

  test("names a user that does not exist", async () => {
    expect((await user("delete", "nobody-of-that-name")).exitCode).toBe(1);
  });
});
