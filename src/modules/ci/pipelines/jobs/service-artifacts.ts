import type { Position } from "../../../../domain/page.ts";
import { enqueueJob, type JobKind, jobKind } from "../../../core/background-jobs/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { removeArtifacts } from "../../job-artifacts/index.ts";
import { ciJobs } from "../records-jobs.ts";

interface Payload {
  readonly project_id: number;
  /** Artifacts of the jobs up to here are removed already. */
  readonly after?: Position | undefined;
}

/** Jobs whose artifacts one transaction removes. */
const stepMax = 100;
const kind = "project_artifacts_deletion";

/** `DELETE /projects/:id/artifacts`: a background job does it. */
export function deleteProjectArtifacts(context: Context, { id }: ProjectRecord): void {
  context.store.transact((tx) => enqueueJob(tx, context, { kind, payload: { project_id: id } satisfies Payload }));
}

export const projectArtifactsDeletion: JobKind = jobKind<Payload>({
  kind,
  async run({ context: { store }, payload, progress, pace, complete }) {
    let { after } = payload;
    for (let hasEnded = false; !hasEnded; ) {
      await pace();
      const where = [{ index: "project_id", key: payload.project_id }] as const;
      const page = { kind: "keyset", after, perPage: stepMax } as const;
      const { items, next } = store.page(ciJobs, { where, order: "id", descending: false, page });
      store.transact((tx) => {
        for (const { id } of items) removeArtifacts(tx, store, id);
        if (next === undefined) complete(tx);
        else progress(tx, { ...payload, after: next });
      });
      after = next;
      hasEnded = next === undefined;
    }
  },
});
