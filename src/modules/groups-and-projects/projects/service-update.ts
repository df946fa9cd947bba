import type { Static, TObject } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, invalid } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { getProject, levelIn, requireLevel } from "../../core/access/index.ts";
import { projectEvents, updateProjectRecord } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { updateRecord } from "../../kernel/record-events.ts";
import { type UploadedAvatar, withStoredAvatar } from "../../kernel/uploaded-avatar.ts";
import { notifyOfMovedProject } from "../../notifications/settings/index.ts";
import { defaultBranchOrFirst, placeOf, withDefaultBranch } from "../../repositories/repositories/index.ts";
import { projectKind, scheduleIn } from "../../repositories/storage-moves/index.ts";
import { changeOf, recordProjectEvent } from "./audit.ts";
import { withPolicy } from "./expiration-policy.ts";
import { type ProjectRecord, projectFeatures, projectSettingsOf } from "./records.ts";
import type { UpdateProject } from "./schema-parameters.ts";
import { expirationOf, topicsOf } from "./service-create.ts";
import { mergeSettings, settingsFrom } from "./settings.ts";
import { validateStorage } from "./storages.ts";
import { requireValidProject } from "./validation.ts";

type Parameters = Static<TObject<typeof UpdateProject>>;

/**
 * `PUT /projects/:id` by a maintainer (groups-and-projects 3.1). Throws 403 for a visibility that others than owners
 * give, 400 for broken rules, and for a new name or storage while the repository is moved (storage-moves 5).
 */
export async function updateProject(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
): Promise<ProjectRecord> {
  requireRights(context, caller, project, params);
  const storage = validateStorage(context, caller, params.repository_storage);
  requireValidProject(
    context,
    caller,
    { ...wantedOf(context, caller, project, params), upload: params.avatar },
    project,
  );
  const change = (avatar: UploadedAvatar | undefined) =>
    context.store.transact((tx) => {
      // While the picture was written, the caller may have lost the right, and the project may have been changed or deleted.
      const before = getProject(context, caller, project.id);
      requireLevel(context, caller, { project: before }, accessLevels.maintainer);
      requireRights(context, caller, before, params);
      const wanted = withAvatar(wantedOf(context, caller, before, params), params.avatar === null, avatar);
      requireValidProject(context, caller, wanted, before);
      if (wanted.name !== before.name || wanted.path !== before.path) {
        context.repositories.refuseReadOnly(placeOf(before));
      }
      if (storage !== undefined && storage !== before.repository_storage) {
        scheduleIn(tx, context, caller, projectKind, before, storage);
      }
      if (Bun.deepEquals(wanted, before)) return before;
      const changed = updateProjectRecord(tx, context.store, {
        ...wanted,
        updated_at: toDateTime(context.clock.now()),
      });
      recordChanges(tx, context, caller, before, changed);
      notifyOfMovedProject(tx, context, caller, before, changed);
      publish(tx, context, projectEvents.updated, { caller, before, after: changed });
      return changed;
    });
  return withDefaultBranch(context, caller, project, params.default_branch, () =>
    withStoredAvatar(context, params.avatar, change),
  );
}

/** `POST /projects/:id/archive` and `/unarchive`: what is so already stays as it is. */
export function updateArchived(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  archived: boolean,
): ProjectRecord {
  if (project.archived === archived) return project;
  return context.store.transact((tx) => {
    const now = toDateTime(context.clock.now());
    const wanted = { ...project, archived, updated_at: now, last_activity_at: now };
    const changed = updateRecord(tx, context, caller, projectEvents, wanted);
    const word = archived ? "archived" : "unarchived";
    recordProjectEvent(tx, context, caller, changed, `project_${word}`, { custom_message: `Project ${word}` });
    return changed;
  });
}

/**
 * Throws 403 for what owners alone give, and 400 for roles over variables that only they may decide on: they may set the
 * role to owner, and nobody else changes it from there.
 */
function requireRights(context: Context, caller: SignedInCaller, project: ProjectRecord, params: Parameters): void {
  const isOwner = levelIn(context, caller, { project }) >= accessLevels.owner;
  if (isOwner) return;
  if (params.visibility !== undefined || params.ci_delete_pipelines_in_seconds !== undefined) throw forbidden();
  const before = projectSettingsOf(project);
  const role = params.ci_pipeline_variables_minimum_override_role ?? before.ci_pipeline_variables_minimum_override_role;
  const isRestricted = params.restrict_user_defined_variables ?? before.restrict_user_defined_variables;
  const isRoleNew = role !== before.ci_pipeline_variables_minimum_override_role;
  if (isRoleNew && role === "owner") {
    throw invalid("Changing the ci_pipeline_variables_minimum_override_role to the owner role is not allowed");
  }
  if (before.ci_pipeline_variables_minimum_override_role !== "owner") return;
  if (isRoleNew || isRestricted !== before.restrict_user_defined_variables) {
    throw invalid(
      "Changing the restrict_user_defined_variables or ci_pipeline_variables_minimum_override_role is not allowed",
    );
  }
}

function wantedOf(context: Context, caller: SignedInCaller, project: ProjectRecord, params: Parameters): ProjectRecord {
  const { expiration_policy, ...others } = project;
  const policy = withPolicy(expiration_policy, params.container_expiration_policy_attributes);
  const { name, path, description, visibility, default_branch } = params;
  return {
    ...others,
    ...expirationOf(policy),
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(path === undefined ? {} : { path }),
    ...(description === undefined ? {} : { description }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(default_branch && default_branch !== defaultBranchOrFirst(context, project) ? { default_branch } : {}),
    topics: topicsOf(params) ?? project.topics,
    settings: mergeSettings(project.settings, settingsFrom(context, caller, params)),
  };
}

function withAvatar(project: ProjectRecord, isCleared: boolean, avatar: UploadedAvatar | undefined): ProjectRecord {
  if (avatar !== undefined) return { ...project, avatar };
  return isCleared ? { ...project, avatar: null } : project;
}

/** Settings whose changes are audited, beside the levels of features (audit-events 4). */
const auditedSettings = [
  "merge_method",
  "only_allow_merge_if_pipeline_succeeds",
  "only_allow_merge_if_all_discussions_are_resolved",
] as const;

/** One event for each attribute that is not what it was. */
function recordChanges(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  before: ProjectRecord,
  after: ProjectRecord,
): void {
  const [old, now] = [projectSettingsOf(before), projectSettingsOf(after)];
  const changes: [event: string, change: string, from: unknown, to: unknown][] = [
    ["project_name_updated", "name", before.name, after.name],
    ["project_path_updated", "path", before.path, after.path],
    ["project_visibility_level_updated", "visibility", capital(before.visibility), capital(after.visibility)],
    ["project_default_branch_updated", "default_branch", before.default_branch, after.default_branch],
    ...auditedSettings.map((name): [string, string, unknown, unknown] => [
      `project_${name}_updated`,
      name,
      old[name],
      now[name],
    ]),
    ...projectFeatures.map((feature): [string, string, unknown, unknown] => {
      const name = `${feature}_access_level` as const;
      return [`project_feature_${name}_updated`, name, old[name], now[name]];
    }),
  ];
  for (const [event, change, from, to] of changes) {
    if (from === to) continue;
    recordProjectEvent(tx, context, caller, after, event, changeOf(change, String(from ?? ""), String(to ?? "")));
  }
  if (!Bun.deepEquals(before.topics, after.topics)) {
    recordProjectEvent(tx, context, caller, after, "project_topics_updated", {
      custom_message: `Changed topics from ${before.topics.join(", ")} to ${after.topics.join(", ")}`,
    });
  }
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
