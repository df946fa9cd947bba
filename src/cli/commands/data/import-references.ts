import { lostReferenceOf, references } from "../../../modules/tables/record-schemas/index.ts";
import type { CollectionDeclaration, Documents, Store, StoredDocument } from "../../../store/index.ts";
import { linesOf } from "./lines.ts";

/** The documents of a collection, one in each line. */
interface ImportedFile {
  readonly name: string;
  readonly path: string;
}

type Imported = Documents<StoredDocument, Record<never, never>>;

/** File, line and field of the first document that names what was not imported; undefined: all is there. */
export async function findLostReference(store: Store, files: readonly ImportedFile[]): Promise<string | undefined> {
  const imported = new Set(files.map(({ name }) => name));
  const documentsOf = (name: string): Imported =>
    store.of({ kind: "hot", name, indexes: {} } as CollectionDeclaration<StoredDocument, Record<never, never>>);
  const has = (name: string, id: number) => imported.has(name) && documentsOf(name).get(id) !== undefined;
  for (const { name, path } of files) {
    if (!(name in references)) continue;
    for (const document of all(documentsOf(name))) {
      const lost = lostReferenceOf(name, document, has);
      if (lost === undefined) continue;
      return `${path}:${await lineOf(path, document.id)}: ${lost.field} is ${lost.id}; ${lost.target} has no such id`;
    }
  }
  return undefined;
}

function* all(documents: Imported): Generator<StoredDocument> {
  for (let id = 1, left = documents.size; left > 0; id += 1) {
    const document = documents.get(id);
    if (document === undefined) continue;
    left -= 1;
    yield document;
  }
}

/** The line of a file that holds the document with this id. */
async function lineOf(path: string, id: number): Promise<number> {
  let line = 0;
  for await (const text of linesOf(path)) {
    line += 1;
    if (text.trim() !== "" && (JSON.parse(text) as StoredDocument).id === id) return line;
  }
  throw new Error(`${path} has lost document ${id}`);
}
