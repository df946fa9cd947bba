import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import {
  conflict,
  Failure,
  forbidden,
  forbiddenWith,
  invalid,
  notFound,
  requireUnmodified,
} from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { getProject } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, removeRecord, updateRecord } from "../../kernel/record-events.ts";
import { removeFirst } from "../../kernel/removal.ts";
import { canCreateTag } from "../../repositories/protected-tags/index.ts";
import { readRepository, writeWithTag } from "../../repositories/repositories/index.ts";
import { recordReleaseCreated, recordReleaseDeleted, recordReleaseUpdated } from "./audit.ts";
import { releaseEvents } from "./events.ts";
import { draftOfLink, requireValidLinks } from "./links.ts";
import { canWriteReleases, requireReleaseWriter } from "./policy.ts";
import { findRelease, type ReleaseRecord } from "./records.ts";
import { releaseEvidences } from "./records-evidences.ts";
import type { CreateRelease, UpdateRelease } from "./schema.ts";
import { findGivenMilestones } from "./service-milestones.ts";

const nameLengthMax = 255;
const descriptionLengthMax = 1_048_576;

/** Throws 404. */
export function getRelease(store: Store, { id }: ProjectRecord, tag: string): ReleaseRecord {
  const release = findRelease(store, id, tag);
  if (release === undefined) throw notFound();
  return release;
}

/**
 * `POST …/releases`: makes the tag where there is none, and its release, in one step. Throws 400, 403, 409 and 422 in the order of
 * releases 3.2.
 */
export function createRelease(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: CreateRelease,
  baseUrl: string,
): Promise<ReleaseRecord> {
  const { tag_name, ref, tag_message } = params;
  const check = (now: ProjectRecord) => checkedRelease(context, caller, now, params);
  check(project);
  return writeWithTag(
    context,
    caller,
    project,
    { name: tag_name, ref: ref ?? undefined, message: tag_message ?? undefined },
    {
      check,
      record(tx, sha, { links, ...checked }) {
        const now = toDateTime(context.clock.now());
        const release = insertRecord(tx, context, caller, releaseEvents, {
          id: tx.nextId("releases"),
          tag: tag_name,
          ...{ ...checked, sha },
          author_id: caller.user.id,
          links: links.map((link) => ({ id: tx.nextId("release_links"), ...link })),
          released_at: params.released_at ?? now,
          created_at: now,
          updated_at: now,
        });
        recordReleaseCreated(tx, context, caller, release);
        return release;
      },
    },
    baseUrl,
  );
}

function checkedRelease(context: Context, caller: SignedInCaller, project: ProjectRecord, params: CreateRelease) {
  const { tag_name: tag, name, description = null, assets } = params;
  if (!canWriteReleases(context, caller, project)) throw forbidden();
  if (!canCreateTag(context, caller.user, project, tag)) {
    throw forbiddenWith("You are not allowed to create this tag as it is protected.");
  }
  if (findRelease(context.store, project.id, tag) !== undefined) throw conflict("Release already exists");
  const milestone_ids = findGivenMilestones(context, project, params) ?? [];
  const links = (assets?.links ?? []).map(draftOfLink);
  requireValidLinks(links);
  requireValidTexts({ name, description });
  return { project_id: project.id, name: name || null, description, milestone_ids, links };
}

/** `PUT …/releases/:tag_name`. Throws 403, without a release, too; 404 without its tag; 400. */
export async function updateRelease(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  tag: string,
  params: UpdateRelease,
): Promise<ReleaseRecord> {
  const { store, clock } = context;
  getWritableRelease(context, caller, project, tag);
  const hasTag = await readRepository(context, caller, project, async (repository) => repository.tag(tag));
  const now = getProject(context, caller, project.id);
  const release = getWritableRelease(context, caller, now, tag);
  if (hasTag === undefined) throw new Failure("not_found", { message: "Tag does not exist" });
  const { name, description = release.description, released_at } = params;
  if (Object.keys(params).length === 0) throw invalid("params is empty");
  const milestone_ids = findGivenMilestones(context, now, params) ?? release.milestone_ids;
  requireValidTexts({ name, description });
  const changed: ReleaseRecord = {
    ...release,
    ...{ description, milestone_ids },
    name: name === undefined ? release.name : name || null,
    released_at: released_at ?? release.released_at,
  };
  if (Bun.deepEquals(changed, release)) return release;
  return store.transact((tx) => updateReleaseIn(tx, context, caller, release, changed, toDateTime(clock.now())));
}

/** Writes a changed release, in the transaction of the change. */
export function updateReleaseIn(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  before: ReleaseRecord,
  changed: ReleaseRecord,
  updated_at: DateTime,
): ReleaseRecord {
  const after = updateRecord(tx, context, caller, releaseEvents, { ...changed, updated_at });
  recordReleaseUpdated(tx, context, caller, before, after);
  return after;
}

/** `DELETE …/releases/:tag_name`: the tag stays. Throws 403, without a release, too; 412. */
export function deleteRelease(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  tag: string,
  unmodifiedSince: DateTime | undefined,
): ReleaseRecord {
  const release = getWritableRelease(context, caller, project, tag);
  requireUnmodified(release, unmodifiedSince);
  context.store.transact((tx) => {
    recordReleaseDeleted(tx, context, caller, release);
    removeRelease(tx, context, caller, release);
  });
  return release;
}

/** With its evidences. */
export function removeRelease(tx: Transaction, context: Context, caller: Caller, { id }: ReleaseRecord): void {
  removeFirst(tx, releaseEvidences, context.store.of(releaseEvidences).by.release_id.find(id));
  removeRecord(tx, context, caller, releaseEvents, id);
}

/** Throws 403, also where there is no release: the right would be one to it. */
function getWritableRelease(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  tag: string,
): ReleaseRecord {
  requireReleaseWriter(context, caller, project, tag);
  const release = findRelease(context.store, project.id, tag);
  if (release === undefined) throw forbidden();
  return release;
}

/** Throws 400. */
function requireValidTexts({
  name,
  description,
}: {
  name?: string | null | undefined;
  description: string | null;
}): void {
  if (exceedsLength(name ?? "", nameLengthMax)) {
    throw invalid(`Validation failed: Name is too long (maximum is ${nameLengthMax} characters)`);
  }
  if (exceedsLength(description ?? "", descriptionLengthMax)) {
    throw invalid(`Validation failed: Description is too long (maximum is ${descriptionLengthMax} characters)`);
  }
}
