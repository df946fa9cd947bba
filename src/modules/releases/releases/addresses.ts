/** The addresses below a release. */

import type { ReleaseLink, ReleaseRecord } from "./records.ts";

const formats = ["zip", "tar.gz", "tar.bz2", "tar"] as const;

/** `projectUrl`: that of the project, without a trailing slash. */
export function pageOf(projectUrl: string, { tag }: ReleaseRecord): string {
  return `${projectUrl}/-/releases/${encodeURIComponent(tag)}`;
}

/** The archives of the code, by format. */
export function sourcesOf(projectUrl: string, projectName: string, { tag }: ReleaseRecord) {
  const at = tag.split("/").map(encodeURIComponent).join("/");
  const file = encodeURIComponent(`${projectName}-${tag.replaceAll("/", "-")}`);
  return formats.map((format) => ({ format, url: `${projectUrl}/-/archive/${at}/${file}.${format}` }));
}

/** The page of the issues or merge requests of the release's milestones. */
export function listPageOf(projectUrl: string, { tag }: ReleaseRecord, part: string, state: string): string {
  return `${projectUrl}/-/${part}?release_tag=${encodeURIComponent(tag)}&scope=all&state=${state}`;
}

/** The address that stays while the link changes. */
export function directAssetUrl(projectUrl: string, release: ReleaseRecord, { url, filepath }: ReleaseLink): string {
  return filepath === null ? url : `${pageOf(projectUrl, release)}/downloads${filepath}`;
}
