/** The subscriber that creates a pipeline for a push. */

import { branchPrefix, ObjectTooLarge, tagPrefix } from "../../../../git/index.ts";
import type { Transaction } from "../../../../store/index.ts";
import { projectSettingOf } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { subscribe } from "../../../kernel/event.ts";
import { type Push, placeOf, refPushed } from "../../../repositories/repositories/index.ts";
import { canSetVariables } from "../policy.ts";
import { findCiFile } from "./ci-files.ts";
import { planInTurn } from "./plan-queue.ts";
import { hasJobs, insertPipeline, type PipelineRequest, planOutcome } from "./service-create.ts";

const skipped = /\[(skip ci|ci skip)\]/i;

/** Inserts the `push` pipeline of a branch or tag whose commit has a CI file (triggers-and-pipelines 5). */
export const pipelineOfPush = subscribe(refPushed, {
  prepare: planPush,
  run: (tx, _context, _push, insert) => insert?.(tx),
});

type InsertPipeline = (tx: Transaction) => void;

/** A push is never refused for its CI file, nor for what is too large to be read. undefined: it starts no pipeline. */
async function planPush(context: Context, push: Push): Promise<InsertPipeline | undefined> {
  const { caller, project, pipeline, commit, baseUrl } = push;
  if (commit === undefined || baseUrl === undefined) return undefined;
  if (pipeline === "none" || projectSettingOf(project, "builds_access_level") === "disabled") return undefined;
  const hasVariables = pipeline !== undefined && pipeline.variables.length > 0;
  if (hasVariables && !canSetVariables(context, caller.user, project)) return undefined;
  try {
    return await planInTurn(context, caller.user, () => planOf(context, push, commit, baseUrl));
  } catch (error) {
    if (error instanceof ObjectTooLarge) return undefined;
    throw error;
  }
}

function planOf(context: Context, push: Push, oid: string, baseUrl: string): Promise<InsertPipeline | undefined> {
  const { caller, project, ref, before, after } = push;
  const wishes = push.pipeline === "none" ? undefined : push.pipeline;
  const variables = (wishes?.variables ?? []).map((each) => ({ variable_type: "env_var" as const, ...each }));
  const request: PipelineRequest = { project, user: caller.user, ref, source: "push", variables, baseUrl };
  return context.repositories.read(placeOf(project), async (repository) => {
    const commit = await repository.commitOf(oid);
    if (commit === undefined) return undefined;
    const tag = ref.startsWith(tagPrefix);
    const name = ref.slice((tag ? tagPrefix : branchPrefix).length);
    const annotated = after === oid ? undefined : await repository.annotatedTag(after);
    const found = { name, tag, commit, ...(annotated === undefined ? {} : { tagMessage: annotated.message }) };
    const text = await findCiFile(repository, project, found);
    if (text === undefined) return undefined;
    if (wishes?.isSkipped === true || skipped.test(commit.message)) {
      const outcome = { name: null, variables: {}, rawVariables: new Set<string>(), jobs: [] };
      const plan = { request, found, beforeSha: before, outcome };
      return (tx) => void insertPipeline(tx, context, plan, { status: "skipped" });
    }
    const outcome = await planOutcome(context, request, repository, found, before, text);
    if (outcome === "filtered" || !hasJobs(outcome)) return undefined;
    return (tx) => void insertPipeline(tx, context, { request, found, beforeSha: before, outcome });
  });
}
