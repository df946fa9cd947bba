import {
  type AnyCollectionDeclaration,
  type CollectionDeclaration,
  type Documents,
  lostReferenceOf,
  type Store,
  type StoredDocument,
} from "../../../store/index.ts";
import { linesOf } from "./lines.ts";

/** A file with the documents of a collection, one per line. */
interface ImportedFile {
  readonly path: string;
  readonly declared: AnyCollectionDeclaration;
}

type Imported = Documents<StoredDocument, Record<never, never>>;

/** Returns file, line and field of the first reference to a missing document; undefined when there is none. */
export async function findLostReference(store: Store, files: readonly ImportedFile[]): Promise<string | undefined> {
  const imported = new Map(files.map(({ declared }) => [declared.name, documentsOf(store, declared)]));
  const typed = new Map(files.map(({ declared }) => [declared.typeName, declared.name]));
  const targets = {
    has: (name: string, id: number) => imported.get(name)?.get(id) !== undefined,
    collectionOfType: (typeName: string) => typed.get(typeName),
  };
  for (const { path, declared } of files) {
    const documents = imported.get(declared.name);
    if (documents === undefined || Object.keys(declared.references).length === 0) continue;
    for (const document of all(documents)) {
      const lost = lostReferenceOf(declared, document, targets);
      if (lost === undefined) continue;
      return `${path}:${await findLine(path, document.id)}: ${lost.field} is ${lost.id}; ${lost.target} has no such id`;
    }
  }
  return undefined;
}

/** Returns the documents of a collection; undefined for a log, since no reference leads to or from its entries. */
function documentsOf(store: Store, declared: AnyCollectionDeclaration): Imported | undefined {
  if (declared.kind === "log") return undefined;
  return store.of(declared as unknown as CollectionDeclaration<StoredDocument, Record<never, never>>);
}

function* all(documents: Imported): Generator<StoredDocument> {
  for (let id = 1, left = documents.size; left > 0; id += 1) {
    const document = documents.get(id);
    if (document === undefined) continue;
    left -= 1;
    yield document;
  }
}

/** Returns the line of a file that has the document with this id. */
async function findLine(path: string, id: number): Promise<number> {
  let line = 0;
  for await (const text of linesOf(path)) {
    line += 1;
    if (text.trim() !== "" && (JSON.parse(text) as StoredDocument).id === id) return line;
  }
  throw new Error(`${path} has lost document ${id}`);
}
