// The limits of durable writes: each POST becomes one document, and the answer follows when it is on disk. Arguments:
// `sqlite` or `journal`, and a folder. `journal` is a group commit with nothing around it: one file, one sync at a time.
import { Database } from "bun:sqlite";
import { closeSync, fdatasync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

type Save = (document: { readonly id: number }) => Promise<void> | undefined;

const [engine, folder] = process.argv.slice(2) as ["sqlite" | "journal", string];
const preallocatedBytes = 1 << 30;

function sqlite(): Save {
  const database = new Database(join(folder, "peer.sqlite"), { create: true, strict: true });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  database.exec("CREATE TABLE documents (id INTEGER PRIMARY KEY, document TEXT NOT NULL)");
  const insert = database.prepare("INSERT INTO documents (id, document) VALUES (?, ?)");
  return (document) => {
    insert.run(document.id, JSON.stringify(document));
    return undefined;
  };
}

/** A sync begins one turn of the event loop after the first line of its group; the next waits for it. */
function journal(): Save {
  const syncData = promisify(fdatasync);
  const path = join(folder, "journal");
  const file = openSync(path, "w");
  const zeros = new Uint8Array(1 << 20);
  for (let written = 0; written < preallocatedBytes; written += zeros.length) writeSync(file, zeros);
  fdatasyncSync(file);
  process.once("exit", () => closeSync(file));
  let position = 0;
  let lines: string[] = [];
  let group: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  const flush = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    await syncing;
    const bytes = Buffer.from(lines.join(""));
    lines = [];
    group = undefined;
    writeSync(file, bytes, 0, bytes.length, position);
    position += bytes.length;
    syncing = syncData(file);
    await syncing;
  };
  return (document) => {
    lines.push(`${JSON.stringify(document)}\n`);
    group ??= flush();
    return group;
  };
}

const save = engine === "sqlite" ? sqlite() : journal();
let lastId = 0;

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const given = (await request.json()) as object;
    lastId += 1;
    const now = new Date().toISOString();
    const document = { ...given, id: lastId, token: Bun.randomUUIDv7(), created_at: now, updated_at: now };
    await save(document);
    return Response.json(document, { status: 201 });
  },
});
console.log(`listening on ${server.url.origin}`);
