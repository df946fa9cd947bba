/** The rules about the links of a release (releases 4). */

import { type AttributeErrors, invalid } from "../../../domain/failure.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { ReleaseLink } from "./records.ts";
import type { LinkChange, NewLink } from "./schema.ts";

export type LinkDraft = Omit<ReleaseLink, "id">;

/** The most links of a release. */
export const linksMax = 250;
const filepathLengthMax = 128;
const filepathForm = /^\/(?:[-.\w]+\/)*[-.\w]*[\da-zA-Z]$/;
const schemes: ReadonlySet<string> = new Set(["http:", "https:", "ftp:"]);

export function draftOfLink({ name, url, direct_asset_path, filepath, link_type }: NewLink): LinkDraft {
  return { name, url, filepath: direct_asset_path || filepath || null, link_type: link_type ?? "other" };
}

/** The link after a change; what the change does not name stays. */
export function changedLink(
  link: ReleaseLink,
  { direct_asset_path, filepath, link_type, ...change }: LinkChange,
): ReleaseLink {
  const path = direct_asset_path ?? filepath;
  return {
    ...link,
    ...change,
    filepath: path === undefined || path === null ? link.filepath : path || null,
    link_type: link_type ?? link.link_type,
  };
}

/** Throws 400 with attribute errors. */
export function requireValidLink(link: LinkDraft, others: readonly LinkDraft[]): void {
  const errors = errorsOf(link, others);
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** Throws 400 with one sentence about the first link that is not valid. */
export function requireValidLinks(links: readonly LinkDraft[]): void {
  if (links.length > linksMax) throw invalid(`Validation failed: Links are too many (maximum is ${linksMax})`);
  for (const [at, link] of links.entries()) {
    const errors = Object.entries(errorsOf(link, links.slice(0, at))) as [string, string[]][];
    const sentences = errors.flatMap(([attribute, texts]) => texts.map((text) => `Links ${attribute} ${text}`));
    if (sentences.length > 0) throw invalid(`Validation failed: ${sentences.join(", ")}`);
  }
}

function errorsOf(link: LinkDraft, others: readonly LinkDraft[]): AttributeErrors {
  const { name, url, filepath } = link;
  const isTaken = (attribute: "name" | "url" | "filepath") =>
    others.some((other) => other[attribute] === link[attribute]) ? ["has already been taken"] : [];
  const errors: Record<"name" | "url" | "filepath", string[]> = {
    name: name.trim() === "" ? ["can't be blank"] : isTaken("name"),
    url: [...urlErrors(url), ...isTaken("url")],
    filepath: filepath === null ? [] : [...filepathErrors(filepath), ...isTaken("filepath")],
  };
  return Object.fromEntries(Object.entries(errors).filter(([, texts]) => texts.length > 0));
}

function urlErrors(url: string): string[] {
  if (url.trim() === "") return ["can't be blank"];
  const parsed = /[\s\p{Cc}]/u.test(url) ? null : URL.parse(url);
  const scheme = parsed?.protocol ?? /^[a-z][a-z\d+.-]*:/i.exec(url)?.[0].toLowerCase();
  if (scheme === undefined || !schemes.has(scheme)) {
    return ["is blocked: Only allowed schemes are http, https, ftp"];
  }
  return parsed === null ? ["is blocked: URI is invalid"] : [];
}

function filepathErrors(filepath: string): string[] {
  if (exceedsLength(filepath, filepathLengthMax)) {
    return [`is too long (maximum is ${filepathLengthMax} characters)`];
  }
  return filepathForm.test(filepath) ? [] : ["is in an invalid format"];
}
