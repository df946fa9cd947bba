import { dlopen, FFIType } from "bun:ffi";
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { executable, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const noSystemd = await installTool(["systemd-analyze", "--version"], "systemd");

describe("install-service", () => {
  test("prints a unit with the given settings", async () => {
    const { exitCode, stdout } = await runOutpost([
      ...["install-service", "--executable", "/usr/local/bin/outpost", "--port", "80"],
      ...["--external-url", "https://outpost.example/a%20b", "--spam-keywords", 'cheap pills,"x"'],
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatchSnapshot();
  });

  test("adds a capability only for privileged ports, and a user for an own folder", async () => {
    const { stdout } = await runOutpost([
      ...["install-service", "--executable", "/usr/local/bin/outpost", "--name", "forge"],
      ...["--user", "git", "--data", "/srv/forge"],
    ]);
    expect(stdout).toContain("\nCapabilityBoundingSet=\n");
    expect(stdout).toContain("\nUser=git\nReadWritePaths=/srv/forge\n");
    expect(stdout).toContain("\nEnvironment=OUTPOST_DATA=/srv/forge\n");
    expect(stdout).toContain("\nEnvironmentFile=-/etc/forge.env\n");
    expect(stdout).not.toContain("DynamicUser");
    expect(await runOutpost(["install-service", "--data", "/srv/forge"])).toMatchObject({
      exitCode: 2,
      stderr:
        "outpost: /srv/forge is your own folder; --user must name its owner\n" +
        "try: outpost install-service --user outpost, and the rest\n",
    });
    expect(await runOutpost(["install-service", "--name", "../x"])).toMatchObject({ exitCode: 2, stdout: "" });
  });

  test("passes certificates, opens folders and creates the folder of a socket", async () => {
    const tls = ["--tls-cert", "/etc/outpost/server.pem", "--tls-key", "/etc/outpost/server key.pem"];
    const common = ["install-service", "--executable", "/usr/local/bin/outpost"];
    const { stdout } = await runOutpost([...common, ...tls]);
    expect(stdout).toContain(
      "\nLoadCredential=tls-key:/etc/outpost/server key.pem\nEnvironment=OUTPOST_TLS_KEY=%d/tls-key\n",
    );
    expect(stdout).not.toContain("OUTPOST_TLS_CERT=/etc");
    const withSocket = await runOutpost([...common, "--socket", "/run/outpost/outpost.sock"]);
    expect(withSocket.stdout).toContain("\nRuntimeDirectory=outpost\n");
    const storages = ["--repository-storages", "default,big=/mnt/big", "--backup-folder", "/mnt/backups"];
    expect((await runOutpost([...common, ...storages])).exitCode).toBe(2);
    const withUser = await runOutpost([...common, ...tls, ...storages, "--user", "git"]);
    expect(withUser.stdout).toContain("\nStateDirectory=outpost\n");
    expect(withUser.stdout).toContain("\nReadWritePaths=/mnt/big\nReadWritePaths=/mnt/backups\n");
    expect(withUser.stdout).toContain('\nEnvironment="OUTPOST_TLS_KEY=/etc/outpost/server key.pem"\n');
  });

  test.skipIf(noSystemd !== undefined)("writes a unit that systemd accepts and finds well isolated", async () => {
    await using folder = await createTempFolder();
    const unit = join(folder.path, "outpost.service");
    const { exitCode, stdout, stderr } = await runOutpost([
      ...["install-service", "--write", unit, "--executable", "/usr/bin/true"],
      ...["--tls-cert", "/etc/outpost/a.pem", "--tls-key", "/etc/outpost/b c.pem"],
    ]);
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(stderr).toContain(`wrote ${unit}\n`);
    expect(stderr).toContain("systemctl daemon-reload && systemctl enable --now outpost");
    const verified = await Bun.$`systemd-analyze verify ${unit}`.nothrow().quiet();
    expect([verified.exitCode, verified.stderr.toString()]).toEqual([0, ""]);
    const judged = await Bun.$`systemd-analyze security --offline=true --threshold=20 ${unit}`.nothrow().quiet();
    expect([judged.exitCode, /exposure level for \S+ (\S+)/.exec(judged.stdout.toString())?.[1]]).toEqual([
      ...[0, expect.stringMatching(/^1\.\d$/)],
    ]);
    expect(await readFile(unit, "utf8")).toContain("ExecStart=/usr/bin/true serve");
  });

  test("runs this executable by default", async () => {
    expect((await runOutpost(["install-service"])).stdout).toContain(`ExecStart=${executable} serve`);
  });

  test("writes no unit that hides its own executable or folders", async () => {
    await using folder = await createTempFolder();
    const unit = join(folder.path, "outpost.service");
    const write = ["install-service", "--write", unit];
    const hidden = "the unit hides home and temporary folders";
    expect(await runOutpost([...write, "--executable", "/home/bob/outpost"])).toMatchObject({
      exitCode: 2,
      stderr:
        `outpost: the service cannot see /home/bob/outpost: ${hidden}\n` +
        "try: sudo install /home/bob/outpost /usr/local/bin/outpost && sudo /usr/local/bin/outpost install-service --write\n",
    });
    const inHome = ["--executable", "/usr/bin/true", "--user", "bob", "--data", "/home/bob/data"];
    expect(await runOutpost([...write, ...inHome])).toMatchObject({
      exitCode: 2,
      stderr:
        `outpost: the service cannot see /home/bob/data: ${hidden}\n` +
        "try: outpost install-service --data /srv/outpost --user USER\n",
    });
    expect(await Bun.file(unit).exists()).toBe(false);
  });

  test("names what a service usually has beside it", async () => {
    const common = ["install-service", "--executable", "/usr/bin/true"];
    const bare = await runOutpost(common);
    expect(bare.stderr).toContain("--external-url https://HOST");
    expect(bare.stderr).toContain('--backup-schedule "30 3 * * *"');
    const given = ["--external-url", "https://outpost.example", "--backup-schedule", "30 3 * * *"];
    expect((await runOutpost([...common, ...given])).stderr).toBe("");
  });

  test("names a file that cannot be written, with a hint", async () => {
    expect(
      await runOutpost(["install-service", "--executable", "/usr/bin/true", "--write", "/nowhere/outpost.service"]),
    ).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^outpost: cannot write \/nowhere\/outpost\.service: .*\ntry: sudo outpost install-service --write\n$/,
      ),
    });
  });
});

/** Receives the messages to systemd at a `NOTIFY_SOCKET`, through libc: the runtime has no such sockets. */
class NotifySocket implements Disposable {
  readonly #libc = dlopen("libc.so.6", {
    socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    bind: { args: [FFIType.i32, FFIType.ptr, FFIType.u32], returns: FFIType.i32 },
    recv: { args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32], returns: FFIType.i64 },
    close: { args: [FFIType.i32], returns: FFIType.i32 },
  });
  readonly #fd: number;

  constructor(name: string) {
    const path = Buffer.from(name.replace(/^@/, "\0"));
    this.#fd = this.#libc.symbols.socket(1, 2, 0);
    const address = Buffer.concat([Buffer.from(Uint16Array.of(1).buffer), path]);
    if (this.#libc.symbols.bind(this.#fd, address, address.length) !== 0) throw new Error(`cannot bind ${name}`);
  }

  /** The next message that lies there already. */
  next(): string | undefined {
    const bytes = Buffer.alloc(256);
    const doNotWait = 0x40;
    const length = Number(this.#libc.symbols.recv(this.#fd, bytes, bytes.length, doNotWait));
    return length < 0 ? undefined : bytes.toString("utf8", 0, length);
  }

  [Symbol.dispose](): void {
    this.#libc.symbols.close(this.#fd);
  }
}

describe("a server that systemd watches", () => {
  test.each([["a path"], ["a name in no folder"]])(
    "reports that it is ready and that it stops, at %s",
    async (kind) => {
      await using folder = await createTempFolder();
      const name = kind === "a path" ? join(folder.path, "notify") : `@outpost-test-${process.pid}`;
      using socket = new NotifySocket(name);
      await using outpost = await startOutpost({ env: { NOTIFY_SOCKET: name } });
      expect([socket.next(), socket.next()]).toEqual(["READY=1", undefined]);
      await outpost.stop();
      expect([socket.next(), socket.next()]).toEqual(["STOPPING=1", undefined]);
    },
  );

  test("continues without a listener on the socket, with a warning", async () => {
    await using outpost = await startOutpost({ env: { NOTIFY_SOCKET: "/nowhere/notify" } });
    await outpost.saw("cannot send READY=1 to systemd at /nowhere/notify\n");
    expect((await outpost.stop()).exitCode).toBe(0);
  });
});

describe("containerfile", () => {
  test("names no other host and no root, and its health check is the executable's own", async () => {
    const { exitCode, stdout, stderr } = await runOutpost(["containerfile"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toMatchSnapshot();
  });

  test("has a start and a health check that work as written", async () => {
    const { stdout } = await runOutpost(["containerfile"]);
    const listOf = (word: string) =>
      JSON.parse(new RegExp(`${word}.*?(\\[.*\\])$`, "m").exec(stdout)?.[1] ?? "") as string[];
    expect([listOf("^ENTRYPOINT"), listOf("^CMD")]).toEqual([["/usr/local/bin/outpost"], ["serve"]]);
    const [program, ...check] = listOf("^HEALTHCHECK");
    expect(program).toBe("/usr/local/bin/outpost");
    const given = [...(/^ENV (.*)$/m.exec(stdout)?.[1]?.split(" ") ?? [])].map(
      (each) => each.split("=") as [string, string],
    );
    const env = Object.fromEntries(given);
    expect(Object.keys(env)).toEqual(["OUTPOST_HOST", "OUTPOST_PORT", "OUTPOST_DATA"]);
    await using outpost = await startOutpost({ args: ["--host", env.OUTPOST_HOST ?? ""] });
    const port = new URL(outpost.origin).port;
    const inside = { ...env, OUTPOST_PORT: port };
    expect(await runOutpost(check, { env: inside })).toMatchObject({ exitCode: 0, stdout: '{"status":"ok"}' });
    await outpost.stop();
    expect((await runOutpost(check, { env: inside })).exitCode).toBe(1);
  });
});

describe("dashboard", () => {
  test("uses only metrics that /-/metrics has", async () => {
    const { exitCode, stdout, stderr } = await runOutpost(["dashboard"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    const { panels } = JSON.parse(stdout) as { panels: { title: string; targets: { expr: string }[] }[] };
    expect(panels.length).toBeGreaterThan(20);
    await using outpost = await startOutpost();
    const figures = await (await fetch(`${outpost.origin}/-/metrics`)).text();
    const types = new Map(
      [...figures.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
    );
    const asked = new Set(
      panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/\b(outpost|process)_\w+/g) ?? [])),
    );
    const unknown = [...asked].filter(
      (name) => !types.has(name) && types.get(name.replace(/_(bucket|count|sum)$/, "")) !== "histogram",
    );
    expect(unknown).toEqual([]);
    // The dashboard shows all other metrics of the server.
    const shown = [...types.keys()].filter((name) => [...asked].some((each) => each.startsWith(name)));
    expect([...types.keys()].filter((name) => !shown.includes(name))).toEqual([
      "outpost_store_transactions",
      "outpost_checkpoint_segments_total",
    ]);
  });
});
