import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { installChromium, openBrowser } from "../../../support/browser/browser.ts";
import { knownCredentials, listUsers, rootHeaders } from "../../../support/process/fault-client.ts";
import { startOutpost } from "../../../support/process/outpost-process.ts";
import { afterShell, startUnder } from "../../../support/process/outpost-under.ts";
import { installStrace } from "../../../support/process/strace.ts";
import { installTool } from "../../../support/process/system-tool.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

/** A network namespace of its own, in which there is nothing but the machine itself. */
const alone = ["unshare", "--net", ...afterShell("ip link set lo up")];
const missing = await installTool([...alone, "true"], "iproute2");
if (missing !== undefined) console.log(`skipped: no network namespace can be made here: ${missing}`);

const whyNoTrace = missing ?? (await installStrace());
const whyNoBrowser = await installChromium();

/** The addresses beyond this machine that a process tried to reach. */
function outsideIn(trace: string): string[] {
  const places = [...trace.matchAll(/sin6?_port=htons\((\d+)\).*?(?:inet_addr\("|inet_pton\(AF_INET6, ")([^"]+)"/g)];
  return places.map(([, port, address]) => `${address} ${port}`).filter((place) => !/^(127\.|::1 )/.test(place));
}

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
  600_000,
);

test.skipIf(whyNoTrace !== undefined)(
  "from its start to its end, with all its pages, it opens no connection to another host",
  async () => {
    await using folder = await createTempFolder();
    const trace = join(folder.path, "trace");
    const traced = [...alone, "strace", "-D", "-f", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", trace];
    await using outpost = await startUnder(traced, join(folder.path, "data"), knownCredentials);
    const calls = [
      "/-/api",
      "/-/openapi.json",
      "/-/metrics",
      "/api/v4/users",
      "/api/v4/metadata",
      "/api/v4/application/settings",
    ];
    const script = `
      const answers = await Promise.all(${JSON.stringify(calls)}.map((path) =>
        fetch("${outpost.origin}" + path, { headers: ${JSON.stringify(rootHeaders)} })));
      console.log(JSON.stringify(answers.map(({ status }) => status)));
    `;
    expect(JSON.parse(await inNetworkOf(outpost.pid, script))).toEqual(calls.map(() => 200));
    if (whyNoBrowser === undefined) {
      const inside = ["nsenter", `--net=/proc/${outpost.pid}/ns/net`];
      await using browser = await openBrowser(outpost.origin, inside);
      await browser.page.goto(`${outpost.origin}/-/api`);
      await browser.page.waitForSelector("#operations-tag-Version");
      expect([browser.foreign, browser.errors]).toEqual([[], []]);
    } else console.log(`skipped: the pages in a browser: ${whyNoBrowser}`);
    process.kill(outpost.pid, "SIGTERM");
    expect(await outpost.ended).toMatchObject({ exitCode: 0 });
    const seen = await readFile(trace, "utf8");
    expect(seen).toContain("exited with 0");
    expect(outsideIn(seen)).toEqual([]);
  },
  600_000,
);

test("the trace shows an attempt to reach another host", () => {
  const lines = [
    '7 connect(9, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.1")}, 16) = -1 ENETUNREACH',
    '7 sendto(9, "x", 1, 0, {sa_family=AF_INET6, sin6_port=htons(53), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = 1',
    '7 connect(9, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
  ];
  expect(outsideIn(lines.join("\n"))).toEqual(["192.0.2.1 443", "2001:db8::1 53"]);
});
