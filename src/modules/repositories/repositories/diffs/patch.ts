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

/** The letters that stand for bytes in a quoted name; other bytes are octal. */
const escapes: Readonly<Record<string, string>> = {
  ...{ '"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" },
  ...{ "\x07": "\\a", "\b": "\\b", "\v": "\\v", "\f": "\\f" },
};

/** A name with quotes, control characters or other bytes than those of ASCII is quoted, as git does. */
function quoted(path: string): string {
  const bytes = Buffer.from(path);
  if (bytes.every(isPlain)) return path;
  const parts = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return escapes[character] ?? (isPlain(byte) ? character : `\\${byte.toString(8).padStart(3, "0")}`);
  });
  return `"${parts.join("")}"`;
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
}
