import type { SignedInCaller } from "../../../domain/caller.ts";
import { notFound, requireUnmodified } from "../../../domain/failure.ts";
import type { SourceRef } from "../../../domain/source.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { Access, findSource, type Source, sourcePathOf } from "../../core/access/index.ts";
import { recordAuditEvent } from "../../core/audit-events/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type JobTokenLinkRecord, jobTokenLinks, jobTokenPair } from "./records.ts";
import { refused, requireProjectReader } from "./service.ts";

/** Links of one kind that a project may have. */
const linksMax = 200;

/** The targets on a project's list, oldest first, without those being deleted. */
function targetsOf(context: Context, source: ProjectRecord): Source[] {
  const { store } = context;
  const links = store.of(jobTokenLinks);
  return [...links.by.source_project_id.find(source.id)].flatMap((id) => {
    const { target_type, target_id } = links.get(id) as JobTokenLinkRecord;
    const target = findSource(store, { type: target_type, id: target_id });
    return target === undefined || context.get(Access).isBeingDeleted(target) ? [] : [target];
  });
}

export function listAllowedProjects(context: Context, source: ProjectRecord): ProjectRecord[] {
  return targetsOf(context, source).flatMap((target) => ("project" in target ? [target.project] : []));
}

export function listAllowedGroups(context: Context, source: ProjectRecord): GroupRecord[] {
  return targetsOf(context, source).flatMap((target) => ("group" in target ? [target.group] : []));
}

const listedTexts = {
  project: "This project is already in the job token allowlist.",
  group: "Target group is already in the job token scope",
};

/** `POST …/allowlist` and `…/groups_allowlist`. Throws 404 for an unknown target, and the 400s of job-token-scope 4. */
export function createLink(context: Context, caller: SignedInCaller, source: ProjectRecord, ref: SourceRef): void {
  const { type } = ref;
  const target = findThere(context, ref);
  if (target === undefined) throw notFound(`target_${type}_id not found`);
  if (!isSeen(context, caller, target)) {
    throw refused(
      `The target_${type} that you are attempting to access does not exist or you don't have permission to perform this action`,
    );
  }
  if (isItself(source, ref)) throw refused("Validation failed: Target project can't be the same as the source project");
  if (findLink(context, source, ref) !== undefined) throw refused(listedTexts[type]);
  if (targetsOf(context, source).filter((each) => type in each).length >= linksMax) {
    const what = type === "project" ? "project links in this direction" : "group links in this direction";
    throw refused(`Validation failed: Source project exceeds the allowable number of ${what}`);
  }
  context.store.transact((tx) => {
    recordEvent(tx, context, caller, source, target, "added");
    tx.insert(jobTokenLinks, {
      id: tx.nextId("job_token_links"),
      source_project_id: source.id,
      target_type: type,
      target_id: ref.id,
      created_at: toDateTime(context.clock.now()),
    });
  });
}

/**
 * `DELETE …/allowlist/:target_project_id` and `…/groups_allowlist/:target_group_id`; groups also when the caller does
 * not see them. Throws 404 before 403, then the 400s of job-token-scope 4, and 412.
 */
export function deleteLink(
  context: Context,
  caller: SignedInCaller,
  source: ProjectRecord,
  ref: SourceRef,
  unmodifiedSince: DateTime | undefined,
): void {
  const target = findThere(context, ref);
  if (target === undefined || ("project" in target && !isSeen(context, caller, target))) {
    throw notFound(ref.type === "project" ? "Project" : "target_group_id not found");
  }
  requireProjectReader(context, caller, source);
  if (isItself(source, ref)) throw refused("Source project cannot be removed from the job token scope");
  const link = findLink(context, source, ref);
  if (link === undefined) throw refused(`Target ${ref.type} is not in the job token scope`);
  requireUnmodified({ updated_at: link.created_at }, unmodifiedSince);
  context.store.transact((tx) => {
    tx.remove(jobTokenLinks, link.id);
    recordEvent(tx, context, caller, source, target, "removed");
  });
}

function findThere(context: Context, ref: SourceRef): Source | undefined {
  const target = findSource(context.store, ref);
  return target === undefined || context.get(Access).isBeingDeleted(target) ? undefined : target;
}

function isSeen(context: Context, { user }: SignedInCaller, target: Source): boolean {
  const access = context.get(Access);
  return "group" in target ? access.canSeeGroup(user, target.group) : access.canSeeProject(user, target.project);
}

function isItself(source: ProjectRecord, { type, id }: SourceRef): boolean {
  return type === "project" && id === source.id;
}

function findLink({ store }: Context, source: ProjectRecord, ref: SourceRef): JobTokenLinkRecord | undefined {
  const links = store.of(jobTokenLinks);
  return links.get(links.by.pair.find(jobTokenPair(source.id, ref)) ?? 0);
}

const events = {
  project: { added: "secure_ci_job_token_project_added", removed: "secure_ci_job_token_project_removed" },
  group: { added: "secure_ci_job_token_group_added", removed: "secure_ci_job_token_group_removed" },
} as const;

function recordEvent(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  source: ProjectRecord,
  target: Source,
  what: "added" | "removed",
): void {
  const path = projectPathOf(context.store, source);
  const targetPath = sourcePathOf(context.store, target);
  const [noun, list, record] =
    "group" in target
      ? (["Group", "list of allowed groups", target.group] as const)
      : (["Project", "inbound list of allowed projects", target.project] as const);
  const preposition = what === "added" ? "to" : "from";
  recordAuditEvent(tx, context, caller, {
    event: events["group" in target ? "group" : "project"][what],
    entity: { type: "Project", id: source.id, path },
    target: { type: noun, id: record.id, details: targetPath },
    act: { custom_message: `${noun} ${targetPath} was ${what} ${preposition} ${list} for ${path}` },
  });
}
