/** The checks of received objects, as `git fsck --strict` does (git-over-http 9). */

import { isFilePath } from "../changes.ts";
import type { ObjectType } from "../objects/limits.ts";
import { PackError } from "./limits.ts";
import { oidBytes } from "./oid-table.ts";

/** Called for each object that another one names; `type` undefined: any. */
export type OnReference = (oids: Uint8Array, start: number, type: ObjectType | undefined) => void;

/** A file that may need a check of its own. */
export type OnModules = (oids: Uint8Array, start: number) => void;

const headerPattern = {
  tree: /^tree [0-9a-f]{40}$/,
  parent: /^parent [0-9a-f]{40}$/,
  person: /^[^<>\n]*<[^<>\n]*> ?\d{1,20}( [+-]\d{1,6})?/,
};

/** Throws `PackError` for an object that git refuses; calls `onReference` for each object that it names. */
export function checkObject(
  type: Exclude<ObjectType, "blob">,
  content: Buffer,
  onReference: OnReference,
  onModules: OnModules,
): void {
  if (type === "tree") checkTree(content, onReference, onModules);
  else if (type === "commit") checkCommit(content, onReference);
  else checkTag(content, onReference);
}

function checkTree(content: Buffer, onReference: OnReference, onModules: OnModules): void {
  let previous: Buffer | undefined;
  const plainNames = new Set<string>();
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const end = space === -1 ? -1 : content.indexOf(0, space + 1);
    if (end === -1 || end + oidBytes >= content.length || space - at > 7 || space === at) throw fsckError("badTree");
    const mode = Number.parseInt(content.toString("latin1", at, space), 8);
    const kind = kindOf(mode);
    if (kind === undefined) throw fsckError("badFilemode");
    const name = content.subarray(space + 1, end);
    checkName(name, plainNames);
    const key = kind === "tree" ? Buffer.concat([name, slash]) : name;
    if (previous !== undefined && Buffer.compare(previous, key) >= 0) throw fsckError("treeNotSorted");
    previous = key;
    if (isZero(content, end + 1)) throw fsckError("nullSha1");
    if (kind !== "commit") onReference(content, end + 1, kind);
    if (kind === "blob" && isModulesName(name)) {
      if ((mode & 0o170000) === 0o120000) throw fsckError("gitmodulesSymlink");
      onModules(content, end + 1);
    }
    at = end + 1 + oidBytes;
  }
}

const slash = Buffer.from("/");

function kindOf(mode: number): "tree" | "blob" | "commit" | undefined {
  const format = mode & 0o170000;
  if (format === 0o040000) return "tree";
  if (format === 0o100000 || format === 0o120000) return "blob";
  return format === 0o160000 ? "commit" : undefined;
}

function checkName(name: Buffer, names: Set<string>): void {
  if (name.length === 0) throw fsckError("emptyName");
  if (name.includes(0x2f)) throw fsckError("fullPathname");
  const text = name.toString("latin1");
  if (text === ".") throw fsckError("hasDot");
  if (text === "..") throw fsckError("hasDotdot");
  if (names.has(text)) throw fsckError("duplicateEntries");
  names.add(text);
  if (/^\.?git/i.test(text) || name.some((byte) => byte >= 0x80)) {
    // A backslash separates folders on some systems only; git tolerates it in names.
    if (!isFilePath(name.toString("utf8").replaceAll("\\", "_").slice(0, 255))) throw fsckError("hasDotgit");
  }
}

function isModulesName(name: Buffer): boolean {
  return name.length < 64 && /^(\.gitmodules[. ]*|gitmod~\d+|gi7eba~\d+)$/i.test(name.toString("latin1"));
}

function checkCommit(content: Buffer, onReference: OnReference): void {
  const lines = headerLines(content);
  const [tree = "", ...rest] = lines;
  if (!headerPattern.tree.test(tree)) throw fsckError("missingTree");
  onReference(Buffer.from(tree.slice(5), "hex"), 0, "tree");
  let at = 0;
  for (; (rest[at] ?? "").startsWith("parent "); at += 1) {
    if (!headerPattern.parent.test(rest[at] as string)) throw fsckError("badParentSha1");
    onReference(Buffer.from((rest[at] as string).slice(7), "hex"), 0, "commit");
  }
  requirePerson(rest[at], "author", "missingAuthor");
  requirePerson(rest[at + 1], "committer", "missingCommitter");
}

function checkTag(content: Buffer, onReference: OnReference): void {
  const [object = "", type = "", tag = "", tagger] = headerLines(content);
  if (!/^object [0-9a-f]{40}$/.test(object)) throw fsckError("missingObject");
  const [, named] = /^type (commit|tree|blob|tag)$/.exec(type) ?? [];
  if (named === undefined) throw fsckError("missingTypeEntry");
  if (!/^tag ./.test(tag)) throw fsckError("missingTagEntry");
  if (tagger?.startsWith("tagger ")) requirePerson(tagger, "tagger", "missingTaggerEntry");
  onReference(Buffer.from(object.slice(7), "hex"), 0, named as ObjectType);
}

/** Lines before the empty one. Throws for a NUL byte among them. */
function headerLines(content: Buffer): string[] {
  const end = content.indexOf("\n\n");
  const head = content.subarray(0, end === -1 ? content.length : end);
  if (head.includes(0)) throw fsckError("nulInHeader");
  return head.toString("latin1").split("\n");
}

function requirePerson(line: string | undefined, name: string, code: string): void {
  if (line === undefined || !line.startsWith(`${name} `)) throw fsckError(code);
  if (!headerPattern.person.test(line.slice(name.length + 1))) throw fsckError("badName");
}

/** Throws `PackError` for a `.gitmodules` whose url or path is like an option. */
export function checkModules(content: Buffer): void {
  for (const line of content.toString("utf8").split("\n")) {
    const [, key = "", value = ""] = /^\s*(url|path|update)\s*=\s*"?(.*)$/i.exec(line) ?? [];
    if (value.startsWith("-")) throw fsckError(key.toLowerCase() === "url" ? "gitmodulesUrl" : "gitmodulesPath");
    if (key.toLowerCase() === "update" && value.startsWith("!")) throw fsckError("gitmodulesUpdate");
  }
}

function isZero(bytes: Uint8Array, start: number): boolean {
  for (let at = start; at < start + oidBytes; at += 1) if (bytes[at] !== 0) return false;
  return true;
}

function fsckError(code: string): PackError {
  return new PackError(`fsck error in packed object: ${code}`);
}
