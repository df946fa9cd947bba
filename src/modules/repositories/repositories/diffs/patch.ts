/** The text of a change as `git diff --full-index` prints it. */

import type { FileDiff } from "../../../../git/index.ts";

/** The change of one file, for `git apply` and other tools. */
export function patchOf(file: FileDiff): string {
  const { oldPath, newPath, oldMode, newMode, oldOid, newOid, isNew, isDeleted, isBinary, text } = file;
  const [old, now] = [quoted(`a/${oldPath}`), quoted(`b/${newPath}`)];
  const lines = [`diff --git ${old} ${now}`];
  if (isNew) lines.push(`new file mode ${newMode}`);
  else if (isDeleted) lines.push(`deleted file mode ${oldMode}`);
  else if (oldMode !== newMode) lines.push(`old mode ${oldMode}`, `new mode ${newMode}`);
  if (oldPath !== newPath) {
    if (oldOid === newOid) lines.push("similarity index 100%");
    lines.push(`rename from ${quoted(oldPath)}`, `rename to ${quoted(newPath)}`);
  }
  if (oldOid !== newOid) {
    const isSameMode = !isNew && !isDeleted && oldMode === newMode;
    lines.push(`index ${oldOid}..${newOid}${isSameMode ? ` ${oldMode}` : ""}`);
  }
  if (text !== "" && !isBinary) {
    lines.push(`--- ${isNew ? "/dev/null" : named(old)}`, `+++ ${isDeleted ? "/dev/null" : named(now)}`);
  }
  return `${lines.join("\n")}\n${text}`;
}

/** A name with blanks ends with a tab, so that tools know where it ends. */
function named(path: string): string {
  return path.includes(" ") ? `${path}\t` : path;
}

const escapes: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" };

/** A name with quotes, control characters or other bytes than those of ASCII is quoted, as git does. */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git quotes these
  if (!/["\\\x00-\x1f\x7f-\uffff]/.test(path)) return path;
  const parts = Array.from(Buffer.from(path), (byte) => {
    const character = String.fromCharCode(byte);
    if (escapes[character] !== undefined) return escapes[character];
    return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, "0")}` : character;
  });
  return `"${parts.join("")}"`;
}
