/** The sections of a changelog: one for each version, the newest first. */

import { compareVersions, parseVersion, type Version } from "./versions.ts";

/** A commit in a section. */
export interface ChangelogEntry {
  readonly title: string;
  /** The project with the commit, which Markdown links. */
  readonly reference: string;
}

/** The section of a version. */
export function renderSection(
  version: string,
  day: string,
  categories: ReadonlyMap<string, readonly ChangelogEntry[]>,
): string {
  const parts = [...categories].map(([name, entries]) => {
    const count = entries.length === 1 ? "1 change" : `${entries.length} changes`;
    const lines = entries.map(({ title, reference }) => `- [${title}](${reference})`);
    return `### ${name} (${count})\n\n${lines.join("\n")}`;
  });
  return `## ${version} (${day})\n\n${parts.length === 0 ? "No changes." : parts.join("\n\n")}\n`;
}

const heading = /^##[ \t]+(v?\d+\.\d+\.\d+[0-9A-Za-z.+-]*)/gm;

/** Puts a section into a changelog: before the next older version, or at the end. */
export function withSection(text: string, section: string, version: Version): string {
  for (const found of text.matchAll(heading)) {
    const other = parseVersion(found[1] as string);
    if (other === undefined || compareVersions(other, version) >= 0) continue;
    return `${text.slice(0, found.index)}${section}\n${text.slice(found.index)}`;
  }
  if (text.trim() === "") return section;
  return `${text.trimEnd()}\n\n${section}`;
}
