import { readdir, readFile, stat } from "node:fs/promises";
import { ifThere } from "./durable.ts";
import { tagPrefix } from "./refs.ts";
import type { Repository } from "./repository.ts";

/** Larger files are sent from the disk, without being read into memory. */
const readBytesMax = 1024 * 1024;

const contentTypes = {
  loose: "application/x-git-loose-object",
  pack: "application/x-git-packed-objects",
  idx: "application/x-git-packed-objects-toc",
} as const;

/** A file of a repository for git clients. */
export interface PlainFile {
  readonly contentType: string;
  readonly content: Uint8Array<ArrayBuffer> | Blob;
}

/** `info/refs` as `git update-server-info` would write it: each ref, and what each annotated tag leads to. */
export async function infoRefs(repository: Repository): Promise<string> {
  let text = "";
  for (const [ref, oid] of await (await repository.refs()).filter(() => true)) {
    text += `${oid}\t${ref}\n`;
    const commit = ref.startsWith(tagPrefix) ? await repository.commitOf(oid) : undefined;
    if (commit !== undefined && commit.oid !== oid) text += `${commit.oid}\t${ref}^{}\n`;
  }
  return text;
}

/** `HEAD`, of an empty repository too. */
export async function headFile(repository: Repository): Promise<string> {
  return `ref: refs/heads/${(await repository.namedHead()) ?? "main"}\n`;
}

/** `objects/info/packs`: the packs that a `git gc` has made. */
export async function infoPacks({ folder }: Repository): Promise<string> {
  const names = (await ifThere(readdir(`${folder}/objects/pack`))) ?? [];
  const packs = names.filter((name) => name.endsWith(".pack"));
  return `${packs.map((name) => `P ${name}\n`).join("")}\n`;
}

/** `objects/FOLDER/NAME`: a loose object, a pack or its index; undefined for anything else and for what is not there. */
export async function objectFile({ folder }: Repository, inside: string, name: string): Promise<PlainFile | undefined> {
  const contentType = contentTypeOf(inside, name);
  if (contentType === undefined) return undefined;
  const path = `${folder}/objects/${inside}/${name}`;
  const found = await ifThere(stat(path));
  if (found?.isFile() !== true) return undefined;
  if (found.size > readBytesMax) return { contentType, content: Bun.file(path) };
  const bytes = await ifThere(readFile(path));
  return bytes === undefined ? undefined : { contentType, content: new Uint8Array(bytes) };
}

function contentTypeOf(inside: string, name: string): string | undefined {
  if (/^[0-9a-f]{2}$/.test(inside)) return /^[0-9a-f]{38}$/.test(name) ? contentTypes.loose : undefined;
  const end = inside === "pack" ? /^pack-[0-9a-f]{40}\.(pack|idx)$/.exec(name)?.[1] : undefined;
  return end === undefined ? undefined : contentTypes[end as "pack" | "idx"];
}
