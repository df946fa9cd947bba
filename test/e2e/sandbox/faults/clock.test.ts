import { beforeAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../../src/domain/clock.ts";
import { dayMs } from "../../../../src/lib/datetime.ts";
import { silentLog } from "../../../../src/lib/log.ts";
import { startApp } from "../../../../src/server/app.ts";
import { configFor } from "../../../support/fixtures/config.ts";
import {
  createUser,
  knownCredentials,
  listAll,
  rootHeaders,
  rootToken,
} from "../../../support/process/fault-client.ts";
import { startOutpost } from "../../../support/process/outpost-process.ts";
import { installTool } from "../../../support/process/system-tool.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

interface Server extends AsyncDisposable {
  readonly origin: string;
}

/** Starts a server on the folder whose clock is that many days away from now. */
type StartAt = (dataFolder: string, days: number) => Promise<Server>;

interface ShownToken {
  readonly id: number;
  readonly active: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

const whyNoFakeTime = await whyNot();
if (whyNoFakeTime !== undefined) console.log(`skipped: ${whyNoFakeTime}`);

async function whyNot(): Promise<string | undefined> {
  const missing = await installTool(["faketime", "-f", "-1d", "true"], "faketime");
  if (missing !== undefined) return `no clock can be set for a process here: ${missing}`;
  return (await fakeTimeLibrary()) === undefined ? "libfaketime.so.1 is not where it is expected" : undefined;
}

async function fakeTimeLibrary(): Promise<string | undefined> {
  for (const folder of ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib"]) {
    const names: string[] = await readdir(join(folder, "faketime")).catch(() => []);
    if (names.includes("libfaketime.so.1")) return join(folder, "faketime/libfaketime.so.1");
  }
  return undefined;
}

/** The clock of the whole process, as the system tells it; timers go on as they do. */
async function startProcessAt(dataFolder: string, days: number): Promise<Server> {
  const clock = { FAKETIME: `${days < 0 ? "" : "+"}${days}d`, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
  const env = { ...knownCredentials, LD_PRELOAD: (await fakeTimeLibrary()) as string, ...clock };
  const outpost = await startOutpost({ env, dataFolder, args: ["--log-level", "warn"] });
  return { origin: outpost.origin, [Symbol.asyncDispose]: async () => void (await outpost.stop()) };
}

/** The seam for the clock, in this process. */
async function startSeamAt(dataFolder: string, days: number): Promise<Server> {
  const config = configFor(dataFolder, {
    rootToken,
    rootPassword: knownCredentials.OUTPOST_ROOT_PASSWORD,
  });
  const app = await startApp(config, silentLog, { clock: { ...systemClock, now: () => Date.now() + days * dayMs } });
  return { origin: app.origin, [Symbol.asyncDispose]: () => app.stop() };
}

async function createToken(origin: string, userId: number): Promise<{ id: number; token: string }> {
  const body = JSON.stringify({ name: "test", scopes: ["api"] });
  const path = `/api/v4/users/${userId}/personal_access_tokens`;
  const answer = await fetch(origin + path, { method: "POST", headers: rootHeaders, body });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: number; token: string };
}

async function whoIs(origin: string, token: string): Promise<number> {
  return (await fetch(`${origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": token } })).status;
}

const kinds: [string, StartAt, boolean][] = [
  ["of the process", startProcessAt, whyNoFakeTime !== undefined],
  ["behind the seam", startSeamAt, false],
];

for (const [kind, startAt, isSkipped] of kinds) {
  describe.skipIf(isSkipped)(`a clock ${kind} that jumps between starts`, () => {
    /** Days from now; tokens live for a year. */
    const jumps = [0, -3, 10, -400, 2, 0];
    const userIds: number[] = [];
    const tokenIds: number[] = [];
    const tokens: string[] = [];
    let folder: Awaited<ReturnType<typeof createTempFolder>>;
    beforeAll(async () => {
      folder = await createTempFolder();
      for (const [turn, days] of jumps.entries()) {
        await using server = await startAt(folder.path, days);
        expect(await whoIs(server.origin, rootToken)).toBe(200);
        // A token works within its year, whatever the clock said at its creation.
        if (days >= 0) for (const token of tokens.slice(0, 3)) expect(await whoIs(server.origin, token)).toBe(200);
        for (let each = 0; each < 3; each += 1) {
          const user = await createUser(server.origin, `jump${turn}x${each}`);
          const made = await createToken(server.origin, user.id);
          userIds.push(user.id);
          tokenIds.push(made.id);
          if (days > -365) tokens.push(made.token);
          expect(await whoIs(server.origin, made.token)).toBe(200);
        }
      }
    }, 180_000);

    test("gives ever higher ids", () => {
      for (const ids of [userIds, tokenIds]) {
        expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
        expect(ids.length).toBe(jumps.length * 3);
      }
    });

    test("shows every user once on the pages of every order", async () => {
      await using server = await startAt(folder.path, 0);
      const orders = ["id", "name", "username", "created_at", "updated_at"];
      for (const orderBy of orders) {
        for (const sort of ["asc", "desc"]) {
          for (const paging of ["", "&pagination=keyset"]) {
            const path = `/users?order_by=${orderBy}&sort=${sort}&per_page=4${paging}`;
            // Not every order has keyset pages.
            const probe = await fetch(`${server.origin}/api/v4${path}`, { headers: rootHeaders });
            if (paging !== "" && probe.status === 405) continue;
            const shown = await listAll<{ id: number; created_at: string }>(server.origin, path);
            expect(shown.map(({ id }) => id).sort((a, b) => a - b)).toEqual([1, ...userIds]);
            if (orderBy !== "created_at") continue;
            const times = shown.map(({ created_at }) => created_at);
            expect(times).toEqual(sort === "asc" ? times.toSorted() : times.toSorted().reverse());
          }
        }
      }
    });

    test("lets a token expire only while the clock is beyond its year, and no other token", async () => {
      {
        await using future = await startAt(folder.path, 500);
        expect(await whoIs(future.origin, rootToken)).toBe(200);
        for (const token of tokens) expect(await whoIs(future.origin, token)).toBe(401);
      }
      await using present = await startAt(folder.path, 0);
      for (const token of tokens) expect(await whoIs(present.origin, token)).toBe(200);
      const shown = await listAll<ShownToken>(present.origin, "/personal_access_tokens?per_page=100");
      expect(shown.filter(({ active }) => active).length).toBe(tokens.length + 1);
    });

    test("never shows a use before a creation, or a negative wait", async () => {
      await using past = await startAt(folder.path, -800);
      const user = await createUser(past.origin, "past");
      const made = await createToken(past.origin, user.id);
      expect(await whoIs(past.origin, made.token)).toBe(200);
      const answer = await fetch(`${past.origin}/api/v4/user`, { headers: rootHeaders });
      expect(Number(answer.headers.get("x-runtime"))).toBeGreaterThanOrEqual(0);
      const tokensShown = await listAll<ShownToken>(past.origin, `/personal_access_tokens?user_id=${user.id}`);
      for (const { created_at, last_used_at } of tokensShown) {
        if (last_used_at !== null) expect(last_used_at >= created_at).toBe(true);
      }
      await folder.remove();
    });
  });
}
