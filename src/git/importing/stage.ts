/** Makes a bare repository, whole and checked, of a source. For a command: it blocks its thread. */

import * as fs from "node:fs";
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { verifyCopy } from "../copying/verify.ts";
import { codeOf, writeSynced } from "../durable.ts";
import { loadGit } from "../git.ts";
import { branchPrefix, isRefName, tagPrefix } from "../refs.ts";
import { fillBare } from "../writer.ts";
import { unpackLargeDeltas } from "./large-deltas.ts";
import { checkReachable } from "./reachable.ts";
import { type ImportSource, plainFile, SourceError } from "./source.ts";

/** The library holds a whole pack in memory. */
const packBytesMax = 2 ** 31 - 1;
const repackHint = "git repack -a -d --max-pack-size=1g in the source";
const trailerBytes = 20;
/** Branches and tags together, and the bytes of the file that lists them: requests read all of it. */
const [refsMax, refBytesMax] = [200_000, 32 << 20];
const fewerHint = "a bundle of the branches and tags that are needed";

/** The content of a staged repository. */
export interface StagedRepository {
  readonly branches: number;
  readonly tags: number;
  readonly commits: number;
  readonly objects: number;
  /** Refs that are neither branches nor tags, or whose names are refused: they are left out. */
  readonly leftOut: readonly string[];
  /** The branch that clones begin with. */
  readonly head: string;
}

/** Counts objects while they are checked. */
export type OnObject = () => void;

/**
 * Copies the branches and tags of a source with their objects into a new bare repository at `folder`. The hash of each object is
 * computed, and each object that a ref leads to must be there. Throws `SourceError`.
 */
export async function stageRepository(
  source: ImportSource,
  folder: string,
  onObject: OnObject = () => undefined,
): Promise<StagedRepository> {
  const refs = [...source.refs].filter(([name]) => isTaken(name));
  const branches = refs
    .filter(([name]) => name.startsWith(branchPrefix))
    .map(([name]) => name.slice(branchPrefix.length));
  const [first] = branches;
  if (first === undefined) throw new SourceError("the source has no branch", "git commit, in the source");
  const packed = packedRefs(refs);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await fillBare(folder);
  const present = new Set<string>();
  for (const [at, pack] of source.packs.entries()) await stagePack(pack, folder, at, present, onObject);
  if (source.objects !== undefined) await stageLoose(source.objects, folder, present, onObject);
  const commits = await checkReachable(
    folder,
    refs.map(([, oid]) => oid),
    present,
    onObject,
  );
  const head =
    source.head !== undefined && branches.includes(source.head)
      ? source.head
      : (branches.find((name) => name === "main") ?? first);
  await writeSynced(`${folder}/packed-refs`, packed, 0o600);
  await writeSynced(`${folder}/HEAD`, `ref: ${branchPrefix}${head}\n`, 0o600);
  return {
    branches: branches.length,
    tags: refs.length - branches.length,
    commits,
    objects: present.size,
    leftOut: [...source.refs.keys()].filter((name) => !isTaken(name)),
    head,
  };
}

function isTaken(name: string): boolean {
  const prefix = [branchPrefix, tagPrefix].find((each) => name.startsWith(each));
  return prefix !== undefined && isRefName(name.slice(prefix.length));
}

/** Throws `SourceError` for more refs than a server lists. */
function packedRefs(refs: readonly (readonly [name: string, oid: string])[]): string {
  if (refs.length > refsMax) {
    throw new SourceError(`the source has ${refs.length} branches and tags (maximum is ${refsMax})`, fewerHint);
  }
  const ordered = refs.toSorted(([one], [other]) => Buffer.from(one).compare(Buffer.from(other)));
  const lines = ordered.map(([name, oid]) => `${oid} ${name}\n`);
  const text = `# pack-refs with: sorted\n${lines.join("")}`;
  if (Buffer.byteLength(text) > refBytesMax) {
    throw new SourceError(`the names of the source's refs have more than ${refBytesMax >> 20} MiB`, fewerHint);
  }
  return text;
}

/** Copies a pack, and makes its index anew: that of the source may say anything. */
async function stagePack(
  { file, offset }: ImportSource["packs"][number],
  folder: string,
  at: number,
  present: Set<string>,
  onObject: OnObject,
): Promise<void> {
  const { size } = statSync(file);
  if (size - offset > packBytesMax) throw new SourceError(`${file} has more than 2 GiB`, repackHint);
  const packs = `${folder}/objects/pack`;
  const name = `staged-${at}`;
  await pipeline(
    fs.createReadStream(file, { start: offset }),
    fs.createWriteStream(`${packs}/${name}.pack`, { mode: 0o600 }),
  );
  const hash = await requireSound(`${packs}/${name}.pack`, file);
  const git = await loadGit();
  const { oids } = await git.indexPack({ fs, dir: packs, gitdir: folder, filepath: `${name}.pack` });
  if (oids.length !== hash.objects) {
    throw new SourceError(
      `${file} has ${hash.objects - oids.length} objects that cannot be read`,
      "git fsck --full in the source",
    );
  }
  for (const oid of oids) {
    present.add(oid);
    onObject();
  }
  for (const ending of ["pack", "idx"])
    await rename(`${packs}/${name}.${ending}`, `${packs}/pack-${hash.name}.${ending}`);
  await unpackLargeDeltas(folder, oids);
}

/** The hash at the end of a pack, which must be that of what is before, and its number of objects. */
async function requireSound(copy: string, file: string): Promise<{ readonly name: string; readonly objects: number }> {
  const broken = new SourceError(`${file} is damaged`, "git fsck --full in the source");
  const { size } = statSync(copy);
  if (size < 12 + trailerBytes) throw broken;
  await verifyCopy(file, copy, "objects/pack/staged.pack").catch(() => Promise.reject(broken));
  const head = Buffer.from(await Bun.file(copy).slice(0, 12).arrayBuffer());
  const trailer = Buffer.from(
    await Bun.file(copy)
      .slice(size - trailerBytes, size)
      .arrayBuffer(),
  );
  if (head.toString("latin1", 0, 4) !== "PACK") throw broken;
  return { name: trailer.toString("hex"), objects: head.readUInt32BE(8) };
}

async function stageLoose(objects: string, folder: string, present: Set<string>, onObject: OnObject): Promise<void> {
  for (const start of readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    for (const rest of readdirSync(join(objects, start)).filter((name) => /^[0-9a-f]{38}$/.test(name))) {
      const path = `objects/${start}/${rest}`;
      const [from, to] = [plainFile(join(objects, start, rest)), `${folder}/${path}`];
      if (present.has(`${start}${rest}`)) continue;
      if (!existsSync(`${folder}/objects/${start}`)) mkdirSync(`${folder}/objects/${start}`, { mode: 0o700 });
      copyFileSync(from, to);
      await verifyCopy(from, to, path).catch((error: unknown) => {
        if (codeOf(error) !== undefined) throw error;
        throw new SourceError(`${from} is damaged`, "git fsck --full in the source");
      });
      present.add(`${start}${rest}`);
      onObject();
    }
  }
}
