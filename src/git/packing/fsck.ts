/** The checks of received objects, as `git fsck --strict` does (git-over-http 9). */

import { isReadable, type ObjectType, parentsMax } from "../objects/limits.ts";
import { PackError } from "./limits.ts";
import { oidBytes } from "./oid-table.ts";
import { isGitFolder, type SpecialFile, specialFileOf } from "./special-names.ts";

/** Called for each object that another one names; `type` undefined: any. */
export type OnReference = (oids: Uint8Array, start: number, type: ObjectType | undefined) => void;

/** Called for each file that git itself reads. */
export type OnSpecialFile = (file: SpecialFile, oids: Uint8Array, start: number) => void;

/** Throws `PackError` for an object that git refuses; calls `onReference` for each object that it names. */
export function checkObject(
  type: Exclude<ObjectType, "blob">,
  content: Buffer,
  onReference: OnReference,
  onSpecialFile: OnSpecialFile,
): void {
  // A ref to what the server cannot read would have no answer.
  if (type !== "tree" && !isReadable(type, content.length)) {
    throw new PackError(`${type} of ${content.length} bytes is too large`);
  }
  if (type === "tree") checkTree(content, onReference, onSpecialFile);
  else if (type === "commit") checkCommit(content, onReference);
  else checkTag(content, onReference);
}

/** Bytes of a mode, at most: old programs wrote a zero in front. */
const modeBytesMax = 7;

function checkTree(content: Buffer, onReference: OnReference, onSpecialFile: OnSpecialFile): void {
  let previous: Buffer | undefined;
  /** Names of files, each the beginning of the next one: a folder of the same name may come behind others that begin so. */
  const begun: Buffer[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const end = space === -1 ? -1 : content.indexOf(0, space + 1);
    if (end === -1 || end + oidBytes >= content.length) throw fsckError("badTree");
    const mode = modeIn(content, at, space);
    const kind = kindOf(mode);
    if (kind === undefined) throw fsckError("badFilemode");
    const name = content.subarray(space + 1, end);
    checkName(name);
    const key = kind === "tree" ? Buffer.concat([name, slash]) : name;
    if (previous !== undefined && Buffer.compare(previous, key) >= 0) throw fsckError("treeNotSorted");
    previous = key;
    for (let last = begun.at(-1); last !== undefined && !beginsWith(name, last); last = begun.at(-1)) begun.pop();
    if (kind === "tree" && begun.at(-1)?.length === name.length) throw fsckError("duplicateEntries");
    if (kind !== "tree") begun.push(name);
    if (isZero(content, end + 1)) throw fsckError("nullSha1");
    if (kind !== "commit") onReference(content, end + 1, kind);
    const special = kind === "blob" && mayBeSpecial(name) ? specialFileOf(name) : undefined;
    if (special === "modules" && isLink(mode)) throw fsckError("gitmodulesSymlink");
    if (special !== undefined && !isLink(mode)) onSpecialFile(special, content, end + 1);
    at = end + 1 + oidBytes;
  }
}

const slash = Buffer.from("/");

function modeIn(content: Buffer, start: number, end: number): number {
  if (end === start || end - start > modeBytesMax) throw fsckError("badTree");
  let mode = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (content[at] as number) - 0x30;
    if (digit < 0 || digit > 7) throw fsckError("badTree");
    mode = 8 * mode + digit;
  }
  return mode;
}

function kindOf(mode: number): "tree" | "blob" | "commit" | undefined {
  const format = mode & 0o170000;
  if (format === 0o040000) return "tree";
  if (format === 0o100000 || format === 0o120000) return "blob";
  return format === 0o160000 ? "commit" : undefined;
}

function isLink(mode: number): boolean {
  return (mode & 0o170000) === 0o120000;
}

function beginsWith(name: Buffer, start: Buffer): boolean {
  return name.length >= start.length && name.compare(start, 0, start.length, 0, start.length) === 0;
}

const dot = 0x2e;

function checkName(name: Buffer): void {
  if (name.length === 0) throw fsckError("emptyName");
  if (name.includes(0x2f)) throw fsckError("fullPathname");
  if (name[0] === dot && name.length === 1) throw fsckError("hasDot");
  if (name[0] === dot && name[1] === dot && name.length === 2) throw fsckError("hasDotdot");
  if (mayBeSpecial(name) && isGitFolder(name)) throw fsckError("hasDotgit");
}

/** Whether a name has any of the bytes that the names begin with which are looked for: few have. */
function mayBeSpecial(name: Buffer): boolean {
  const first = (name[0] as number) | 0x20;
  return first === 0x2e || first === 0x67 || first === 0x7e || name.includes(0x5c) || (name[0] as number) >= 0x80;
}

/** Throws for a commit whose lines are not in git's order. git ignores those behind the committer. */
function checkCommit(content: Buffer, onReference: OnReference): void {
  const [tree = "", ...rest] = headerLines(content);
  if (content.includes(0)) throw fsckError("nulInCommit");
  if (!/^tree [0-9a-f]{40}$/.test(tree)) throw fsckError("missingTree");
  onReference(Buffer.from(tree.slice("tree ".length), "hex"), 0, "tree");
  let at = 0;
  for (; (rest[at] ?? "").startsWith("parent "); at += 1) {
    const parent = rest[at] as string;
    if (!/^parent [0-9a-f]{40}$/.test(parent)) throw fsckError("badParentSha1");
    onReference(Buffer.from(parent.slice("parent ".length), "hex"), 0, "commit");
  }
  if (at > parentsMax) throw new PackError(`commit of ${at} parents is too large`);
  requirePerson(rest[at], "author", "missingAuthor");
  if ((rest[at + 1] ?? "").startsWith("author ")) throw fsckError("multipleAuthors");
  requirePerson(rest[at + 1], "committer", "missingCommitter");
}

function checkTag(content: Buffer, onReference: OnReference): void {
  const [object = "", type = "", tag = "", tagger] = headerLines(content);
  if (!/^object [0-9a-f]{40}$/.test(object)) throw fsckError("missingObject");
  const [, named] = /^type (commit|tree|blob|tag)$/.exec(type) ?? [];
  if (named === undefined) throw fsckError("missingTypeEntry");
  if (!tag.startsWith("tag ")) throw fsckError("missingTagEntry");
  if (tagger?.startsWith("tagger ")) requirePerson(tagger, "tagger", "missingTaggerEntry");
  onReference(Buffer.from(object.slice("object ".length), "hex"), 0, named as ObjectType);
}

/** Lines before the empty one. Throws for a NUL byte among them. */
function headerLines(content: Buffer): string[] {
  const end = content.indexOf("\n\n");
  const head = content.subarray(0, end === -1 ? content.length : end);
  if (head.includes(0)) throw fsckError("nulInHeader");
  if (end === -1 && content.at(-1) !== 0x0a) throw fsckError("unterminatedHeader");
  return head.toString("latin1").split("\n");
}

/** Dates of nineteen digits do not fit the numbers that git reads them into. */
const datePattern = /^ (?:0|[1-9]\d{0,17}) /;

/** Bad time zones, and a missing space before the date, are common in old histories: they are taken. */
function requirePerson(line: string | undefined, kind: string, missing: string): void {
  if (line === undefined || !line.startsWith(`${kind} `)) throw fsckError(missing);
  const person = line.slice(kind.length + 1);
  const [, name, bracket] = /^([^<>]*)([<>]?)/.exec(person) as RegExpExecArray;
  if (name === "") throw fsckError("missingNameBeforeEmail");
  if (bracket !== "<") throw fsckError(bracket === ">" ? "badName" : "missingEmail");
  if (!name?.endsWith(" ")) throw fsckError("missingSpaceBeforeEmail");
  const [, end] = /^[^<>]*<[^<>]*>(.*)$/s.exec(person) ?? [];
  if (end === undefined) throw fsckError("badEmail");
  if (end.startsWith(" ") && !datePattern.test(end)) throw fsckError("badDate");
}

function isZero(bytes: Uint8Array, start: number): boolean {
  for (let at = start; at < start + oidBytes; at += 1) if (bytes[at] !== 0) return false;
  return true;
}

function fsckError(code: string): PackError {
  return new PackError(`fsck error in packed object: ${code}`);
}
