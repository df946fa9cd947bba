import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid, notFound } from "../../../domain/failure.ts";
import { isWiderThan } from "../../../domain/visibility.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { Access } from "../../core/access/index.ts";
import {
  findNamespaceByPath,
  fullPathOf,
  isPathTaken,
  projectEvents,
  updateProjectRecord,
} from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { notifyOfMovedProject } from "../../notifications/settings/index.ts";
import { placeOf } from "../../repositories/repositories/index.ts";
import { groups, nameKey } from "../groups/records.ts";
import { type NamespaceRecord, namespaces } from "../namespaces-api/records.ts";
import { changeOf, recordProjectEvent } from "./audit.ts";
import { canTransferProjectsTo } from "./policy.ts";
import { type ProjectRecord, projects } from "./records.ts";
import { insertNamespaceOwner, projectLimitReached } from "./service-create.ts";

/**
 * `PUT /projects/:id/transfer` by an owner (groups-and-projects 3.1). Throws 404 for a namespace that the caller does
 * not see, 400 for a place that cannot take the project.
 */
export function transferProjectTo(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  namespace: string,
): ProjectRecord {
  const target = findTarget(context, caller, namespace);
  if (target === undefined) throw notFound("Namespace");
  return transferProject(context, caller, project, target);
}

/** Moves a project to a namespace that the caller sees. Throws 400, also while the repository is moved. */
export function transferProject(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  target: NamespaceRecord,
): ProjectRecord {
  context.repositories.refuseReadOnly(placeOf(project));
  const problem = problemOf(context, caller, project, target);
  if (problem !== undefined) throw invalid(`Failed to transfer project ${problem}`);
  const { store, clock } = context;
  return store.transact((tx) => {
    const from = fullPathOf(store, project.namespace_id);
    const limit = store.of(groups).get(target.id)?.visibility ?? "public";
    const moved = updateProjectRecord(tx, store, {
      ...project,
      namespace_id: target.id,
      visibility: isWiderThan(project.visibility, limit) ? limit : project.visibility,
      updated_at: toDateTime(clock.now()),
    });
    insertNamespaceOwner(tx, context, caller, moved, target);
    const act = changeOf("namespace", from, fullPathOf(store, target.id));
    recordProjectEvent(tx, context, caller, moved, "project_namespace_updated", act);
    notifyOfMovedProject(tx, context, caller, project, moved);
    publish(tx, context, projectEvents.updated, { caller, before: project, after: moved });
    return moved;
  });
}

/** A namespace by its id or full path, when the caller sees it. */
function findTarget(context: Context, { user }: SignedInCaller, namespace: string): NamespaceRecord | undefined {
  const { store } = context;
  const found = /^\d+$/.test(namespace)
    ? store.of(namespaces).get(Number(namespace))
    : findNamespaceByPath(store, namespace);
  if (found?.kind === "user") return found.owner_id === user.id || user.is_admin ? found : undefined;
  const group = found === undefined ? undefined : store.of(groups).get(found.id);
  return group !== undefined && context.get(Access).canSeeGroup(user, group) ? found : undefined;
}

function problemOf(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  target: NamespaceRecord,
): string | undefined {
  if (target.id === project.namespace_id) return '{:new_namespace=>["Project is already in this namespace."]}';
  if (!canTransferProjectsTo(context, user, target)) {
    return `{:new_namespace=>["You don't have permission to transfer projects into that namespace."]}`;
  }
  const limit = projectLimitReached(context, target);
  if (limit !== undefined) return `{:limit_reached=>["Your project limit is ${limit} projects!"]}`;
  const bearers = context.store.of(projects).by.name_in_namespace.find(nameKey(target.id, project.name));
  if (bearers.size > 0 || isPathTaken(context.store, target.id, project.path)) {
    return '{:new_namespace=>["Project with same name or path in target namespace already exists"]}';
  }
  return undefined;
}
