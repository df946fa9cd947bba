import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, invalid, missing } from "../../../domain/failure.ts";
import { Access } from "../../core/access/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { attributesOf, type Problem, problemsOf } from "./attributes.ts";
import { recordRunnerEvent } from "./audit.ts";
import type { NewRunner } from "./schema.ts";
import { insertRunner, type RunnerScope } from "./service-insert.ts";
import { generateRunnerToken, type RunnerWithToken } from "./service-tokens.ts";

/** `POST /user/runners`. Throws 400 and 403, which also hides what the caller may not see. */
export function createRunner(
  context: Context,
  caller: SignedInCaller,
  given: NewRunner,
  token = generateRunnerToken(context),
): RunnerWithToken {
  const place = placeOf(context, caller, given);
  const attributes = attributesOf(given);
  const problems = problemsOf(attributes);
  if (problems.length > 0) throw invalid(`400 Bad request - ${problems.map(sentenceOf).join(" and ")}`);
  return context.store.transact((tx) => {
    const runner = insertRunner(tx, context, token, { ...place, ...attributes, creator_id: caller.user.id });
    recordRunnerEvent(tx, context, caller, runner, "ci_runner_created");
    return { runner, token };
  });
}

function placeOf(
  context: Context,
  { user }: SignedInCaller,
  { runner_type, group_id, project_id }: NewRunner,
): RunnerScope {
  const { store } = context;
  const access = context.get(Access);
  switch (runner_type) {
    case "instance_type":
      if (!user.is_admin) throw refused();
      return { runner_type, group_id: null, project_ids: [] };
    case "group_type": {
      if (group_id === undefined) throw missing("group_id");
      const group = store.of(groups).get(group_id);
      const exists = group !== undefined && !access.isBeingDeleted({ group });
      if (!exists) throw user.is_admin ? invalid("400 Bad request - Validation error") : refused();
      if (access.levelInGroup(user, group_id) < accessLevels.owner) throw refused();
      return { runner_type, group_id, project_ids: [] };
    }
    case "project_type": {
      if (project_id === undefined) throw missing("project_id");
      const project = store.of(projects).get(project_id);
      const exists = project !== undefined && !access.isBeingDeleted({ project });
      if (!exists) throw user.is_admin ? invalid("400 Bad request - Validation error") : refused();
      if (access.levelInProject(user, project) < accessLevels.maintainer) throw refused();
      return { runner_type, group_id: null, project_ids: [project_id] };
    }
  }
}

function refused() {
  return forbidden("Insufficient permissions");
}

function sentenceOf({ attribute, text }: Problem): string {
  const name = attribute.replaceAll("_", " ");
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${text}`;
}
