/** The options that `git push -o` sends (git-over-http 7). Unknown ones are ignored. */

import { branchPrefix, noOid, type RefCommand, tagPrefix } from "../../../git/index.ts";
import type { Push, PushPipeline } from "../repositories/index.ts";

/** Branches, and tags, of one push that get a pipeline, at most. */
const pipelinesMax = 4;
const valueLengthMax = 1_000;

function wishesOf(options: readonly string[]): PushPipeline {
  const variables = new Map<string, string>();
  for (const option of options) {
    const [, key, value] = /^ci\.variable=([a-zA-Z0-9_]{1,255})=(.*)$/s.exec(option) ?? [];
    if (key !== undefined && value !== undefined && value.length <= valueLengthMax) variables.set(key, value);
  }
  return {
    isSkipped: options.includes("ci.skip"),
    variables: [...variables].map(([key, value]) => ({ key, value })),
  };
}

/** Says for each command which pipeline it wants: the first branches and the first tags of a push get one. */
export function pipelinesOf(commands: readonly RefCommand[], options: readonly string[]): Push["pipeline"][] {
  const wishes = wishesOf(options);
  const counts = new Map<string, number>();
  return commands.map(({ ref, after }) => {
    const prefix = [branchPrefix, tagPrefix].find((each) => ref.startsWith(each));
    if (prefix === undefined || after === noOid) return "none";
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return count > pipelinesMax ? "none" : wishes;
  });
}
