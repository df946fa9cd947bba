/** Names in trees that some file system takes for git's own folder, or for files that git itself reads (git-fsck). */

/** Files of a tree that git reads. */
export type SpecialFile = "modules" | "attributes";

/** Characters that macOS leaves out of names. */
const unseen = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** Windows leaves these out at the end of a name; a colon begins what is no part of it. */
const windowsEnd = "[ .]*(?::|$)";
const windowsGit = /^(?:\.git|git~1)[ .]*(?:[:\\]|$)/i;

interface SpecialName {
  readonly plain: string;
  readonly windows: RegExp;
  /** Windows makes a short name of at most six characters, or of a hash where that is taken. */
  readonly hashed: RegExp;
}

const specialNames: Readonly<Record<SpecialFile, SpecialName>> = {
  modules: specialName("gitmodules", "(?:g(?:i(?:7(?:e(?:b(?:a)?)?)?)?)?)?"),
  attributes: specialName("gitattributes", "(?:g(?:i(?:7(?:d(?:2(?:9)?)?)?)?)?)?"),
};
const hashedLength = 8;

function specialName(name: string, hash: string): SpecialName {
  return {
    plain: `.${name}`,
    windows: new RegExp(String.raw`^(?:\.${name}|${name.slice(0, 6)}~[1-4])${windowsEnd}`, "i"),
    hashed: new RegExp(`^${hash}~[1-9][0-9]*$`, "i"),
  };
}

/** Whether a checkout would write to git's own folder. */
export function isGitFolder(name: Buffer): boolean {
  return partsOf(name).some((part) => windowsGit.test(part)) || seenOnMacOs(name) === ".git";
}

/** undefined for a name of no meaning to git. */
export function specialFileOf(name: Buffer): SpecialFile | undefined {
  return (["modules", "attributes"] as const).find((file) => {
    const { plain, windows, hashed } = specialNames[file];
    return (
      seenOnMacOs(name) === plain ||
      partsOf(name).some(
        (part) =>
          windows.test(part) ||
          (hashed.test(part.slice(0, hashedLength)) &&
            part.length >= hashedLength &&
            /^[ .]*(?::|$)/.test(part.slice(hashedLength))),
      )
    );
  });
}

/** The name, and what is behind each of its backslashes, which separate folders on Windows. One character a byte. */
function partsOf(name: Buffer): string[] {
  const text = name.toString("latin1");
  if (!text.includes("\\")) return [text];
  return [text, ...Array.from(text.matchAll(/\\/g), ({ index }) => text.slice(index + 1))];
}

function seenOnMacOs(name: Buffer): string {
  const text = name.toString("utf8");
  const end = text.indexOf("\ufffd");
  return (end === -1 ? text : text.slice(0, end)).replace(unseen, "").toLowerCase();
}
