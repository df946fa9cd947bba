import { describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { CrashLedger, type ShownUser } from "../../support/disk/crash-ledger.ts";
import { firstGenerationOf } from "../../support/disk/generation.ts";
import { executable, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse battery" };
const writers = 8;
/** Acknowledged before the backup is asked for. */
const usersBefore = 250;
const noGit = await installTool(["git", "--version"], "git");

async function call<T>(origin: string, method: string, path: string, json?: object): Promise<T> {
  const answer = await fetch(`${origin}/api/v4${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function listUsers(origin: string): Promise<ShownUser[]> {
  const all: ShownUser[] = [];
  for (let page = 1; ; page += 1) {
    const users = await call<ShownUser[]>(origin, "GET", `/users?per_page=100&page=${page}&order_by=id&sort=asc`);
    if (users.length === 0) return all.filter(({ username }) => username !== "root");
    all.push(...users);
  }
}

/** Users and commits, one after the other by each writer, until it is over. */
class Load {
  readonly ledger = new CrashLedger();
  readonly commitsBefore: string[] = [];
  acknowledged = 0;
  isAsked = false;
  isOver = false;
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async run(): Promise<void> {
    const { id } = await call<{ id: number }>(this.#origin, "POST", "/projects", {
      name: "Kept",
      initialize_with_readme: true,
      visibility: "public",
    });
    await Promise.all([this.#commit(id), ...Array.from({ length: writers }, (_, at) => this.#write(at))]);
  }

  /** A write that was acknowledged after the start of the backup may be in it or not. */
  async #write(writer: number): Promise<void> {
    for (let count = 0; !this.isOver; count += 1) {
      const username = `u${writer}-${count}`;
      const texts = { note: "n".repeat(200), location: "l".repeat(count % 90), organization: `o${count}` };
      const wanted = { username, name: `N ${username}`, email: `${username}@people.example`, ...texts };
      this.ledger.beginUser(wanted);
      const shown = await call<ShownUser>(this.#origin, "POST", "/users", { ...wanted, force_random_password: true });
      this.acknowledged += 1;
      if (!this.isAsked) this.ledger.acknowledgeUser(shown);
    }
  }

  async #commit(project: number): Promise<void> {
    for (let count = 0; !this.isOver; count += 1) {
      const path = `/projects/${project}/repository/files/f${count}`;
      await call(this.#origin, "POST", path, { branch: "main", content: `${count}`, commit_message: `c${count}` });
      const [head] = await call<{ id: string }[]>(this.#origin, "GET", `/projects/${project}/repository/commits`);
      if (!this.isAsked && head !== undefined) this.commitsBefore.push(head.id);
    }
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}

test("a backup under write load, restored elsewhere, has everything that was acknowledged before it", async () => {
  await using folder = await createTempFolder();
  const file = join(folder.path, "load.tar.gz");
  const restored = join(folder.path, "restored");
  await using outpost = await startOutpost({ env });
  const load = new Load(outpost.origin);
  const running = load.run();
  await until(() => load.acknowledged >= usersBefore);
  load.isAsked = true;
  const before = load.acknowledged;
  const made = await runOutpost(["backup", "--data", outpost.dataFolder, "-o", file, "--json"], {
    env: { ...env, OUTPOST_PORT: new URL(outpost.origin).port },
  });
  if (made.exitCode !== 0) throw new Error(made.stderr);
  const told = JSON.parse(made.stdout);
  expect(told).toMatchObject({ file, release: "0.1.0", storages: ["default"] });
  expect(told.journal_position).toBeGreaterThan(usersBefore);
  await until(() => load.acknowledged > before + 20);
  load.isOver = true;
  await running;
  await outpost.stop();
  expect(await readdir(outpost.dataFolder)).not.toContain("backups");

  const verified = await runOutpost(["backup", "--verify", file]);
  expect([verified.exitCode, verified.stdout]).toEqual([0, `${file}\n`]);
  expect(verified.stderr).toMatch(
    /is complete: .* files of .*,\nas of transaction \d+, created by Outpost 0\.1\.0 on /,
  );
  const back = await runOutpost(["restore", file, "--data", restored]);
  expect([back.exitCode, back.stdout]).toEqual([0, `${restored}\n`]);
  const checked = await runOutpost(["check", "--data", restored]);
  expect([checked.exitCode, checked.stdout]).toEqual([0, `${restored} is sound\n`]);

  await using copy = await startOutpost({ env, dataFolder: restored });
  load.ledger.settle(await listUsers(copy.origin), []);
  expect(load.ledger.users.size).toBeGreaterThanOrEqual(usersBefore);
  if (noGit !== undefined) return;
  const clone = join(folder.path, "clone");
  await runGit("clone", "-q", `${copy.origin}/root/kept.git`, clone);
  const commits = await runGit("-C", clone, "log", "--format=%H");
  expect(load.commitsBefore.filter((commit) => !commits.includes(commit))).toEqual([]);
  await runGit("-C", clone, "fsck", "--strict");
  await call(copy.origin, "POST", "/projects/1/repository/files/after", {
    ...{ branch: "main", content: "after", commit_message: "after the restore" },
  });
  await runGit("-C", clone, "pull", "-q");
  expect(await readFile(join(clone, "after"), "utf8")).toBe("after");
}, 180_000);

async function runGit(...args: string[]): Promise<string> {
  const child = Bun.spawn(["git", ...args], { stderr: "pipe" });
  const [text, said] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(" ")}: ${said}`);
  return text;
}

const objects = `@hashed/aa/aa/${"a".repeat(64)}.git/objects/aa`;

/** A stopped store with files that take a while, and its archive. A start would sweep blobs that nobody names. */
async function storeWithObjects(folder: string, sizes: readonly number[]): Promise<{ data: string; file: string }> {
  const data = join(folder, "data");
  const folderOfObjects = join(data, "repositories/default", objects);
  await mkdir(folderOfObjects, { recursive: true });
  const generation = "0001";
  const identity = { store: crypto.randomUUID(), created_at: "2027-01-01T00:00:00.000Z", written_by: "0.1.0" };
  const manifest = { format: 1, ...identity, generation };
  await mkdir(firstGenerationOf(data), { recursive: true });
  await writeFile(join(data, "manifest.json"), JSON.stringify(manifest));
  for (const [at, size] of sizes.entries()) {
    const bytes = Buffer.alloc(size);
    for (let filled = 0; filled < size; filled += 65_536)
      crypto.getRandomValues(bytes.subarray(filled, filled + 65_536));
    await writeFile(join(folderOfObjects, at.toString(16).padStart(38, "0")), bytes);
  }
  const file = join(folder, "objects.tar.gz");
  const { exitCode, stderr } = await runOutpost(["backup", "--data", data, "-o", file]);
  expect([exitCode, /^is written and verified: /m.test(stderr)]).toEqual([0, true]);
  return { data, file };
}

test("a restore that is killed leaves no store, no server starts on it, and the next restore starts again", async () => {
  await using folder = await createTempFolder();
  const { file } = await storeWithObjects(folder.path, new Array(500).fill(2_000));
  const target = join(folder.path, "target");
  for (const staged of [0, 50, 250]) {
    const child = Bun.spawn([executable, "restore", file, "--data", target], { stderr: "ignore", stdout: "ignore" });
    const names = (path: string) => readdir(path).catch((): string[] => []);
    await until(async () => {
      if (child.exitCode !== null) throw new Error("the restore was over before it could be killed");
      const isBegun = (await names(join(target, "generations/0002"))).includes("command");
      const storage = join(target, "repositories/default/generations/0002");
      return isBegun && (await names(join(storage, objects))).length >= staged;
    });
    child.kill("SIGKILL");
    await child.exited;
    const { exitCode, stderr } = await runOutpost(["serve", "--port", "0", "--data", target]);
    expect([exitCode, stderr]).toEqual([
      1,
      `outpost: the restore into ${target} was interrupted; it has no store yet\ntry: outpost restore FILE --data ${target}\n`,
    ]);
  }
  await using outpost = await startOutpost({ env, dataFolder: target, args: ["--restore", file] });
  expect(await readdir(join(target, "generations"))).toEqual(["0002"]);
  const again = await runOutpost(["serve", "--port", "0", "--data", target, "--restore", file]);
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toContain(`data folder ${target} is locked by process ${outpost.pid}`);
  await outpost.stop();
  const held = await runOutpost(["serve", "--port", "0", "--data", target, "--restore", file]);
  expect([held.exitCode, held.stderr]).toEqual([
    1,
    `outpost: ${target} holds a store already, and nothing was changed\ntry: outpost restore FILE --data DIR, with an empty or new folder\n`,
  ]);
}, 180_000);

/** Asks for a backup and stops reading after the first bytes. */
async function askAndStall(origin: string): Promise<Disposable> {
  const { hostname, port } = new URL(origin);
  const begun = Promise.withResolvers<string>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(own, bytes) {
        own.pause();
        begun.resolve(bytes.toString("latin1"));
      },
      error: (_, error) => begun.reject(error),
    },
  });
  socket.write(`POST /-/backup HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${rootToken}\r\nContent-Length: 0\r\n\r\n`);
  expect(await begun.promise).toStartWith("HTTP/1.1 200 OK");
  return { [Symbol.dispose]: () => socket.terminate() };
}

test("a server that ends in the middle of a backup leaves nothing of it in its folder", async () => {
  await using folder = await createTempFolder();
  const { data } = await storeWithObjects(folder.path, [48 << 20]);
  const snapshots = () => readdir(join(firstGenerationOf(data), "snapshots")).catch((): string[] => []);
  {
    await using outpost = await startOutpost({ env, dataFolder: data });
    using _ = await askAndStall(outpost.origin);
    expect(await snapshots()).toEqual(["1"]);
    await outpost.kill();
    expect(await snapshots()).toEqual(["1"]);
  }
  {
    await using outpost = await startOutpost({ env, dataFolder: data });
    expect(await snapshots()).toEqual([]);
    using _ = await askAndStall(outpost.origin);
    expect((await outpost.stop()).exitCode).toBe(0);
    expect(await snapshots()).toEqual([]);
  }
  await using outpost = await startOutpost({ env, dataFolder: data });
  {
    using _ = await askAndStall(outpost.origin);
    expect(await snapshots()).toEqual(["1"]);
    const asked = ["backup", "-o", join(folder.path, "x.tar.gz"), "--url", outpost.origin, "--token", rootToken];
    const { exitCode, stderr } = await runOutpost(asked);
    expect([exitCode, stderr]).toEqual([
      4,
      `outpost: the server at ${outpost.origin} is already creating a backup\ntry: outpost backup, once that backup is complete\n`,
    ]);
  }
  // A client that hangs up ends it, too.
  await until(async () => (await snapshots()).length === 0);
}, 180_000);

describe("an error", () => {
  test("of a command has its cause and a hint", async () => {
    await using folder = await createTempFolder();
    const { data, file } = await storeWithObjects(folder.path, [40_000]);
    const bytes = await readFile(file);
    const flipped = Uint8Array.from(bytes);
    flipped[20_000] = (flipped[20_000] as number) ^ 4;
    const tar = pack();
    tar.entry(
      { name: "outpost-backup.json" },
      JSON.stringify({ outpost_backup: 1, store_format: 1, journal_position: 0, storages: [] }),
    );
    tar.entry({ name: "../../.ssh/authorized_keys" }, "key");
    tar.finalize();
    const hostile: Uint8Array[] = [];
    for await (const piece of tar) hostile.push(piece);
    const archives = {
      flipped: [flipped, /^outpost: the archive is damaged: |does not have its hash\n/],
      cut: [
        bytes.subarray(0, 30_000),
        /^outpost: the archive cannot be used: it is cut off, its end is missing\ntry: /,
      ],
      hostile: [
        gzipSync(Buffer.concat(hostile)),
        /it has a file "\.\.\/\.\.\/\.ssh\/authorized_keys", which no backup has\ntry: /,
      ],
      other: ["a letter", /it is no backup of Outpost/],
    } as const;
    for (const [name, [content, words]] of Object.entries(archives)) {
      const path = join(folder.path, name);
      await writeFile(path, content);
      const target = join(folder.path, "target");
      for (const args of [
        ["backup", "--verify", path],
        ["restore", path, "--data", target],
      ]) {
        const { exitCode, stdout, stderr } = await runOutpost(args);
        expect([name, exitCode, stdout]).toEqual([name, 3, ""]);
        expect(stderr).toMatch(words);
        expect(stderr.trimEnd().split("\n")).toHaveLength(2);
      }
      expect(await readdir(folder.path)).not.toContain("target");
    }
    const later = pack();
    later.entry({ name: "outpost-backup.json" }, JSON.stringify({ outpost_backup: 99, release: "\x1b[2J9" }));
    later.finalize();
    const pieces: Uint8Array[] = [];
    for await (const piece of later) pieces.push(piece);
    const steering = join(folder.path, "steering");
    await writeFile(steering, gzipSync(Buffer.concat(pieces)));
    const { stderr } = await runOutpost(["restore", steering, "--data", join(folder.path, "target")]);
    expect(stderr).toContain("of another executable: \\u001b[2J9 or newer");
    const twice = await runOutpost(["backup", "--data", data, "-o", file]);
    expect([twice.exitCode, twice.stderr]).toEqual([
      2,
      `outpost: ${file} exists already\ntry: outpost backup -o FILE, with another name\n`,
    ]);
    const none = await runOutpost(["backup", "--data", join(folder.path, "none")]);
    expect(none.stderr).toBe(`outpost: ${join(folder.path, "none")} holds no store\ntry: outpost backup --data DIR\n`);
    const missing = await runOutpost(["restore", join(folder.path, "none.tar.gz"), "--data", join(folder.path, "t")]);
    expect(missing.stderr).toMatch(
      /^outpost: .*none\.tar\.gz cannot be used: ENOENT.*\ntry: ls -l \S+none\.tar\.gz\n$/,
    );
  });

  test("of the server has its status, and a missing answer is reported as well", async () => {
    await using folder = await createTempFolder();
    await using outpost = await startOutpost({ env });
    const asked = ["backup", "-o", join(folder.path, "x.tar.gz"), "--url", outpost.origin];
    const { exitCode, stderr } = await runOutpost([...asked, "--token", "wrong-token-wrong-token"]);
    expect([exitCode, stderr]).toEqual([
      4,
      `outpost: the server at ${outpost.origin} answered 401 Unauthorized\ntry: outpost backup --token TOKEN, of an administrator and with the scope api\n`,
    ]);
    await outpost.stop();
    const silent = await runOutpost([...asked, "--token", rootToken]);
    expect(silent.stderr).toStartWith(`outpost: no answer from ${outpost.origin}: `);
    expect(await readdir(folder.path)).toEqual([]);
  });

  test("a pipe gets the archive itself", async () => {
    await using folder = await createTempFolder();
    const { data } = await storeWithObjects(folder.path, [5_000]);
    const path = join(folder.path, "piped.tar.gz");
    const child = Bun.spawn([executable, "backup", "--data", data, "-o", "-"], {
      stdout: Bun.file(path),
      stderr: "pipe",
    });
    expect(await child.exited).toBe(0);
    expect((await runOutpost(["backup", "--verify", path])).exitCode).toBe(0);
  });
});
