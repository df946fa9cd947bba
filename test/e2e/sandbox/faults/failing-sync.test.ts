import { describe, expect, test } from "bun:test";
import { knownCredentials, listUsers, postUser, Writers } from "../../../support/process/fault-client.ts";
import { startOutpost } from "../../../support/process/outpost-process.ts";
import { startUnder } from "../../../support/process/outpost-under.ts";
import { installStrace } from "../../../support/process/strace.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const missing = await installStrace();
if (missing !== undefined) console.log(`skipped: syncs cannot be made to fail here: ${missing}`);

/** Becomes the server's parent; makes syncs of each thread fail, those that `when` says. */
function failingSyncs(when: string): string[] {
  const inject = `inject=fdatasync,fsync:error=EIO:when=${when}`;
  return ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=fdatasync,fsync", "-e", inject, "-o", "/dev/null"];
}

describe.skipIf(missing !== undefined)("a disk whose syncs fail", () => {
  test.each([["once"], ["for ever"]])(
    "%s, while 16 clients write: the server ends, and the next start has everything acknowledged",
    async (how) => {
      await using folder = await createTempFolder();
      // The threads that sync count for themselves: 30 of each are fine.
      const wrapper = failingSyncs(how === "once" ? "30" : "30+");
      await using outpost = await startUnder(wrapper, folder.path, knownCredentials);
      const writers = new Writers(outpost.origin, "u");
      await writers.done;
      const { exitCode, stderr } = await outpost.ended;
      expect(exitCode).toBe(1);
      expect(stderr).toContain("the disk failed under the journal");
      expect(writers.acknowledged.size).toBeGreaterThan(0);
      // Nobody was told that all is well, nor that nothing was done: what was asked for last is in doubt.
      expect([...writers.refusals]).toEqual([]);
      await using next = await startOutpost({ dataFolder: folder.path });
      const users = await listUsers(next.origin);
      expect(writers.missingFrom(users)).toEqual([]);
      expect(users.size).toBeLessThanOrEqual(writers.acknowledged.size + 16);
      expect((await postUser(next.origin, "after")).status).toBe(201);
    },
    180_000,
  );

  test("from any call of the first start on: it ends without a false acknowledgement; the next start has everything", async () => {
    for (let call = 1; call <= 8; call += 1) {
      await using folder = await createTempFolder();
      const acknowledged = new Map<number, string>();
      try {
        await using outpost = await startUnder(failingSyncs(`${call}+`), folder.path, knownCredentials);
        const writers = new Writers(outpost.origin, "u");
        await writers.done;
        expect((await outpost.ended).exitCode).toBe(1);
        for (const [id, username] of writers.acknowledged) acknowledged.set(id, username);
      } catch (error) {
        // It did not even listen.
        expect(String(error)).toMatch(/ended with 1 before it was ready:\n.*EIO/);
        expect(String(error)).not.toContain("    at ");
      }
      await using next = await startOutpost({ env: knownCredentials, dataFolder: folder.path });
      const users = await listUsers(next.origin);
      expect([...acknowledged].filter(([id, username]) => users.get(id) !== username)).toEqual([]);
      expect((await postUser(next.origin, "after")).status).toBe(201);
    }
  }, 180_000);
});
