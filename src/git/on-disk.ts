import { readdir } from "node:fs/promises";
import { paceOf } from "../lib/yield.ts";
import { type DeletedRefs, withDeleted } from "./deleted-refs.ts";
import { ifThere, readRegular } from "./durable.ts";
import { listRefs } from "./refs.ts";

/** A file of a repository for a copy: its bytes, or the path of them. */
export type RepositoryFileSource =
  | { readonly name: string; readonly content: Uint8Array }
  /** `mayGo`: a git program may have packed it meanwhile. */
  | { readonly name: string; readonly path: string; readonly mayGo: boolean };

/** Paths of all repositories below the folder of a storage, as `@hashed/ab/cd/<hash>.git`. */
export async function* repositoriesBelow(storageFolder: string): AsyncGenerator<string> {
  for (const top of ["@hashed", "@snippets"]) {
    for (const first of await namesIn(`${storageFolder}/${top}`, /^[0-9a-f]{2}$/)) {
      for (const second of await namesIn(`${storageFolder}/${top}/${first}`, /^[0-9a-f]{2}$/)) {
        const path = `${top}/${first}/${second}`;
        for (const name of await namesIn(`${storageFolder}/${path}`, /^[0-9a-f]{64}(\.wiki)?\.git$/)) {
          yield `${path}/${name}`;
        }
      }
    }
  }
}

/**
 * Everything in a repository, while others may be writing it: first all refs as of one moment, as one file of packed refs, then
 * the objects, so that whatever the refs lead to is there. Refs in `deleted` are there still. Loose objects come before packs: what goes from there is in one.
 */
export async function* filesOfRepository(folder: string, deleted?: DeletedRefs): AsyncGenerator<RepositoryFileSource> {
  const { head, refs: present } = await refsAtOnce(folder);
  const refs = withDeleted(present, deleted?.get(folder));
  if (head !== undefined) yield { name: "HEAD", content: bytesOf(head) };
  if (refs.size > 0) {
    const lines = [...refs].map(([ref, oid]) => `${oid} ${ref}\n`);
    yield { name: "packed-refs", content: bytesOf(lines.join("")) };
  }
  const loose = (await namesIn(`${folder}/objects`, /^[0-9a-f]{2}$/)).map((name) => `objects/${name}`);
  for (const inside of [...loose, "objects/pack", "objects/info", "info"]) {
    for (const name of await namesIn(`${folder}/${inside}`, /^(?!tmp_|\.tmp|.*\.lock$).+$/, "files")) {
      yield { name: `${inside}/${name}`, path: `${folder}/${inside}/${name}`, mayGo: loose.includes(inside) };
    }
  }
  for (const name of ["config", "description"]) {
    const content = await readRegular(`${folder}/${name}`);
    if (content !== undefined) yield { name, content };
  }
}

/** Tries after which refs that change all the time are taken one by one. */
const triesMax = 100;

/** Two readings that agree are what was there between them. */
async function refsAtOnce(folder: string): Promise<{ head: string | undefined; refs: Map<string, string> }> {
  const read = async () => ({
    head: (await readRegular(`${folder}/HEAD`))?.toString(),
    refs: await listRefs(folder, "refs/"),
  });
  let last = await read();
  for (let tries = 1; tries < triesMax; tries += 1) {
    const next = await read();
    const isSame = last.head === next.head && (await areSame(last.refs, next.refs));
    last = next;
    if (isSame) break;
  }
  return last;
}

async function areSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): Promise<boolean> {
  if (one.size !== other.size) return false;
  const pace = paceOf(() => false);
  for (const [ref, oid] of one) {
    if (other.get(ref) !== oid) return false;
    await pace();
  }
  return true;
}

async function namesIn(path: string, pattern: RegExp, kind: "files" | "folders" = "folders"): Promise<string[]> {
  const entries = (await ifThere(readdir(path, { withFileTypes: true }))) ?? [];
  const wanted = entries.filter((each) => (kind === "files" ? each.isFile() : each.isDirectory()));
  return wanted
    .map((each) => each.name)
    .filter((name) => pattern.test(name))
    .sort();
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
