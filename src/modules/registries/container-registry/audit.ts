/** The audit events about container repositories. */

import type { Caller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { recordAuditEvent } from "../../core/audit-events/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { pathOf } from "./present.ts";
import type { ContainerRepositoryRecord } from "./records.ts";

function record(
  tx: Transaction,
  context: Context,
  caller: Caller,
  repository: ContainerRepositoryRecord,
  event: string,
  custom_message: string,
): void {
  const { store } = context;
  const project = store.of(projects).get(repository.project_id) as ProjectRecord;
  recordAuditEvent(tx, context, caller, {
    event,
    entity: { type: "Project", id: project.id, path: projectPathOf(store, project) },
    target: { type: "ContainerRepository", id: repository.id, details: pathOf(store, repository) },
    act: { custom_message },
  });
}

/** audit-events 4. */
export function recordTagsDeleted(
  tx: Transaction,
  context: Context,
  caller: Caller,
  repository: ContainerRepositoryRecord,
  names: readonly string[],
): void {
  const message = `Container repository tags marked for deletion: ${names.join(", ")}`;
  record(tx, context, caller, repository, "container_repository_tags_deleted", message);
}

export function recordDeletionMarked(
  tx: Transaction,
  context: Context,
  caller: Caller,
  repository: ContainerRepositoryRecord,
): void {
  const message = `Marked container repository ${repository.id} for deletion`;
  record(tx, context, caller, repository, "container_repository_deletion_marked", message);
}
