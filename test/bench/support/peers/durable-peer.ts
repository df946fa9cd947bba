// The limits of durable writes: each POST becomes one document, and the answer follows when it is on disk. Arguments:
// `sqlite` or `journal`, and a folder.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { openJournal, type Save } from "./journal.ts";

const [engine, folder] = process.argv.slice(2) as ["sqlite" | "journal", string];

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

const save = engine === "sqlite" ? sqlite() : openJournal(folder);
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
