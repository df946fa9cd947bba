import type { SignedInCaller } from "../../domain/caller.ts";
import { type DateTime, toDateTime } from "../../domain/datetime.ts";
import { notFound, refuseModified } from "../../domain/failure.ts";
import type { Transaction } from "../../store/index.ts";
import { type JobTokenGroupLinkRecord, jobTokenGroupLinks, linkKey } from "../access/index.ts";
import { recordAuditEvent } from "../audit-events/index.ts";
import type { Context } from "../context.ts";
import { fullPathOf, type GroupRecord, groups, type ProjectRecord, projectPathOf } from "../namespaces/index.ts";
import { allowedGroups } from "./list.ts";
import { linksMax, refused, refuseReader } from "./service.ts";

/** `POST …/groups_allowlist`. Throws 404 for an unknown group, and the 400s of job-token-scope 4. */
export function addGroup(
  context: Context,
  caller: SignedInCaller,
  source: ProjectRecord,
  targetId: number,
): JobTokenGroupLinkRecord {
  const { store, access, clock } = context;
  const target = getTarget(context, targetId);
  if (!access.seesGroup(caller.user, target)) {
    throw refused(
      "The target_group that you are attempting to access does not exist or you don't have permission to perform this action",
    );
  }
  if (findLink(context, source, target) !== undefined) {
    throw refused("Target group is already in the job token scope");
  }
  if (allowedGroups(context, source).length >= linksMax) {
    throw refused("Validation failed: Source project exceeds the allowable number of group links in this direction");
  }
  return store.transact((tx) => {
    recordEvent(tx, context, caller, source, target, "added to");
    return tx.insert(jobTokenGroupLinks, {
      id: tx.nextId("job_token_group_links"),
      source_project_id: source.id,
      target_group_id: target.id,
      created_at: toDateTime(clock.now()),
    });
  });
}

/** `DELETE …/groups_allowlist/:target_group_id`, also of a group that the caller does not see. Throws 404 before 403, 400 and 412. */
export function removeGroup(
  context: Context,
  caller: SignedInCaller,
  source: ProjectRecord,
  targetId: number,
  unmodifiedSince: DateTime | undefined,
): void {
  const target = getTarget(context, targetId);
  refuseReader(context, caller, source);
  const link = findLink(context, source, target);
  if (link === undefined) throw refused("Target group is not in the job token scope");
  refuseModified({ updated_at: link.created_at }, unmodifiedSince);
  context.store.transact((tx) => {
    tx.remove(jobTokenGroupLinks, link.id);
    recordEvent(tx, context, caller, source, target, "removed from");
  });
}

function getTarget({ store, access }: Context, id: number): GroupRecord {
  const group = store.of(groups).get(id);
  if (group === undefined || access.isGoing({ group })) throw notFound("target_group_id not found");
  return group;
}

function findLink({ store }: Context, source: ProjectRecord, target: GroupRecord) {
  const links = store.of(jobTokenGroupLinks);
  return links.get(links.by.pair.find(linkKey(source.id, target.id)) ?? 0);
}

function recordEvent(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  source: ProjectRecord,
  target: GroupRecord,
  what: "added to" | "removed from",
): void {
  const path = projectPathOf(context.store, source);
  const targetPath = fullPathOf(context.store, target.id);
  recordAuditEvent(tx, context, caller, {
    event: what === "added to" ? "secure_ci_job_token_group_added" : "secure_ci_job_token_group_removed",
    entity: { type: "Project", id: source.id, path },
    target: { type: "Group", id: target.id, details: targetPath },
    act: { custom_message: `Group ${targetPath} was ${what} list of allowed groups for ${path}` },
  });
}
