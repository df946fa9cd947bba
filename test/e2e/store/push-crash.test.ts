import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { depth } from "../../support/checks/depth.ts";
import { createRandom, type Random } from "../../support/checks/random.ts";
import { ask, foldersIn, isOver, listMoves } from "../../support/fixtures/moving-repositories.ts";
import { runGit } from "../../support/git/stock-git.ts";
import { knownCredentials, rootToken, until } from "../../support/process/fault-client.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const rounds = 12 * depth;
const clients = 3;
/** Projects are left after so many rounds, before their histories become long. */
const roundsOfProject = 24;
const delayMsMax = 150;
/** A repository with more packs is repacked. */
const packsMax = 20;
const branches = ["main", "side"] as const;
const kinds = ["push", "repack", "move"] as const;
type Kind = (typeof kinds)[number];

const folder = await createTempFolder();
const storages = ["one", "two"].map((name) => ({ name, path: join(folder.path, name) }));
const missing = await installTool(["git", "--version"], "git");
afterAll(() => folder.remove());

let projectCount = 0;

/** One project, and the only one who pushes to it. */
class Pusher {
  readonly id: number;
  readonly #work: string;
  readonly #path: string;
  readonly #random: Random;
  /** By branch, what the server said it has, and what it may have taken without saying so. */
  readonly #acknowledged = new Map<string, string>();
  readonly attempted = new Map<string, string>();
  acknowledgedCount = 0;
  #commits = 0;

  constructor(random: Random, id: number, path: string) {
    this.id = id;
    this.#random = random;
    this.#path = path;
    this.#work = join(folder.path, `work-${id}`);
    runGit(folder.path, ["init", "-q", "-b", "main", this.#work]);
  }

  static async create(random: Random, origin: string): Promise<Pusher> {
    projectCount += 1;
    const { status, body } = await ask(origin, "POST", "/projects", { path: `crash${projectCount}` });
    expect(status).toBe(201);
    return new Pusher(random, body.id, body.path_with_namespace);
  }

  /** Pushes one commit after the other until the server is gone. */
  async run(origin: string, isEnded: () => boolean): Promise<void> {
    while (!isEnded()) {
      const pushed = branches.filter(() => this.#random.fraction() < 0.7);
      if (pushed.length === 0) continue;
      const oid = await this.#commit();
      for (const branch of pushed) this.attempted.set(branch, oid);
      const said = await this.#push(origin, pushed, oid);
      // A server that is gone, or moves the repository, is one thing; a refusal would be a defect.
      if (/rejected|unpack failed|fatal: the server/.test(said) && !said.includes("read-only")) throw new Error(said);
      if (said !== "") {
        if (!said.includes("read-only")) return;
        await until("the end of a move", () => isEnded() || this.#isMoved(origin));
        continue;
      }
      for (const branch of pushed) {
        this.attempted.delete(branch);
        this.#acknowledged.set(branch, oid);
      }
      this.acknowledgedCount += 1;
    }
  }

  async #isMoved(origin: string): Promise<boolean> {
    try {
      return (await listMoves(origin)).every(isOver);
    } catch {
      return true; // The server is gone.
    }
  }

  /** What git says: nothing when the push is taken. */
  async #push(origin: string, pushed: readonly string[], oid: string): Promise<string> {
    const refs = pushed.map((branch) => `+${oid}:refs/heads/${branch}`);
    const address = `${origin.replace("://", `://x:${rootToken}@`)}/${this.#path}.git`;
    const environment = { ...process.env, HOME: "/nonexistent", GIT_TERMINAL_PROMPT: "0" };
    const command = ["git", "-C", this.#work, "push", "-q", address, ...refs];
    const child = Bun.spawn(command, { env: environment, stdout: "ignore", stderr: "pipe" });
    const said = await child.stderr.text();
    return (await child.exited) === 0 ? "" : said || "no word";
  }

  /** Every now and then with a file that is large enough to be written in many pieces. */
  async #commit(): Promise<string> {
    this.#commits += 1;
    const isLarge = this.#random.fraction() < 0.2;
    const bytes = isLarge ? crypto.getRandomValues(new Uint8Array(65_536)) : Buffer.from(`change ${this.#commits}\n`);
    const file = Bun.file(join(this.#work, `f${this.#commits % 9}.bin`));
    await Bun.write(file, isLarge ? Buffer.concat(Array.from({ length: 10 }, () => bytes)) : bytes);
    runGit(this.#work, ["add", "-A"]);
    runGit(this.#work, ["commit", "-q", "-m", `change ${this.#commits}`]);
    return runGit(this.#work, ["rev-parse", "HEAD"]).trim();
  }

  /** What the server shows now is what it acknowledged, or what it was sent after that. */
  async check(origin: string): Promise<void> {
    const { body } = await ask(origin, "GET", `/projects/${this.id}/repository/branches`);
    const found = body as { name: string; commit: { id: string } }[];
    for (const branch of branches) {
      const oid = found.find(({ name }) => name === branch)?.commit.id;
      const allowed = [this.#acknowledged.get(branch), this.attempted.get(branch)];
      expect({ branch, oid, allowed, isAllowed: allowed.includes(oid) }).toMatchObject({ isAllowed: true });
      if (oid !== undefined) this.#acknowledged.set(branch, oid);
      this.attempted.delete(branch);
    }
  }

  async move(origin: string): Promise<void> {
    const { body } = await ask(origin, "GET", `/projects/${this.id}/storage`);
    const json = { destination_storage_name: body.repository_storage === "default" ? "storage2" : "default" };
    const asked = await ask(origin, "POST", `/projects/${this.id}/repository_storage_moves`, json);
    expect(asked.status).toBe(201);
  }
}

function namesIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}

/** Paths of all repositories, by the name that is the same on each storage. */
async function repositories(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { path } of storages) {
    for (const name of (await foldersIn(path).catch(() => [])).filter((each) => each.endsWith(".git"))) {
      found.set(basename(name), [...(found.get(basename(name)) ?? []), join(path, name)]);
    }
  }
  return found;
}

async function hasManyPacks(): Promise<boolean> {
  const paths = [...(await repositories()).values()].flat();
  return paths.some(
    (path) => namesIn(`${path}/objects/pack`).filter((name) => name.endsWith(".idx")).length > packsMax,
  );
}

function isSound(path: string): boolean {
  try {
    return !/missing|broken|error/.test(runGit(path, ["fsck", "--full", "--strict", "--no-dangling"]));
  } catch (error) {
    console.log(path, error);
    return false;
  }
}

/** Looks at the disk as the kill left it: a repository has one whole folder, and a second one only while it is moved. */
async function checkDisk(wasMoving: boolean): Promise<void> {
  for (const paths of (await repositories()).values()) {
    const sound = paths.filter(isSound);
    if (wasMoving) expect(sound).not.toEqual([]);
    else expect({ paths, sound }).toEqual({ paths: [sound[0] ?? "none"], sound });
  }
}

interface Killed {
  readonly pushed: boolean;
  readonly repacked: boolean;
  readonly acknowledged: number;
}

/** Kills the server within moments after pushes, the need of a repack, or the begin of a move. */
async function killUnderLoad(
  outpost: OutpostProcess,
  pushers: readonly Pusher[],
  random: Random,
  kind: Kind,
): Promise<Killed> {
  const counted = () => pushers.reduce((sum, { acknowledgedCount }) => sum + acknowledgedCount, 0);
  const before = counted();
  const wanted = before + random.integer(0, 8);
  let isEnded = false;
  const running = Promise.all(pushers.map((pusher) => pusher.run(outpost.origin, () => isEnded)));
  running.catch(() => {
    isEnded = true;
  });
  const isReady = async () => isEnded || (kind === "repack" ? await hasManyPacks() : counted() >= wanted);
  while (!(await isReady())) await Bun.sleep(1);
  if (kind === "move") await pushers[random.integer(0, clients - 1)]?.move(outpost.origin);
  await Bun.sleep(random.fraction() * delayMsMax);
  await outpost.kill();
  const pushed = pushers.some(({ attempted }) => attempted.size > 0);
  isEnded = true;
  await running;
  return { pushed, repacked: await hasManyPacks(), acknowledged: counted() - before };
}

function startServer(): Promise<OutpostProcess> {
  const args = ["--log-level", "warn", "--repository-storages"];
  args.push(`default=${storages[0]?.path},storage2=${storages[1]?.path}`);
  return startOutpost({ env: knownCredentials, dataFolder: join(folder.path, "data"), args });
}

describe.skipIf(missing !== undefined)("a server that is killed while it takes pushes, repacks and moves", () => {
  test(
    `has every push that it acknowledged, in sound repositories, ${rounds} times over`,
    async () => {
      const random = createRandom();
      const hits = { push: 0, repack: 0, move: 0 };
      let pushers: Pusher[] = [];
      let pushes = 0;
      for (let round = 0; round <= rounds; round += 1) {
        const incoming = () => storages.flatMap(({ path }) => namesIn(join(path, "@incoming")));
        const left = incoming();
        await using outpost = await startServer();
        expect(incoming().filter((name) => left.includes(name))).toEqual([]);
        const moves = await listMoves(outpost.origin);
        if (!moves.every(isOver)) hits.move += 1;
        await until("the end of all moves", async () => (await listMoves(outpost.origin)).every(isOver));
        expect((await listMoves(outpost.origin)).filter(({ state }) => state !== "finished")).toEqual([]);
        for (const pusher of pushers) await pusher.check(outpost.origin);
        if (round % roundsOfProject === 0) {
          for (const { id } of pushers) await ask(outpost.origin, "DELETE", `/projects/${id}`);
          pushers = await Promise.all(Array.from({ length: clients }, () => Pusher.create(random, outpost.origin)));
        }
        if (round === rounds) break;
        const kind = kinds[round % kinds.length] as Kind;
        const { pushed, repacked, acknowledged } = await killUnderLoad(outpost, pushers, random, kind);
        if (pushed) hits.push += 1;
        if (repacked) hits.repack += 1;
        pushes += acknowledged;
        await checkDisk(kind === "move");
      }
      console.log(`seed ${random.seed}: ${rounds} kills, ${pushes} acknowledged pushes; cut off:`, hits);
      expect(Object.values(hits).every((count) => count > 0)).toBe(true);
    },
    { timeout: 1_800_000 },
  );
});
