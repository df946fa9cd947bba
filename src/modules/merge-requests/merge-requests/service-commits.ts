import type { Caller } from "../../../domain/caller.ts";
import { branchPrefix } from "../../../git/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { placeOf, readerOf } from "../../repositories/repositories/index.ts";
import type { MergeRequestRecord } from "./records.ts";

/** The number of commits of the target branch that the source branch lacks; 0 when the target branch is gone. */
export function countDivergedCommits(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { target_branch, head_sha }: MergeRequestRecord,
): Promise<number> {
  return context.repositories.readInTurn(placeOf(project), readerOf(caller), async (repository) => {
    const target = await repository.resolve(`${branchPrefix}${target_branch}`);
    const source = await repository.commitOf(head_sha);
    if (target === undefined || source === undefined) return 0;
    return (await repository.range({ left: source, right: target, isSymmetric: false })).size;
  });
}
