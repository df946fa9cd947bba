import { appendTrace } from "../modules/ci/job-logs/index.ts";
import type { CiJobRecord } from "../modules/ci/pipelines/records-jobs.ts";
import type { StoredBlob } from "../store/index.ts";
import type { Organisation } from "./organisation.ts";
import { jobLog } from "./vocabulary/job-logs.ts";

/** The logs of all jobs. They are few, since the same commands print the same, and each is one blob for all its jobs. */
export class JobLogs {
  readonly #organisation: Organisation;
  readonly #blobs: ReadonlyMap<string, StoredBlob>;

  private constructor(organisation: Organisation, blobs: ReadonlyMap<string, StoredBlob>) {
    this.#organisation = organisation;
    this.#blobs = blobs;
  }

  /** Stores the logs. Release them once the jobs name them. */
  static async store(organisation: Organisation, scripts: Iterable<readonly string[]>): Promise<JobLogs> {
    const blobs = new Map<string, StoredBlob>();
    for (const script of scripts) {
      for (const isGood of [true, false]) {
        const key = keyOf(script, isGood);
        if (blobs.has(key)) continue;
        const text = new TextEncoder().encode(jobLog(script, isGood));
        blobs.set(key, await organisation.context.store.blobs.put([text]));
      }
    }
    return new JobLogs(organisation, blobs);
  }

  /** Writes the log of a finished job. */
  write(job: CiJobRecord): void {
    const { status, config } = job;
    if (status !== "success" && status !== "failed") return;
    const blob = this.#blobs.get(keyOf(config.script, status === "success"));
    if (blob !== undefined) appendTrace(this.#organisation.writing, this.#organisation.context.store, job, blob);
  }

  release(): void {
    for (const blob of this.#blobs.values()) blob.release();
  }
}

function keyOf(script: readonly string[], isGood: boolean): string {
  return `${isGood} ${script.join("\n")}`;
}
