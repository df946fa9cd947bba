import { Database, type Statement } from "bun:sqlite";
import { join } from "node:path";
import type { AnyCollectionDeclaration, StoredDocument, Transaction } from "../../../../src/store/index.ts";

type Binding = string | number | null;

/** A column that holds the key of one index. */
interface KeyColumn {
  readonly name: string;
  readonly isUnique: boolean;
  readonly keyOf: (document: never) => Binding;
}

interface Table {
  readonly documents: Map<number, StoredDocument>;
  readonly columns: readonly KeyColumn[];
  readonly put: Statement;
  readonly remove: Statement;
  readonly by: Readonly<Record<string, { find(key: Binding): unknown }>>;
  lastId: number;
}

/**
 * The store's part of a server with SQLite in place of the journal: the same documents as JSON text, WAL with
 * `synchronous=FULL`, one transaction a change. Every collection is a table with an index for each unique, ordered
 * and multi one; those of few values and of text are left out, in favour of SQLite. Documents are kept in memory as
 * well, so that reads by id cost it nothing.
 */
export class SqliteStore {
  readonly #database: Database;
  readonly #tables = new Map<string, Table>();

  constructor(folder: string, collections: readonly AnyCollectionDeclaration[]) {
    this.#database = new Database(join(folder, "bench.sqlite"), { create: true, strict: true });
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    for (const declared of collections) this.#tables.set(declared.name, createTable(this.#database, declared));
  }

  of(declared: AnyCollectionDeclaration) {
    const { documents, by } = this.#table(declared);
    return { size: documents.size, get: (id: number) => documents.get(id), by };
  }

  /** The bench has no groups, so nothing that is kept can go out of date. */
  watch(): void {}

  transact<R>(change: (transaction: Transaction) => R): R {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = change(this.#transaction as unknown as Transaction);
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** A stamp such as when a token was last used: in memory alone, in favour of SQLite. */
  touch(declared: AnyCollectionDeclaration, document: StoredDocument): void {
    this.#table(declared).documents.set(document.id, document);
  }

  /** A commit has synced already. */
  settled(): undefined {
    return undefined;
  }

  close(): void {
    this.#database.close();
  }

  readonly #transaction = {
    /** Numbers of the sequence of a collection of that name; tables are declared AUTOINCREMENT. */
    nextId: (sequence: string): number => {
      const table = this.#tables.get(sequence.replaceAll("_", "-"));
      if (table === undefined) throw new Error(`no table for ${sequence}`);
      table.lastId += 1;
      return table.lastId;
    },
    insert: <T extends StoredDocument>(declared: AnyCollectionDeclaration, document: T): T => {
      const { documents, columns, put } = this.#table(declared);
      put.run(document.id, JSON.stringify(document), ...columns.map(({ keyOf }) => keyOf(document as never)));
      documents.set(document.id, document);
      return document;
    },
    append: <T extends StoredDocument>(declared: AnyCollectionDeclaration, document: T): T =>
      this.#transaction.insert(declared, document),
    update: <T extends StoredDocument>(declared: AnyCollectionDeclaration, document: T): T =>
      this.#transaction.insert(declared, document),
    remove: (declared: AnyCollectionDeclaration, id: number): void => {
      const { documents, remove } = this.#table(declared);
      remove.run(id);
      documents.delete(id);
    },
  };

  #table(declared: AnyCollectionDeclaration): Table {
    return this.#tables.get(declared.name) as Table;
  }
}

function createTable(database: Database, declared: AnyCollectionDeclaration): Table {
  const table = `"${declared.name}"`;
  const keys = declared.kind === "log" ? keysOfLog(declared) : keysOfIndexes(declared);
  const names = ["id", "document", ...keys.map(({ name }) => `"key_${name}"`)];
  database.exec(
    `CREATE TABLE ${table} (${["id INTEGER PRIMARY KEY AUTOINCREMENT", "document TEXT NOT NULL", ...names.slice(2)].join()})`,
  );
  for (const { name, isUnique } of keys) {
    const column = `"key_${name}"`;
    const kind = isUnique ? "UNIQUE INDEX" : "INDEX";
    database.exec(`CREATE ${kind} "${declared.name}_${name}" ON ${table} (${column}) WHERE ${column} IS NOT NULL`);
  }
  return {
    documents: new Map(),
    columns: keys,
    put: database.prepare(`INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`),
    remove: database.prepare(`DELETE FROM ${table} WHERE id = ?`),
    by: Object.fromEntries(keys.map((key) => [key.name, finder(database, table, key)])),
    lastId: 0,
  };
}

function keysOfLog({ timeOf, keysOf }: Extract<AnyCollectionDeclaration, { kind: "log" }>): KeyColumn[] {
  return [
    { name: "time", isUnique: false, keyOf: timeOf },
    ...[0, 1].map((place) => ({
      name: String(place),
      isUnique: false,
      keyOf: (document: never) => keysOf(document)[place] ?? null,
    })),
  ];
}

function keysOfIndexes({ indexes }: Extract<AnyCollectionDeclaration, { kind: "hot" }>): KeyColumn[] {
  return Object.entries(indexes).flatMap(([name, index]): KeyColumn[] => {
    switch (index.kind) {
      case "unique":
        return [{ name, isUnique: true, keyOf: (document) => bindingOf(index.keyOf(document)) }];
      case "multi":
        return [{ name, isUnique: false, keyOf: (document) => bindingOf(index.keysOf(document)[0]) }];
      case "ordered":
        // The primary key is one already, and a unique index is in order.
        if (name === "id" || name.endsWith("_order")) return [];
        return [{ name, isUnique: false, keyOf: (document) => bindingOf(index.keyOf(document)) }];
      default:
        return [];
    }
  });
}

function finder(database: Database, table: string, { name, isUnique }: KeyColumn): Table["by"][string] {
  const found = database.prepare(`SELECT id FROM ${table} WHERE "key_${name}" = ?`);
  if (isUnique) return { find: (key) => (found.get(key) as { id: number } | null)?.id };
  return { find: (key) => new Set((found.all(key) as { id: number }[]).map(({ id }) => id)) };
}

function bindingOf(key: string | number | boolean | undefined): Binding {
  return typeof key === "boolean" ? Number(key) : (key ?? null);
}
