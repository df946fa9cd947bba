import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { spend } from "../domain/work-budget.ts";
import { trimCharacters } from "../lib/text/trim.ts";
import type { RefDeletions } from "./deleted-refs.ts";
import { Draft } from "./draft.ts";
import { exists, makeDurableFolder, syncFolder, writeSynced } from "./durable.ts";
import { loadGit } from "./git.ts";
import { installPack, type ReceivedPack } from "./install-pack.ts";
import type { MadeObject } from "./merge/objects.ts";
import { renderCommit, renderTag } from "./objects/commits.ts";
import { requireReadableTree } from "./objects/limits.ts";
import { type ObjectReader, packObject, type TreeEntry } from "./objects/objects.ts";
import { renderTree, type TreeChanges } from "./objects/trees.ts";
import type { Refs } from "./refs.ts";
import { Repository } from "./repository.ts";

/** The author of a commit or a tag, and the time. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

export interface NewCommit {
  readonly message: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
}

/** The steps of an object that is hashed, deflated and written as a file: a request may write 1,500 of them. */
const writtenObjectSteps = 20_000;

/**
 * The only writer of a repository at the time. Objects are gathered in memory; `save` puts them on the disk, and `update`
 * then switches the ref, which is the instant at which the change is there. Without it nothing has changed.
 */
export class RepositoryWriter extends Repository {
  readonly #draft = new Draft();
  readonly #deletions: RefDeletions;

  constructor(objects: ObjectReader, refs: Refs, deletions: RefDeletions) {
    super(objects, refs);
    this.#deletions = deletions;
  }

  /** Bytes of the objects that `save` would put on the disk. */
  get draftBytes(): number {
    return this.#draft.bytes;
  }

  /** Writes a file's bytes. Throws `OverBudget`, as all that writes an object. */
  writeBlob(bytes: Uint8Array): Promise<string> {
    return this.#writePacked("blob", bytes);
  }

  writeTree(entries: readonly TreeEntry[]): Promise<string> {
    return this.#writePacked("tree", renderTree(entries));
  }

  /** Writes what a merge has made. */
  async writeMade(objects: readonly MadeObject[]): Promise<void> {
    for (const { type, bytes } of objects) await this.#writePacked(type, bytes);
  }

  /** Writes a stored tree with some changes; undefined when nothing is left. Throws 400 for one that is too large. */
  async changeTree(tree: string | undefined, changes: TreeChanges): Promise<string | undefined> {
    const bytes = await this.objects.changedTree(tree, changes);
    return bytes.length === 0 ? undefined : this.#writePacked("tree", bytes);
  }

  async #writePacked(type: "blob" | "tree", bytes: Uint8Array): Promise<string> {
    const git = await this.#begin();
    if (type === "tree") requireReadableTree(bytes);
    const { oid, deflated } = await packObject(type, bytes);
    await git.writeObject({
      fs: this.#draft,
      gitdir: this.folder,
      type,
      object: deflated,
      format: "deflated",
      oid,
    });
    return oid;
  }

  async writeCommit({ message, tree, parents, author, committer }: NewCommit): Promise<string> {
    const content = { message, tree, parent: parents, author: signed(author), committer: signed(committer) };
    return this.#write("commit", renderCommit(content));
  }

  /** An annotated tag of a commit. */
  writeTag(name: string, commit: string, message: string, tagger: Signature): Promise<string> {
    const by = signed(tagger);
    return this.#write("tag", renderTag({ object: commit, tag: name, message, tagger: by }, by));
  }

  async #write(type: "commit" | "tag", text: string): Promise<string> {
    const git = await this.#begin();
    return git.writeObject({
      fs: this.#draft,
      gitdir: this.folder,
      type,
      object: Buffer.from(text),
      format: "content",
    });
  }

  /** Counts the work of an object that is about to be written. */
  #begin(): ReturnType<typeof loadGit> {
    spend(writtenObjectSteps, "input");
    return loadGit();
  }

  /** Puts what was written on the disk, where no ref names it yet, so that it can be read. Says how many bytes that were. */
  async save(): Promise<number> {
    await makeBare(this.folder);
    return this.#draft.save(`${this.folder}/objects`);
  }

  /**
   * Makes a received pack, which is checked and synced, a part of the repository. `received` is its path without an ending.
   * Says how many bytes that were.
   */
  async installPack(received: string, pack: ReceivedPack): Promise<number> {
    await makeBare(this.folder);
    return installPack(received, `${this.folder}/objects`, pack);
  }

  /**
   * Switches a ref to what was written, durably: the commit point. `asHead` makes its branch the one that clones begin
   * with. Says how many bytes the repository has grown by.
   */
  async update(ref: string, oid: string, asHead?: string): Promise<number> {
    const bytes = await this.save();
    if (asHead !== undefined) await this.ownRefs.setHead(asHead);
    await this.ownRefs.write(ref, oid);
    return bytes;
  }

  /** Returns the object that a ref names; undefined when there is no such ref. */
  at(ref: string): Promise<string | undefined> {
    return this.ownRefs.read(ref);
  }

  /** Puts a ref back to what `at` said before an `update`. */
  async restore(ref: string, oid: string | undefined): Promise<void> {
    if (oid === undefined) await this.delete(ref);
    else await this.ownRefs.write(ref, oid);
  }

  async delete(ref: string): Promise<void> {
    const oid = await this.ownRefs.read(ref);
    if (oid !== undefined) this.#deletions.note(this.folder, ref, oid);
    await this.ownRefs.delete(ref);
  }

  /** Makes a branch the one that clones begin with. */
  async setHead(branch: string): Promise<void> {
    await this.ownRefs.setHead(branch);
  }
}

/** A bare repository without anything in it, whole from the instant at which it has its name. */
async function makeBare(folder: string): Promise<void> {
  if (await exists(folder)) return;
  const parent = dirname(folder);
  await makeDurableFolder(parent);
  const temporary = `${folder}.new`;
  await rm(temporary, { recursive: true, force: true });
  try {
    await fillBare(temporary);
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(parent);
}

/** Fills a folder with what a bare repository without objects and refs has. */
export async function fillBare(folder: string): Promise<void> {
  const folders = ["objects/info", "objects/pack", "refs/heads", "refs/tags"];
  for (const each of folders) await mkdir(`${folder}/${each}`, { recursive: true, mode: 0o700 });
  await writeSynced(`${folder}/HEAD`, "ref: refs/heads/main\n", 0o600);
  await writeSynced(
    `${folder}/config`,
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n",
    0o600,
  );
  for (const each of [...folders, "objects", "refs", "."]) await syncFolder(`${folder}/${each}`);
}

function signed({ name, email, timestamp }: Signature) {
  return { name: cleaned(name) || "unknown", email: cleaned(email), timestamp, timezoneOffset: 0 };
}

/** Characters that would end a name or an address are left out, as git does, and those at the edges that it trims. */
function cleaned(text: string): string {
  // A line break would begin another header of the commit.
  const allowed = [...text].filter((character) => character >= " " && character !== "<" && character !== ">");
  return trimCharacters(allowed.join(""), ` .,:;"'\\`);
}
