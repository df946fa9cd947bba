/** The branch or tag that a pipeline is for. */

import { branchPrefix, type Commit, type Repository, tagPrefix } from "../../../../git/index.ts";
import type { PipelineRecord } from "../records.ts";
import { keptMessage } from "./predefined-variables.ts";

/** A branch or tag with its commit. */
export interface FoundRef {
  /** The name without its prefix. */
  readonly name: string;
  readonly tag: boolean;
  readonly commit: Commit;
  /** The message of an annotated tag. */
  readonly tagMessage?: string;
}

/** The parts of a ref that its pipeline keeps. Of long messages it keeps as much as variables have: all records are in memory. */
export function keptOf({ commit, tagMessage }: FoundRef): Pick<PipelineRecord, "commit" | "tag_message"> {
  const kept = { commit: { ...commit, message: keptMessage(commit.message) } };
  return tagMessage === undefined ? kept : { ...kept, tag_message: keptMessage(tagMessage) };
}

/** A branch or tag by its name, or as `refs/heads/x` and `refs/tags/x`. A commit is none. */
export async function findRef(repository: Repository, ref: string): Promise<FoundRef | "missing" | "ambiguous"> {
  if (ref.startsWith(branchPrefix)) return found(repository, ref.slice(branchPrefix.length), false);
  if (ref.startsWith(tagPrefix)) return found(repository, ref.slice(tagPrefix.length), true);
  const [branch, tag] = await Promise.all([found(repository, ref, false), found(repository, ref, true)]);
  if (branch !== "missing" && tag !== "missing") return "ambiguous";
  return branch === "missing" ? tag : branch;
}

async function found(repository: Repository, name: string, tag: boolean): Promise<FoundRef | "missing"> {
  const oid = await (tag ? repository.tag(name) : repository.branch(name));
  const commit = oid === undefined ? undefined : await repository.commitOf(oid);
  if (oid === undefined || commit === undefined) return "missing";
  const annotated = tag && oid !== commit.oid ? await repository.annotatedTag(oid) : undefined;
  return { name, tag, commit, ...(annotated === undefined ? {} : { tagMessage: annotated.message }) };
}
