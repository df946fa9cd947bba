/** How much of a repository a job fetches (triggers-and-pipelines 5). */

import type { PipelineRecord } from "../pipelines/records.ts";

/** For projects that say nothing. */
const defaultDepth = 20;

/** Commits that the job fetches; 0: all. `GIT_DEPTH` wins; a value that is no number counts as 0, as on the platform. */
export function depthOf(
  variables: readonly { readonly key: string; readonly value: string }[],
  ofProject: number | null,
): number {
  const given = variables.findLast(({ key }) => key === "GIT_DEPTH");
  if (given === undefined) return ofProject ?? defaultDepth;
  return Math.max(0, Number.parseInt(given.value, 10) || 0);
}

/**
 * The refs that the job fetches. The commit comes by its id: its branch may have gone on by more commits than the job fetches,
 * or be deleted.
 */
export function refspecsOf({ id, sha, ref, tag }: PipelineRecord, depth: number): string[] {
  const ofPipeline = `+${sha}:refs/pipelines/${id}`;
  const [heads, tags] = depth > 0 ? [ref, ref] : ["*", "*"];
  const ofBranch = `+refs/heads/${heads}:refs/remotes/origin/${heads}`;
  const ofTag = `+refs/tags/${tags}:refs/tags/${tags}`;
  if (depth === 0) return [ofPipeline, ofBranch, ofTag];
  return [ofPipeline, tag ? ofTag : ofBranch];
}
