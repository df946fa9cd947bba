import { expect, test } from "bun:test";
import { join } from "node:path";
import { knownCredentials, listUsers, rootHeaders } from "../../support/fault-client.ts";
import { startOutpost } from "../../support/outpost-process.ts";
import { afterShell, startUnder } from "../../support/outpost-under.ts";
import { installTool } from "../../support/system-tool.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

/** A network namespace of its own, in which there is nothing but the machine itself. */
const alone = ["unshare", "--net", ...afterShell("ip link set lo up")];
const missing = await installTool([...alone, "true"], "iproute2");
if (missing !== undefined) console.log(`skipped: no network namespace can be made here: ${missing}`);

/** Runs a script of Bun's in the namespace of a process and returns what it prints. */
async function inNetworkOf(pid: number, script: string): Promise<string> {
  const command = ["nsenter", `--net=/proc/${pid}/ns/net`, process.execPath, "-e", script];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(stderr);
  return stdout.trim();
}

test.skipIf(missing !== undefined)(
  "without any network but the machine itself it starts, serves and stops",
  async () => {
    await using folder = await createTempFolder();
    const dataFolder = join(folder.path, "data");
    {
      await using outpost = await startUnder(alone, dataFolder, knownCredentials);
      const api = `${outpost.origin}/api/v4`;
      const newcomer = { username: "alone", name: "Alone", email: "alone@example.test", force_random_password: true };
      const script = `
      const headers = ${JSON.stringify(rootHeaders)};
      const made = await fetch("${api}/users", { method: "POST", headers, body: ${JSON.stringify(JSON.stringify(newcomer))} });
      const shown = await fetch("${api}/users?search=alone", { headers });
      const ready = await fetch("${outpost.origin}/-/readiness");
      const outside = await fetch("http://192.0.2.1/", { signal: AbortSignal.timeout(2000) }).then(() => "reached", () => "none");
      console.log(JSON.stringify([made.status, (await shown.json())[0]?.username, ready.status, outside]));
    `;
      expect(JSON.parse(await inNetworkOf(outpost.pid, script))).toEqual([201, "alone", 200, "none"]);
      process.kill(outpost.pid, "SIGTERM");
      expect(await outpost.ended).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining("error") });
    }
    await using next = await startOutpost({ dataFolder });
    expect([...(await listUsers(next.origin)).values()]).toEqual(["alone"]);
  },
  30_000,
);
