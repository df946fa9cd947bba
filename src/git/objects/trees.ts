import type { TreeEntry } from "./objects.ts";

/** Bytes of an object id behind the name of an entry. */
const oidBytes = 20;

/** The entries of a tree in the order of git, from the bytes that git keeps. Throws for bytes that are no tree. */
export function treeEntries(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = endOfName(bytes, start);
    entries.push(entryAt(bytes, start, end));
    start = end + 1 + oidBytes;
  }
  return entries;
}

/** The entry with a name, without making the others. Throws for bytes that are no tree. */
export function treeEntryNamed(bytes: Buffer, name: string): TreeEntry | undefined {
  const wanted = Buffer.from(` ${name}`);
  for (let start = 0; start < bytes.length; ) {
    const end = endOfName(bytes, start);
    if (bytes.compare(wanted, 0, wanted.length, Math.max(start, end - wanted.length), end) === 0) {
      const entry = entryAt(bytes, start, end);
      // A name may hold spaces: its end is not all of it.
      if (entry.path === name) return entry;
    }
    start = end + 1 + oidBytes;
  }
  return undefined;
}

function endOfName(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(0, start);
  if (end === -1 || end + oidBytes >= bytes.length) throw new Error("a tree of a repository is broken");
  return end;
}

/** `MODE NAME` lies from `start` to `end`, a zero byte and the object id behind it. */
function entryAt(bytes: Buffer, start: number, end: number): TreeEntry {
  const space = bytes.indexOf(0x20, start);
  const mode = bytes.toString("latin1", start, space).padStart(6, "0");
  const type = mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob";
  return {
    mode,
    path: bytes.toString("utf8", space + 1, end),
    oid: bytes.toString("hex", end + 1, end + 1 + oidBytes),
    type,
  };
}
