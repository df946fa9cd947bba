import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/domain/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { auditEvents } from "../../../src/modules/core/audit-events/records.ts";
import { namespaces } from "../../../src/modules/groups-and-projects/namespaces-api/records.ts";
import { collections } from "../../../src/modules/index.ts";
import { Store } from "../../../src/store/index.ts";
import { depth } from "../../support/checks/depth.ts";
import { createRandom, type Random } from "../../support/checks/random.ts";
import { CrashLedger, type ShownToken, type ShownUser } from "../../support/disk/crash-ledger.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse battery" };
const rounds = 14 * depth;
/** From here on the server is told to stop before it is killed, in every other round. */
const firstStopping = 9;
const writers = 16;
const writesOfRoundMax = 1_200;
/** Enough for the journal to pass 32 MB, so that documents are written back while the writers go on. */
const textMax = 240;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Undefined when the connection broke before the whole answer was there. */
async function call(origin: string, method: string, path: string, body?: object): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`${origin}/api/v4${path}`, {
      method,
      headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Everything on the pages of a list, one after the other. */
async function listAll<T>(origin: string, path: string): Promise<T[]> {
  const all: T[] = [];
  let next: string | undefined = `${origin}/api/v4${path}`;
  while (next !== undefined) {
    const answer: Response = await fetch(next, { headers: { "PRIVATE-TOKEN": rootToken } });
    if (!answer.ok) throw new Error(`GET ${next} was answered ${answer.status}: ${await answer.text()}`);
    all.push(...((await answer.json()) as T[]));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
  }
  return all;
}

/** One round of writes, until the server is gone. `answered` counts what was acknowledged. */
class Load {
  answered = 0;
  readonly #origin: string;
  readonly #ledger: CrashLedger;
  readonly #random: Random;
  readonly #round: number;
  readonly #revocable: number[] = [];
  #count = 0;

  constructor(origin: string, ledger: CrashLedger, random: Random, round: number) {
    this.#origin = origin;
    this.#ledger = ledger;
    this.#random = random;
    this.#round = round;
  }

  async run(): Promise<void> {
    const loops = Array.from({ length: writers }, () => this.#write());
    await Promise.all([...loops, this.#look()]);
  }

  async #write(): Promise<void> {
    while (true) {
      const userId = await this.#createUser();
      if (userId === undefined) return;
      if (this.#random.fraction() < 0.4 && !(await this.#createToken(userId))) return;
      if (this.#random.fraction() < 0.1 && !(await this.#revokeToken())) return;
    }
  }

  async #createUser(): Promise<number | undefined> {
    const username = `u${this.#round}-${this.#count++}`;
    const wanted = {
      username,
      name: `N${this.#random.text(this.#random.integer(0, 60))}.`,
      email: `${username}@example.test`,
      note: this.#text(),
      location: this.#text(),
      organization: this.#text(),
    };
    this.#ledger.beginUser(wanted);
    const answer = await call(this.#origin, "POST", "/users", { ...wanted, force_random_password: true });
    if (!this.#isDone(answer, 201)) {
      if (answer !== undefined) this.#ledger.refuseUser(username);
      return undefined;
    }
    const shown = answer.body as ShownUser;
    this.#ledger.acknowledgeUser(shown);
    return shown.id;
  }

  #text(): string {
    return this.#random.text(this.#random.integer(1, textMax)).repeat(2);
  }

  async #createToken(userId: number): Promise<boolean> {
    const name = `t${this.#round}-${this.#count++}`;
    this.#ledger.beginToken({ user_id: userId, name });
    const path = `/users/${userId}/personal_access_tokens`;
    const answer = await call(this.#origin, "POST", path, { name, scopes: ["api"] });
    if (!this.#isDone(answer, 201)) {
      if (answer !== undefined) this.#ledger.refuseToken(name);
      return false;
    }
    const shown = answer.body as ShownToken & { token: string };
    this.#ledger.acknowledgeToken(shown, shown.token);
    this.#revocable.push(shown.id);
    return true;
  }

  async #revokeToken(): Promise<boolean> {
    const id = this.#revocable.pop();
    if (id === undefined) return true;
    this.#ledger.beginRevocation(id);
    const answer = await call(this.#origin, "DELETE", `/personal_access_tokens/${id}`);
    if (!this.#isDone(answer, 204)) {
      if (answer !== undefined) this.#ledger.refuseRevocation(id);
      return false;
    }
    this.#ledger.acknowledgeRevocation(id);
    return true;
  }

  /** A reader beside the writers: what it is shown must not be lost either. */
  async #look(): Promise<void> {
    while (true) {
      const answer = await call(this.#origin, "GET", "/users?per_page=40");
      if (answer?.status !== 200) return;
      for (const { id, username } of answer.body as ShownUser[]) {
        if (username !== "root") this.#ledger.seeUser(id, username);
      }
    }
  }

  /** 503 is how a server that stops says that nothing was done; anything else but success is a defect. */
  #isDone(answer: Answer | undefined, status: number): answer is Answer {
    if (answer === undefined || answer.status === 503) return false;
    if (answer.status !== status) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    this.answered += 1;
    return true;
  }
}

/**
 * Ends the server at a random instant of its work. In some rounds it is told to stop first, so that it dies while it
 * writes its documents back.
 */
async function killUnderLoad(outpost: OutpostProcess, load: Load, random: Random, isStopping: boolean): Promise<void> {
  const wanted = random.integer(1, writesOfRoundMax);
  const delayMs = random.fraction() * (isStopping ? 80 : 2);
  const running = load.run();
  let hasEnded = false;
  const over = running.finally(() => {
    hasEnded = true;
  });
  over.catch(() => undefined);
  while (load.answered < wanted && !hasEnded) await Bun.sleep(1);
  if (isStopping) outpost.send("SIGTERM");
  await Bun.sleep(delayMs);
  await outpost.kill();
  await over;
}

/** Every user has what was made together with it, and every act its audit event, once. */
async function checkWholeness(folder: string, ledger: CrashLedger): Promise<void> {
  const lock = () => ({ release() {} });
  const dependencies = { clock: systemClock, randomness: systemRandomness, log: silentLog, lock };
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  const store = await Store.open({ folder, collections, ...dependencies, onDiskFailure });
  const owned = store.of(namespaces);
  for (const { id, username, namespace_id } of ledger.users.values()) {
    expect(owned.get(namespace_id)).toMatchObject({ kind: "user", owner_id: id, path: username });
  }
  expect(owned.size).toBe(ledger.users.size + 1);
  const events = store.logOf(auditEvents);
  const found = new Map<string, number>();
  for (let id = 1; id <= events.size; id += 1) {
    const event = events.get(id);
    const key = `${event?.event_name} ${event?.details.target_id}`;
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  const expected = new Map([
    ["user_created 1", 1],
    ["personal_access_token_created 1", 1],
  ]);
  for (const id of ledger.users.keys()) expected.set(`user_created ${id}`, 1);
  for (const { id, revoked } of ledger.tokens.values()) {
    expected.set(`personal_access_token_created ${id}`, 1);
    if (revoked) expected.set(`personal_access_token_revoked ${id}`, 1);
  }
  const differing = [...new Set([...expected.keys(), ...found.keys()])].filter((k) => expected.get(k) !== found.get(k));
  expect(differing).toEqual([]);
  await store.close();
}

/** A token that works shows that its digest and its owner came back together. */
async function checkTokensWork(origin: string, ledger: CrashLedger, random: Random): Promise<void> {
  const known = [...ledger.tokens.values()].filter(({ text }) => text !== undefined);
  const newest = known.slice(-60);
  const others = Array.from({ length: 30 }, () => known[random.integer(0, known.length - 1)]);
  for (const token of [...newest, ...others]) {
    if (token?.text === undefined) continue;
    const answer = await fetch(`${origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": token.text } });
    const body = (await answer.json()) as { id?: number; error?: string };
    if (token.revoked) expect(body).toMatchObject({ error: "invalid_token" });
    else expect(body.id).toBe(token.user_id);
  }
}

async function checkAll(origin: string, ledger: CrashLedger, random: Random): Promise<void> {
  const [users, tokens] = await Promise.all([
    listAll<ShownUser>(origin, "/users?pagination=keyset&order_by=id&sort=asc&per_page=100"),
    listAll<ShownToken>(origin, "/personal_access_tokens?per_page=100"),
  ]);
  ledger.settle(
    users.filter(({ id }) => id !== 1),
    tokens.filter(({ id }) => id !== 1),
  );
  await checkTokensWork(origin, ledger, random);
}

/** Whether a kill came in the middle of writing documents back, and how far the journal has moved on. */
async function traces(folder: string): Promise<{ halfWritten: number; firstJournal: number; lastJournal: number }> {
  const files = await readdir(folder, { recursive: true });
  const journals = (await readdir(join(folder, "generations/0001/journal")))
    .filter((name) => /^\d+\.log$/.test(name))
    .sort();
  return {
    halfWritten: files.filter((name) => name.endsWith(".tmp")).length,
    firstJournal: Number.parseInt(journals[0] ?? "", 10),
    lastJournal: Number.parseInt(journals.at(-1) ?? "", 10),
  };
}

describe("a server that is killed while it works", () => {
  test(`has everything it acknowledged, nothing partial and no id twice, ${rounds} times over`, async () => {
    const random = createRandom();
    const ledger = new CrashLedger();
    const folder = await createTempFolder();
    const data = join(folder.path, "data");
    let [round, halfWritten, written] = [0, 0, 0];
    try {
      for (round = 1; round <= rounds; round += 1) {
        await using outpost = await startOutpost({ env, dataFolder: data, args: ["--log-level", "warn"] });
        await checkAll(outpost.origin, ledger, random);
        const load = new Load(outpost.origin, ledger, random, round);
        await killUnderLoad(outpost, load, random, round >= firstStopping && round % 2 === 0);
        written += load.answered;
        halfWritten += (await traces(data)).halfWritten;
      }
      const last = await startOutpost({ env, dataFolder: data });
      await checkAll(last.origin, ledger, random);
      await last.kill();
      const { firstJournal, lastJournal } = await traces(data);
      await checkWholeness(data, ledger);
      // Closing the store wrote the documents of all rounds back, and the journal before them went.
      expect((await traces(data)).firstJournal).toBeGreaterThan(1);
      console.log(
        `${rounds} kills, ${written} acknowledged writes, ${ledger.users.size} users, ${ledger.tokens.size} tokens; ` +
          `journal files ${firstJournal} to ${lastJournal}, ${halfWritten} kills met a half-written segment`,
      );
      const after = await startOutpost({ env, dataFolder: data });
      await checkAll(after.origin, ledger, random);
      await after.stop();
    } catch (error) {
      throw new Error(`round ${round}, TEST_SEED=${random.seed}, the data folder is left in ${data}`, { cause: error });
    }
    await folder.remove();
  }, 600_000);
});
