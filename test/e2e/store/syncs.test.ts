import { describe, expect, test } from "bun:test";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { breakSyncs, installStrace, traceServer } from "../../support/process/strace.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse battery" };
const missing = await installStrace();
const headers = { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" };

function post(outpost: OutpostProcess, path: string, body: object): Promise<Response> {
  return fetch(`${outpost.origin}/api/v4${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

function newUser(username: string): object {
  return { username, name: "Somebody", email: `${username}@example.test`, force_random_password: true };
}

describe.skipIf(missing !== undefined)("on one connection, as the kernel traces it", () => {
  test("every write is synced before it is acknowledged", async () => {
    await using outpost = await startOutpost({ env });
    expect((await post(outpost, "/users", newUser("first"))).status).toBe(201);
    const trace = await traceServer(outpost.pid);
    let writes = 0;
    for (let turn = 1; turn <= 20; turn += 1) {
      const user = await post(outpost, "/users", newUser(`user${turn}`));
      expect(user.status).toBe(201);
      const { id } = (await user.json()) as { id: number };
      const made = await post(outpost, `/users/${id}/personal_access_tokens`, { name: "t", scopes: ["api"] });
      expect(made.status).toBe(201);
      const token = (await made.json()) as { id: number };
      const path = `/api/v4/personal_access_tokens/${token.id}`;
      expect((await fetch(outpost.origin + path, { method: "DELETE", headers })).status).toBe(204);
      writes += 3;
    }
    const events = await trace.finish();
    expect(events.filter((event) => event === "answered").length).toBe(writes);
    expect(events.filter((event) => event === "synced").length).toBeGreaterThanOrEqual(writes);
    const unsynced = events.filter((event, place) => event === "answered" && events[place - 1] !== "synced");
    expect(unsynced).toEqual([]);
  }, 180_000);

  test("a sync that fails ends the server without an answer, and the next start has everything", async () => {
    await using folder = await createTempFolder();
    await using outpost = await startOutpost({ env, dataFolder: folder.path });
    expect((await post(outpost, "/users", newUser("before"))).status).toBe(201);
    using _ = await breakSyncs(outpost.pid);
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, (_, turn) => post(outpost, "/users", newUser(`during${turn}`))),
    );
    expect(answers.filter((answer) => answer.status === "fulfilled" && answer.value.ok)).toEqual([]);
    expect(await outpost.ended).toMatchObject({ exitCode: 1, signal: null });
    await using next = await startOutpost({ env, dataFolder: folder.path });
    const found = await fetch(`${next.origin}/api/v4/users?username=before`, { headers });
    expect(await found.json()).toMatchObject([{ username: "before" }]);
    expect((await post(next, "/users", newUser("after"))).status).toBe(201);
  }, 180_000);
});
