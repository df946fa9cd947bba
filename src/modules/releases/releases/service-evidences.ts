import { invalid, notFound } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { RecordChange } from "../../kernel/record-events.ts";
import { milestones } from "../../planning/milestones/records.ts";
import { remainingIds } from "../../planning/pending-unlinks/index.ts";
import { type ReleaseRecord, releases } from "./records.ts";
import { type ReleaseEvidenceRecord, releaseEvidences } from "./records-evidences.ts";
import { getRelease } from "./service.ts";

/** The most evidences of a release. */
const evidencesMax = 100;

/** Oldest first. */
export function listEvidences(store: Store, { id }: ReleaseRecord): ReleaseEvidenceRecord[] {
  return [...store.of(releaseEvidences).by.release_id.find(id)]
    .map((each) => store.of(releaseEvidences).get(each))
    .filter((evidence) => evidence !== undefined)
    .sort((one, other) => one.id - other.id);
}

/** One evidence, or the newest. Throws 404. */
export function getEvidence(store: Store, release: ReleaseRecord, id: number | undefined): ReleaseEvidenceRecord {
  const found = listEvidences(store, release);
  const evidence = id === undefined ? found.at(-1) : found.find((each) => each.id === id);
  if (evidence === undefined) throw notFound();
  return evidence;
}

/** `POST …/evidence`. Throws 400 and 404. */
export function createEvidence(context: Context, project: ProjectRecord, tag: string): void {
  const { store } = context;
  const release = getRelease(store, project, tag);
  if (store.of(releaseEvidences).by.release_id.find(release.id).size >= evidencesMax) {
    throw invalid(`Release has too many evidences (maximum is ${evidencesMax})`);
  }
  store.transact((tx) => insertEvidence(tx, context, release));
}

/**
 * Collects the evidence of a release that is published now, and that of an upcoming one at its time. One that lies back was published
 * without.
 */
export function collectEvidence(
  tx: Transaction,
  context: Context,
  { before, after }: RecordChange<ReleaseRecord>,
): void {
  if (after === undefined || before?.released_at === after.released_at) return;
  const { id: release_id, released_at, created_at } = after;
  if (released_at > toDateTime(context.clock.now())) {
    enqueueJob(tx, context, {
      kind: evidenceCollection.kind,
      payload: { release_id, released_at },
      due_at: released_at,
    });
  } else if (before === undefined && released_at >= created_at) insertEvidence(tx, context, after);
}

/** Collects the evidence of a release whose time has come, unless it was moved meanwhile. */
export const evidenceCollection: JobKind = jobKind<
  Pick<ReleaseRecord, "released_at"> & { readonly release_id: number }
>({
  kind: "release_evidence_collection",
  run({ context, payload: { release_id, released_at }, complete }) {
    const { store } = context;
    store.transact((tx) => {
      const release = store.of(releases).get(release_id);
      const hasNone = store.of(releaseEvidences).by.release_id.find(release_id).size === 0;
      if (release?.released_at === released_at && hasNone) insertEvidence(tx, context, release);
      complete(tx);
    });
  },
});

function insertEvidence(tx: Transaction, context: Context, release: ReleaseRecord): ReleaseEvidenceRecord {
  const summary = JSON.stringify(summaryOf(context, release));
  return tx.insert(releaseEvidences, {
    id: tx.nextId("release_evidences"),
    release_id: release.id,
    project_id: release.project_id,
    summary,
    sha: new Bun.CryptoHasher("sha256").update(summary).digest("hex"),
    collected_at: toDateTime(context.clock.now()),
  });
}

/** Without issues: not every reader of an evidence may read them. */
function summaryOf(
  { store }: Context,
  { id, project_id, tag, name, description, created_at, milestone_ids }: ReleaseRecord,
) {
  const project = store.of(projects).get(project_id);
  const found = remainingIds(store, "milestone", milestone_ids).flatMap((each) => store.of(milestones).get(each) ?? []);
  return {
    release: {
      ...{ id, tag_name: tag, name: name ?? tag, description, created_at },
      project: project && {
        ...{ id: project_id, name: project.name },
        ...{ description: project.description, created_at: project.created_at },
      },
      milestones: found.map((each) => ({
        ...{ id: each.id, title: each.title, description: each.description, state: each.state },
        ...{ iid: each.iid, created_at: each.created_at, due_date: each.due_date },
      })),
    },
  };
}
