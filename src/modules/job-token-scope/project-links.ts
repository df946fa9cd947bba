import type { SignedInCaller } from "../../domain/caller.ts";
import { type DateTime, toDateTime } from "../../domain/datetime.ts";
import { notFound, refuseModified } from "../../domain/failure.ts";
import type { Transaction } from "../../store/index.ts";
import { type JobTokenProjectLinkRecord, jobTokenProjectLinks, linkKey } from "../access/index.ts";
import { recordAuditEvent } from "../audit-events/index.ts";
import type { Context } from "../context.ts";
import { type ProjectRecord, projectPathOf, projects } from "../namespaces/index.ts";
import { allowedProjects } from "./list.ts";
import { linksMax, refused, refuseReader } from "./service.ts";

/** `POST …/allowlist`. Throws 404 for an unknown project, and the 400s of job-token-scope 4. */
export function addProject(
  context: Context,
  caller: SignedInCaller,
  source: ProjectRecord,
  targetId: number,
): JobTokenProjectLinkRecord {
  const { store, access, clock } = context;
  const target = projectThere(context, targetId);
  if (target === undefined) throw notFound("target_project_id not found");
  if (!access.seesProject(caller.user, target)) {
    throw refused(
      "The target_project that you are attempting to access does not exist or you don't have permission to perform this action",
    );
  }
  if (target.id === source.id) {
    throw refused("Validation failed: Target project can't be the same as the source project");
  }
  if (findLink(context, source, target) !== undefined) {
    throw refused("This project is already in the job token allowlist.");
  }
  if (allowedProjects(context, source).length >= linksMax) {
    throw refused("Validation failed: Source project exceeds the allowable number of project links in this direction");
  }
  return store.transact((tx) => {
    recordEvent(tx, context, caller, source, target, "added to");
    return tx.insert(jobTokenProjectLinks, {
      id: tx.nextId("job_token_project_links"),
      source_project_id: source.id,
      target_project_id: target.id,
      created_at: toDateTime(clock.now()),
    });
  });
}

/** `DELETE …/allowlist/:target_project_id`. Throws 404 before 403, then the 400s of job-token-scope 4, and 412. */
export function removeProject(
  context: Context,
  caller: SignedInCaller,
  source: ProjectRecord,
  targetId: number,
  unmodifiedSince: DateTime | undefined,
): void {
  const { store, access } = context;
  const target = projectThere(context, targetId);
  if (target === undefined || !access.seesProject(caller.user, target)) throw notFound("Project");
  refuseReader(context, caller, source);
  if (target.id === source.id) throw refused("Source project cannot be removed from the job token scope");
  const link = findLink(context, source, target);
  if (link === undefined) throw refused("Target project is not in the job token scope");
  refuseModified({ updated_at: link.created_at }, unmodifiedSince);
  store.transact((tx) => {
    tx.remove(jobTokenProjectLinks, link.id);
    recordEvent(tx, context, caller, source, target, "removed from");
  });
}

function projectThere({ store, access }: Context, id: number): ProjectRecord | undefined {
  const project = store.of(projects).get(id);
  return project === undefined || access.isGoing({ project }) ? undefined : project;
}

function findLink({ store }: Context, source: ProjectRecord, target: ProjectRecord) {
  const links = store.of(jobTokenProjectLinks);
  return links.get(links.by.pair.find(linkKey(source.id, target.id)) ?? 0);
}

function recordEvent(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  source: ProjectRecord,
  target: ProjectRecord,
  what: "added to" | "removed from",
): void {
  const [path, targetPath] = [source, target].map((each) => projectPathOf(context.store, each)) as [string, string];
  recordAuditEvent(tx, context, caller, {
    event: what === "added to" ? "secure_ci_job_token_project_added" : "secure_ci_job_token_project_removed",
    entity: { type: "Project", id: source.id, path },
    target: { type: "Project", id: target.id, details: targetPath },
    act: { custom_message: `Project ${targetPath} was ${what} inbound list of allowed projects for ${path}` },
  });
}
