import { readdir, stat } from "node:fs/promises";
import type { Static } from "@sinclair/typebox";
import { forbiddenWith, notFound } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { compareText } from "../../../lib/text/unicode.ts";
import {
  type AnyCollectionDeclaration,
  type CollectionDeclaration,
  type LogDeclaration,
  type StoredDocument,
  withoutSecrets,
} from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { DataCollection } from "./schema.ts";

type StoreAndCollections = Pick<Context, "store" | "collections">;

/** `GET /-/data`: by name. */
export async function listCollections(context: StoreAndCollections): Promise<Static<typeof DataCollection>[]> {
  const found = await Promise.all(
    context.collections.map(async (declared) => {
      const { size, folder } = documentsOf(context, declared);
      return {
        name: declared.name,
        kind: declared.kind === "log" ? ("log" as const) : ("documents" as const),
        documents: size,
        bytes: await bytesBelow(folder),
        is_secret: declared.isSecret,
      };
    }),
  );
  return found.sort((one, other) => compareText(one.name, other.name));
}

/** `GET /-/data/:collection`: by id, upwards. Throws 404 and 403. */
export function listDocuments(
  context: StoreAndCollections,
  name: string,
  fromId: number,
  page: PageRequest,
): Page<StoredDocument> {
  const declared = getCollection(context, name);
  const start = page.kind === "keyset" && page.after !== undefined ? page.after.id + 1 : fromId;
  const documents = documentsOf(context, declared);
  const items: StoredDocument[] = [];
  let next = documents.firstFrom(start);
  while (next !== undefined && items.length < page.perPage) {
    const document = documents.get(next);
    if (document !== undefined) items.push(withoutSecrets(declared, document));
    next = documents.firstFrom(next + 1);
  }
  const last = items.at(-1);
  const hasNext = next !== undefined && last !== undefined;
  return { items, total: undefined, hasNext, next: hasNext ? { key: last.id, id: last.id } : undefined };
}

/** A document without its secrets, and the names of the fields that are changed. Throws 404 and 403. */
export function getDocument(
  context: StoreAndCollections,
  name: string,
  id: number,
): { readonly document: StoredDocument; readonly hidden: readonly string[] } {
  const declared = getCollection(context, name);
  const found = documentsOf(context, declared).get(id);
  if (found === undefined) throw notFound("Document");
  const hidden = Object.entries(declared.secrets).filter(([field, secret]) => secret !== "public" && field in found);
  return { document: withoutSecrets(declared, found), hidden: hidden.map(([field]) => field) };
}

function getCollection({ collections }: StoreAndCollections, name: string): AnyCollectionDeclaration {
  const found = collections.find((each) => each.name === name);
  if (found === undefined) throw notFound("Collection");
  if (found.isSecret) throw forbiddenWith("403 Forbidden - the documents of this collection are secret");
  return found;
}

/** The reads that collections and logs have in common. */
interface AnyDocuments {
  readonly size: number;
  readonly folder: string;
  get(id: number): StoredDocument | undefined;
  /** The first id from this one on. */
  firstFrom(id: number): number | undefined;
}

function documentsOf({ store }: StoreAndCollections, declared: AnyCollectionDeclaration): AnyDocuments {
  if (declared.kind === "hot") {
    const documents = store.of(declared as unknown as CollectionDeclaration<StoredDocument, Record<never, never>>);
    const { size, folder, ids } = documents;
    return { size, folder, get: (id) => documents.get(id), firstFrom: (id) => ids.firstFrom(id) };
  }
  const log = store.logOf(declared as unknown as LogDeclaration<StoredDocument>);
  const firstFrom = (id: number) => {
    const after = { key: id - 1, id: id - 1 };
    const [found] = log.page({ keys: [], descending: false, page: { kind: "keyset", after, perPage: 1 } }).items;
    return found?.id;
  };
  return { size: log.size, folder: log.folder, get: (id) => log.get(id), firstFrom };
}

/** The size of the files in a folder; 0 for a folder that is not there yet. */
async function bytesBelow(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    // A file may be replaced meanwhile.
    names.map((name) =>
      stat(`${folder}/${name}`).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
