import { requestPace } from "../../domain/work-budget.ts";
import { type Pace, takeSteps } from "../../lib/yield.ts";
import type { Commit } from "../objects/objects.ts";
import { type ChangedFile, changedFiles, type FileVersion } from "./changed-files.ts";
import { Content, type ReadObjects } from "./content.ts";
import { countChanges, type LineCounts } from "./count-changes.ts";
import { isBinary } from "./lines.ts";
import { withRenames } from "./renames.ts";

/** Files that one commit changes and whose lines are counted. */
const filesMax = 5_000;
/** Bytes of the files whose lines are counted. */
const bytesMax = 16 << 20;

const nothing: LineCounts = { additions: 0, deletions: 0 };

/**
 * Counts the lines that a commit adds and removes in its first parent, as git does: none in binary files, one for a
 * submodule. Files beyond the limits do not count. Throws `OverBudget`.
 */
export async function countCommitChanges(repository: ReadObjects, { tree, parent }: Commit): Promise<LineCounts> {
  const [first] = parent;
  const before = first === undefined ? undefined : (await repository.commitOf(first))?.tree;
  const pace = requestPace();
  const files: ChangedFile[] = [];
  for await (const file of changedFiles(repository, before, tree)) {
    files.push(file);
    if (files.length === filesMax) break;
  }
  const content = new Content(repository, bytesMax);
  const read = (version: FileVersion) => content.read(version);
  let [additions, deletions] = [0, 0];
  for (const file of await withRenames(files, read, pace)) {
    const counts = await countFileChanges(file, content, pace);
    additions += counts.additions;
    deletions += counts.deletions;
  }
  return { additions, deletions };
}

async function countFileChanges({ before, after }: ChangedFile, content: Content, pace: Pace): Promise<LineCounts> {
  if (before?.oid === after?.oid) return nothing;
  const [old, now] = [await content.read(before), await content.read(after)];
  if (old === undefined || now === undefined || isBinary(old) || isBinary(now)) return nothing;
  return takeSteps(countChanges(old, now), pace);
}
