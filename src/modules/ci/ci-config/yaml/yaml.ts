/** The reader of the YAML of CI files, with limits. */

import type { Budget } from "../budget.ts";
import { Extent } from "../extent.ts";
import { CiFileError, isMapping, type Mapping } from "../values.ts";
import { Composer } from "./composer.ts";

/** Limits of what one file, with all that it includes, may expand to. */
export const fileExtent = { nodes: 50_000, characters: 8_000_000 } as const;
/** Characters that are read in one step. */
const charactersPerStep = 16;
/** A header, and the file itself. */
const documentsMax = 2;
const divider = /^---\s+/gm;
/** Characters that no YAML text has. */
const unprintable = /[^\P{Cc}\t\n\r\u0085]|[\ufffe\uffff]/u;

/** The text of a CI file: its header `spec:`, if there is one, and what it says. */
export interface CiDocuments {
  readonly header: Mapping | undefined;
  /** With `Reference`s. */
  readonly content: Mapping;
}

/** Throws `CiFileError`. */
export function parseDocuments(text: string, budget: Budget, extent = new Extent(fileExtent, budget)): CiDocuments {
  budget.charge(text.length / charactersPerStep);
  const at = text.search(unprintable);
  if (at !== -1) throw new CiFileError(`(<unknown>): control characters are not allowed at line ${lineOf(text, at)}`);
  const documents: unknown[] = [];
  for (const { source, line } of split(text.replaceAll(/\r\n?/g, "\n"))) {
    const document = new Composer(source, line, budget).document();
    extent.add(document);
    if (!isBlank(document)) documents.push(document);
  }
  if (!documents.every(isMapping)) throw new CiFileError("Invalid configuration format");
  const [first = {}, last] = documents;
  const hasHeader = last !== undefined && Object.hasOwn(first, "spec");
  return hasHeader ? { header: first, content: last } : { header: undefined, content: first };
}

/** The text of a CI file without a header → its mapping. Throws `CiFileError`. */
export function parseYaml(text: string, budget: Budget, extent?: Extent): Mapping {
  return parseDocuments(text, budget, extent).content;
}

interface Source {
  readonly source: string;
  /** The number of lines before it. */
  readonly line: number;
}

/** The documents of a file; the real platform divides the text before it reads any. */
function split(text: string): Source[] {
  const sources: Source[] = [];
  let [start, line] = [0, 0];
  for (const { index, 0: mark } of text.matchAll(divider)) {
    if (sources.length === documentsMax) break;
    const source = text.slice(start, index);
    sources.push({ source, line });
    // The indentation of the first line belongs to the document.
    const end = index + (mark.includes("\n") ? mark.lastIndexOf("\n") + 1 : mark.length);
    line += text.slice(start, end).split("\n").length - 1;
    start = end;
  }
  sources.push({ source: text.slice(start), line });
  return sources;
}

function lineOf(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `${before.length} column ${(before.at(-1) ?? "").length + 1}`;
}

function isBlank(document: unknown): boolean {
  if (document === null || document === false) return true;
  if (typeof document === "string") return document.trim() === "";
  return typeof document === "object" && Object.keys(document).length === 0;
}
