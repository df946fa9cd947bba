import { describe, expect, test } from "bun:test";
import { readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { makePair, placePair } from "../../support/process/certificates.ts";
import { knownCredentials, rootHeaders, rootToken, until } from "../../support/process/fault-client.ts";
import { type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

/** A connection that trusts whatever it is shown. */
async function connectTo({ origin }: OutpostProcess): Promise<TLSSocket> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
  return socket;
}

async function shownName(outpost: OutpostProcess): Promise<string> {
  const socket = await connectTo(outpost);
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

/** Reads from the connection until the text has `pattern`. */
function received(socket: TLSSocket, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
      if (pattern.test(text)) resolve(text);
    });
    socket.once("close", () => reject(new Error(`closed after ${JSON.stringify(text)}`)));
    // A reset connection may report more than one error.
    socket.on("error", reject);
  });
}

interface Connecting {
  readonly answered: number;
  /** Errors of connections. */
  stop(): Promise<string[]>;
}

/** New connections, one after the other, each with one request, until told to stop. */
function keepConnecting(outpost: OutpostProcess): Connecting {
  let isStopped = false;
  const failures: string[] = [];
  let answered = 0;
  const work = async () => {
    while (!isStopped) {
      try {
        const socket = await connectTo(outpost);
        const answer = received(socket, /"ok"/);
        socket.write("GET /-/liveness HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        await answer;
        socket.destroy();
        answered += 1;
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  const working = Promise.all([work(), work(), work(), work()]);
  return {
    get answered() {
      return answered;
    },
    async stop() {
      isStopped = true;
      await working;
      return failures;
    },
  };
}

const get = "GET /-/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n";

describe("certificate and key from files", () => {
  test("addresses in answers are https, and new files are used without interrupting requests", async () => {
    await using folder = await createTempFolder();
    const [first, second, third] = await Promise.all([makePair("first"), makePair("second"), makePair("third")]);
    const args = await placePair(folder.path, first);
    await using outpost = await startOutpost({ env: knownCredentials, args });
    expect(outpost.origin).toStartWith("https://127.0.0.1:");
    expect(await shownName(outpost)).toBe("first");
    const page = await fetch(`${outpost.origin}/api/v4/users?per_page=1`, {
      headers: rootHeaders,
      tls: { rejectUnauthorized: false },
    });
    expect(page.headers.get("link")).toContain(`<${outpost.origin}/api/v4/users?`);

    await writeFile(join(folder.path, "server.key"), second.key);
    await outpost.saw("the new certificate is unusable; the old one stays");
    expect(outpost.stderr()).toContain("does not match the certificate in");
    expect(await shownName(outpost)).toBe("first");

    const [idle, busy] = [await connectTo(outpost), await connectTo(outpost)];
    const begun = received(busy, /100 Continue\r\n\r\n/);
    const json = JSON.stringify({ name: "across", scopes: ["api"] });
    busy.write(
      `POST /api/v4/users/1/personal_access_tokens HTTP/1.1\r\nHost: localhost\r\nPRIVATE-TOKEN: ${rootToken}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${json.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await begun;
    const connecting = keepConnecting(outpost);
    await placePair(folder.path, second);
    await outpost.saw("the certificate was replaced");
    expect(await shownName(outpost)).toBe("second");
    expect(await shownName(outpost)).toBe("second");
    const answers = [received(idle, /"ok"/), received(busy, /"name":"across"/)];
    idle.write(get);
    busy.write(json);
    const [idleAnswer, busyAnswer] = await Promise.all(answers);
    expect(idleAnswer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(idleAnswer?.toLowerCase()).toContain("connection: close");
    expect(busyAnswer).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    // Another one is used though the first has not retired yet, here by links that are turned.
    await placePair(join(folder.path, "renewed"), third);
    for (const name of ["server.pem", "server.key"]) {
      await symlink(join("renewed", name), join(folder.path, "next"));
      await rename(join(folder.path, "next"), join(folder.path, name));
    }
    await until("the third is shown", async () => (await shownName(outpost)) === "third");
    await until("enough of them were answered", () => connecting.answered > 10);
    // Each of four has one connection, which may be about to open when a listener stops: here that happens twice.
    expect((await connecting.stop()).length).toBeLessThanOrEqual(8);
    expect((await outpost.stop()).exitCode).toBe(0);
  }, 180_000);

  test("unusable files are one sentence and a hint", async () => {
    await using folder = await createTempFolder();
    const [one, other] = [await makePair("one"), await makePair("other")];
    const [certFlag = "", cert = "", keyFlag = "", key = ""] = await placePair(folder.path, one);
    const file = async (name: string, text: string) => {
      await writeFile(join(folder.path, name), text);
      return join(folder.path, name);
    };
    const [otherKey, nonsense, encrypted] = await Promise.all([
      file("other.key", other.key),
      file("nonsense.pem", "nothing of the kind"),
      file("encrypted.key", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"),
    ]);
    const serve = (...flags: string[]) => runOutpost(["serve", "-p", "0", "-d", join(folder.path, "data"), ...flags]);
    for (const [flags, exitCode, sentence] of [
      [[certFlag, cert], 2, "--tls-cert requires --tls-key"],
      [[keyFlag, key], 2, "--tls-key requires --tls-cert"],
      [[certFlag, cert, keyFlag, key, "--tls-self-signed"], 2, "--tls-cert and --tls-self-signed exclude each other"],
      [["--socket", "/tmp/x", "--tls-self-signed"], 2, "--socket and HTTPS exclude each other"],
      [[certFlag, `${cert}.not`, keyFlag, key], 1, "cannot read the file of --tls-cert: ENOENT"],
      [[certFlag, nonsense, keyFlag, key], 1, "nonsense.pem contains no PEM certificate"],
      [[certFlag, cert, keyFlag, nonsense], 1, "nonsense.pem contains no PEM private key"],
      [[certFlag, cert, keyFlag, encrypted], 1, "encrypted.key is encrypted; Outpost needs one without a passphrase"],
      [[certFlag, cert, keyFlag, otherKey], 1, "other.key does not match the certificate in"],
    ] as const) {
      const ended = await serve(...flags);
      expect(ended.stderr).toMatch(/^outpost: .*\ntry: .*\n$/);
      expect(ended.stderr).toContain(sentence);
      expect([ended.exitCode, ended.stdout]).toEqual([exitCode, ""]);
    }
  }, 180_000);

  test("two servers do not share a port", async () => {
    await using folder = await createTempFolder();
    const args = await placePair(folder.path, await makePair("one"));
    await using outpost = await startOutpost({ args });
    const { port } = new URL(outpost.origin);
    const other = await runOutpost(["serve", "-p", port, "-d", join(folder.path, "data"), ...args]);
    expect(other.stderr).toContain(`port ${port} is taken`);
    expect(other.exitCode).toBe(1);
  }, 180_000);
});

describe("a certificate that the server made", () => {
  test("is trusted through its authority, which stays the same, and commands find it", async () => {
    await using folder = await createTempFolder();
    const dataFolder = join(folder.path, "data");
    const authority = join(dataFolder, "tls/authority.pem");
    const start = (...more: string[]) =>
      startOutpost({ env: knownCredentials, dataFolder, args: ["--tls-self-signed", ...more] });
    const files = ["authority.pem", "server.pem"].map((name) => join(dataFolder, "tls", name));
    let before: string[];
    {
      await using outpost = await start();
      before = await Promise.all(files.map((file) => readFile(file, "utf8")));
      for (const name of ["authority.key", "server.key"]) {
        expect((await stat(join(dataFolder, "tls", name))).mode & 0o777).toBe(0o600);
      }
      expect((await stat(join(dataFolder, "tls"))).mode & 0o777).toBe(0o700);
      await outpost.saw("update-ca-certificates");
      expect(outpost.stderr()).toMatch(/authority .*tls\/authority\.pem {3}\(SHA-256 ([\dA-F]{2}:){31}[\dA-F]{2}\)/);
      expect(outpost.stderr()).toContain(`curl --cacert ${authority}`);
      const { port } = new URL(outpost.origin);
      for (const host of ["127.0.0.1", "localhost"]) {
        const answer = await fetch(`https://${host}:${port}/-/health`, {
          tls: { ca: await readFile(authority, "utf8") },
        });
        expect(answer.status).toBe(200);
      }
      expect(await fetch(`${outpost.origin}/-/health`).then(String, () => "not trusted")).toBe("not trusted");
      const called = await runOutpost(["api", "GET", "/user", "--url", outpost.origin, "--data", dataFolder], {
        env: knownCredentials,
      });
      expect([called.exitCode, JSON.parse(called.stdout).username]).toEqual([0, "root"]);
      const elsewhere = ["api", "GET", "/user", "--url", outpost.origin, "--data", folder.path];
      const distrusted = await runOutpost(elsewhere, { env: { OUTPOST_TOKEN: rootToken } });
      expect([distrusted.exitCode, distrusted.stderr]).toEqual([
        1,
        expect.stringContaining("try: outpost api GET PATH --cacert FILE, or OUTPOST_CACERT=FILE"),
      ]);
      for (const [args, env] of [
        [["--cacert", authority], {}],
        [[], { OUTPOST_CACERT: authority }],
      ] as const) {
        const trusted = await runOutpost([...elsewhere, ...args], { env: { OUTPOST_TOKEN: rootToken, ...env } });
        expect(trusted.exitCode).toBe(0);
      }
    }
    {
      await using _again = await start();
      expect(await Promise.all(files.map((file) => readFile(file, "utf8")))).toEqual(before);
    }
    {
      await using outpost = await start("--external-url", "https://demo.example:8443");
      const after = await Promise.all(files.map((file) => readFile(file, "utf8")));
      expect(after[0]).toBe(before[0] as string);
      expect(after[1]).not.toBe(before[1] as string);
      const socket = connect({
        ...{ host: "127.0.0.1", port: Number(new URL(outpost.origin).port), servername: "demo.example" },
        ca: after[0] as string,
      });
      await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
      expect(socket.authorized).toBe(true);
      socket.destroy();
    }
    await writeFile(files[0] as string, "damaged");
    const ended = await runOutpost(["serve", "-p", "0", "-d", dataFolder, "--tls-self-signed"]);
    expect(ended.stderr).toMatch(/^outpost: the certificates in .*tls cannot be used: .*\ntry: rm -r .*tls\n$/);
  }, 180_000);
});
