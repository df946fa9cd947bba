import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { digestOf } from "../../../lib/token-digest.ts";
import type { Store } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { findByRunnersToken, selfAndAncestors, shownRunnersToken } from "../../core/namespaces/index.ts";
import { type ServicePlace, servicePlaceOf, WriteQuota } from "../../core/users/index.ts";
import { type GroupRecord, groups } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { attributesOf, requireValidAttributes } from "./attributes.ts";
import { recordRegistrationReset, recordRunnerEvent } from "./audit.ts";
import { runnerRegistrationTokens } from "./records.ts";
import type { RegisterRunner } from "./schema.ts";
import { insertRunner, type RunnerScope } from "./service-insert.ts";
import type { RunnerWithToken } from "./service-tokens.ts";

const instanceScope: RunnerScope = { runner_type: "instance_type", group_id: null, project_ids: [] };

/** Tokens of registered runners have no prefix: by one, a runner recognises a token that was created for it. */
const tokenLength = 20;

/** `POST /runners`: what a runner does with a registration token. Throws 403 for the token, then 400. */
export function registerRunner(
  context: Context,
  caller: Caller,
  { token: registration, ...given }: Static<typeof RegisterRunner>,
): RunnerWithToken {
  const place = placeOf(context, registration);
  const writer = writerIn(context.store, place);
  if (writer !== undefined) context.get(WriteQuota).enter(writer);
  const { active, paused = active === false, maintainer_note, maintenance_note = maintainer_note, ...more } = given;
  const attributes = attributesOf({ ...more, paused, ...(maintenance_note === undefined ? {} : { maintenance_note }) });
  requireValidAttributes(attributes);
  const token = context.randomness.token(tokenLength);
  return context.store.transact((tx) => {
    const runner = insertRunner(tx, context, token, { ...place, ...attributes, creator_id: null });
    recordRunnerEvent(tx, context, caller, runner, "ci_runner_registered");
    return { runner, token };
  });
}

/** The scope of runners with a registration token. Throws 403. */
function placeOf(context: Context, token: string): RunnerScope {
  const { store } = context;
  if (store.of(runnerRegistrationTokens).get(1)?.digest === digestOf(token)) return instanceScope;
  const found = findByRunnersToken(store, token);
  if (found === undefined || context.get(Access).isBeingDeleted(found)) throw forbidden("invalid token supplied");
  return placeIn(found);
}

/** undefined: only administrators have the token. */
function writerIn(store: Store, { group_id, project_ids }: RunnerScope): ServicePlace | undefined {
  const project = store.of(projects).get(project_ids[0] ?? 0);
  if (project !== undefined) return servicePlaceOf(store, project);
  return group_id === null ? undefined : `group ${selfAndAncestors(store, group_id).at(-1)?.id ?? group_id}`;
}

function placeIn(source: { readonly group: GroupRecord } | { readonly project: ProjectRecord }): RunnerScope {
  return "group" in source
    ? { runner_type: "group_type", group_id: source.group.id, project_ids: [] }
    : { runner_type: "project_type", group_id: null, project_ids: [source.project.id] };
}

/** Another registration token in the place of the one before, which no runner is registered with any more. */
export function resetRegistrationToken(
  context: Context,
  caller: Caller,
  source?: { readonly group: GroupRecord } | { readonly project: ProjectRecord },
): string {
  const { store, randomness } = context;
  const secret = randomness.token(tokenLength);
  return store.transact((tx) => {
    recordRegistrationReset(tx, context, caller, source === undefined ? instanceScope : placeIn(source));
    if (source === undefined) {
      const token = `GR1348941i_${secret}`;
      const record = { id: 1, digest: digestOf(token) } as const;
      if (store.of(runnerRegistrationTokens).get(1) === undefined) tx.insert(runnerRegistrationTokens, record);
      else tx.update(runnerRegistrationTokens, record);
      return token;
    }
    if ("group" in source) {
      return shownRunnersToken({ group: tx.update(groups, { ...source.group, runners_token: secret }) });
    }
    return shownRunnersToken({ project: tx.update(projects, { ...source.project, runners_token: secret }) });
  });
}
