// Writers beside each other on one engine, without HTTP. Arguments: engine, writers, seconds, folder. Prints JSON.
import * as fs from "node:fs";
import { join } from "node:path";
import type { Caller } from "../../../src/domain/caller.ts";
import { systemClock } from "../../../src/domain/clock.ts";
import { toDateTime } from "../../../src/lib/datetime.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { recordAuditEvent } from "../../../src/modules/core/audit-events/index.ts";
import { insertPersonalNamespace } from "../../../src/modules/core/namespaces/index.ts";
import { userDefaults } from "../../../src/modules/core/users/index.ts";
import { type UserRecord, users } from "../../../src/modules/core/users/records.ts";
import { collections } from "../../../src/modules/index.ts";
import type { Context } from "../../../src/modules/kernel/context.ts";
import { Store, type Transaction } from "../../../src/store/index.ts";
import { SqliteStore } from "./peers/sqlite-store.ts";

/** One durable write; resolves, or returns, when it is on disk. */
type Write = (number: number) => Promise<void> | undefined;

const warmUpMs = 500;

/** All that an audit event looks at. */
const context = { clock: systemClock } as Context;
const root = {
  user: { id: 1, username: "root", name: "Administrator", email: "root@outpost.test", is_admin: true },
  token: undefined,
  ipAddress: "127.0.0.1",
} as unknown as Caller;

/** Writes the records of `POST /users`: the user, the personal namespace, the audit event. */
function insertUser(tx: Transaction, number: number): void {
  const now = toDateTime(context.clock.now());
  const [username, name, email] = [`person${number}`, `Person ${number}`, `person${number}@example.test`];
  const id = tx.nextId("users");
  const namespace = insertPersonalNamespace(tx, { id, name, username });
  const user: UserRecord = {
    ...userDefaults(now),
    id,
    email,
    name,
    username,
    namespace_id: namespace.id,
    created_by_id: 1,
  };
  tx.insert(users, user);
  recordAuditEvent(tx, context, root, {
    event: "user_created",
    entity: { type: "User", id, path: username },
    target: { type: "User", id, details: name },
    act: { add: "user", custom_message: `User ${username} created` },
  });
}

/** The limit: as many bytes as a transaction has, and a sync, again and again. */
function openLimit(folder: string): Write {
  const size = 64 << 20;
  const fd = fs.openSync(join(folder, "limit"), "w+");
  fs.writeSync(fd, new Uint8Array(size), 0, size, 0);
  fs.fdatasyncSync(fd);
  const line = new Uint8Array(2048).fill(120);
  return (number) => {
    fs.writeSync(fd, line, 0, line.byteLength, (number * line.byteLength) % size);
    fs.fdatasyncSync(fd);
    return undefined;
  };
}

async function open(engine: string, folder: string): Promise<Write> {
  if (engine === "limit") return openLimit(folder);
  if (engine === "sqlite") {
    const store = new SqliteStore(folder, collections);
    return (number) => store.transact((tx) => insertUser(tx, number)) as undefined;
  }
  const store = await Store.open({
    folder,
    collections,
    clock: systemClock,
    randomness: systemRandomness,
    log: silentLog,
    onDiskFailure: (error) => {
      throw error;
    },
  });
  return (number) => {
    store.transact((tx) => insertUser(tx, number));
    return store.settled();
  };
}

const [engine, writers, seconds, folder] = process.argv.slice(2) as [string, string, string, string];
const write = await open(engine, folder);
const latencies: number[] = [];
let number = 0;
let from = Number.POSITIVE_INFINITY;
let until = Number.POSITIVE_INFINITY;

async function keepWriting(): Promise<void> {
  while (true) {
    const started = performance.now();
    if (started >= until) return;
    const done = write(number++);
    // An engine that holds the thread lets the others in after every write.
    await (done ?? Promise.resolve());
    if (started >= from) latencies.push(performance.now() - started);
  }
}

from = performance.now() + warmUpMs;
until = from + Number(seconds) * 1000;
await Promise.all(Array.from({ length: Number(writers) }, keepWriting));
latencies.sort((one, other) => one - other);
const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
console.log(JSON.stringify({ rate: latencies.length / Number(seconds), p50Ms: at(0.5), p99Ms: at(0.99) }));
process.exit(0);
