import { requestPace, spend } from "../../domain/work-budget.ts";
import { type Pace, takeSteps } from "../../lib/yield.ts";
import type { Commit } from "../objects/objects.ts";
import { type ChangedFile, changedFiles, type FileVersion, kindOf, type Trees } from "./changed-files.ts";
import { countChanges, type LineCounts } from "./count-changes.ts";
import { isBinary } from "./lines.ts";
import { withRenames } from "./renames.ts";

/** Files that one commit changes and whose lines are counted. */
const filesMax = 5_000;
/** Bytes of a file whose lines are counted, and of all of one commit. */
const [fileBytesMax, bytesMax] = [8 << 20, 16 << 20];

/** The objects of a repository. */
interface Objects extends Trees {
  commitOf(oid: string): Promise<Commit | undefined>;
  blobSize(oid: string): Promise<number>;
  blob(oid: string): Promise<Uint8Array>;
}

const nothing: LineCounts = { additions: 0, deletions: 0 };

/**
 * Counts the lines that a commit adds and removes in its first parent, as git does: none in binary files, one for a
 * submodule. Files beyond the limits do not count. Throws `OverBudget`.
 */
export async function countCommitChanges(repository: Objects, { tree, parent }: Commit): Promise<LineCounts> {
  const [first] = parent;
  const before = first === undefined ? undefined : (await repository.commitOf(first))?.tree;
  const pace = requestPace();
  const files: ChangedFile[] = [];
  for await (const file of changedFiles(repository, before, tree)) {
    files.push(file);
    if (files.length === filesMax) break;
  }
  const content = new Content(repository);
  const read = (version: FileVersion) => content.read(version);
  let [additions, deletions] = [0, 0];
  for (const file of await withRenames(files, read, pace)) {
    const counts = await countFileChanges(file, content, pace);
    additions += counts.additions;
    deletions += counts.deletions;
  }
  return { additions, deletions };
}

const submodule = "160";

async function countFileChanges({ before, after }: ChangedFile, content: Content, pace: Pace): Promise<LineCounts> {
  if (before?.oid === after?.oid) return nothing;
  const old = before === undefined ? emptyFile : await content.read(before);
  const now = after === undefined ? emptyFile : await content.read(after);
  if (old === undefined || now === undefined || isBinary(old) || isBinary(now)) return nothing;
  return takeSteps(countChanges(old, now), pace);
}

const emptyFile = new Uint8Array();

/** The files of two trees, as far as one commit may read them. */
class Content {
  readonly #repository: Objects;
  readonly #counted = new Set<string>();
  #bytesLeft = bytesMax;

  constructor(repository: Objects) {
    this.#repository = repository;
  }

  /** undefined for a file that is too large. */
  async read(version: FileVersion): Promise<Uint8Array | undefined> {
    const { oid } = version;
    if (kindOf(version) === submodule) return Buffer.from(`Subproject commit ${oid}\n`);
    const size = await this.#repository.blobSize(oid);
    if (!this.#counted.has(oid)) {
      if (size > Math.min(this.#bytesLeft, fileBytesMax)) return undefined;
      this.#bytesLeft -= size;
      this.#counted.add(oid);
    }
    spend(size);
    return this.#repository.blob(oid);
  }
}
