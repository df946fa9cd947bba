/** The checks of files that git itself reads in a checkout (git-fsck). */

import { configValues } from "./config-text.ts";
import { PackError } from "./limits.ts";
import type { SpecialFile } from "./special-names.ts";

/** Larger ones are refused without being read. */
export const specialFileBytesMax = 16 << 20;
const attributeLineBytesMax = 2_048;

/** Throws `PackError` for a file that git refuses; `content` is undefined for one that is too large. */
export function checkSpecialFile(file: SpecialFile, content: Buffer | undefined): void {
  if (content === undefined) throw fsckError(file === "modules" ? "gitmodulesLarge" : "gitattributesLarge");
  if (file === "modules") checkModules(content);
  else checkAttributes(content);
}

/** A submodule whose url, path or name could become an option, a command, or a path elsewhere. */
function checkModules(content: Buffer): void {
  for (const { section, subsection, key, value } of configValues(content.toString("utf8"))) {
    if (section !== "submodule" || subsection === undefined) continue;
    if (subsection === "" || subsection.split(/[/\\]/).includes("..")) throw fsckError("gitmodulesName");
    if (key === "url" && !isSafeUrl(value)) throw fsckError("gitmodulesUrl");
    if (key === "path" && value.startsWith("-")) throw fsckError("gitmodulesPath");
    if (key === "update" && value.startsWith("!")) throw fsckError("gitmodulesUpdate");
  }
}

/** A line break would end a header of the credentials that git asks a helper for. */
function isSafeUrl(url: string): boolean {
  if (url.startsWith("-")) return false;
  const isRelative = /^\.\.?[/\\]/.test(url);
  const [, web] = /^(?:(?:https?|ftps?)::)?((?:https?|ftps?):\/\/.*)$/is.exec(url) ?? [];
  if (!isRelative && !/^git:\/\//i.test(url) && web === undefined) return true;
  if (url.includes("\n") || /%0a/i.test(url)) return false;
  if (isRelative) return !/^(?:\.\/)*(?:\.\.\/(?:\.\/)*)+[:/]/.test(url.replaceAll("\\", "/"));
  return web === undefined || !/^[a-z]+:\/\/(?:[^/@]*@)?(?:[:/?#]|$)/i.test(web);
}

function checkAttributes(content: Buffer): void {
  for (let at = 0; at < content.length; ) {
    const found = content.indexOf(0x0a, at);
    const end = found === -1 ? content.length : found;
    if (end - at >= attributeLineBytesMax) throw fsckError("gitattributesLineLength");
    at = end + 1;
  }
}

function fsckError(code: string): PackError {
  return new PackError(`fsck error in packed object: ${code}`);
}
