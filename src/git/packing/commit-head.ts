/** The headers of a commit that a walk through a history needs. */

export interface CommitHead {
  readonly tree: Uint8Array;
  readonly parents: readonly Uint8Array[];
  /** Seconds since 1970 of the committer. */
  readonly time: number;
}

const newline = 0x0a;
const hexDigits = 40;

/** Throws for bytes that are no commit. */
export function parseCommitHead(content: Buffer): CommitHead {
  if (content.toString("latin1", 0, 5) !== "tree ") throw new Error("a commit of a repository is damaged");
  const tree = oidAt(content, 5);
  const parents: Uint8Array[] = [];
  let at = 5 + hexDigits + 1;
  while (content.toString("latin1", at, at + 7) === "parent ") {
    parents.push(oidAt(content, at + 7));
    at += 7 + hexDigits + 1;
  }
  let time = 0;
  while (at < content.length && content[at] !== newline) {
    const end = content.indexOf(newline, at);
    const line = content.toString("latin1", at, end === -1 ? content.length : end);
    if (line.startsWith("committer ")) {
      time = Number(/> ?(\d{1,12})/.exec(line.slice(line.lastIndexOf(">")))?.[1] ?? 0);
      break;
    }
    if (end === -1) break;
    at = end + 1;
  }
  return { tree, parents, time };
}

function oidAt(content: Buffer, start: number): Uint8Array {
  const oid = Buffer.from(content.toString("latin1", start, start + hexDigits), "hex");
  if (oid.length !== hexDigits / 2) throw new Error("a commit of a repository is damaged");
  return oid;
}

/** The object that a tag names. */
export function taggedObject(content: Buffer): Uint8Array {
  if (content.toString("latin1", 0, 7) !== "object ") throw new Error("a tag of a repository is damaged");
  return oidAt(content, 7);
}
