/** The CI files that jobs make for child pipelines. */

import type { Store } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { CiFileError, type CiFiles } from "../../ci-config/index.ts";
import { findArchive, readArchivedText } from "../../job-artifacts/index.ts";
import { ciJobs } from "../records-jobs.ts";
import { listCurrentJobs } from "../service-progress.ts";
import type { PipelineRequest } from "./service-create.ts";

/** Bytes of an archive, and of a file in it. */
const bytesMax = 5 * 1024 * 1024;

/** Reads a file of the archive of a job of the parent pipeline; undefined where no child pipeline is made. */
export function artifactReaderOf(
  { store }: Context,
  { source, upstreamJobId }: Pick<PipelineRequest, "source" | "upstreamJobId">,
): CiFiles["artifact"] {
  const bridge = upstreamJobId === undefined ? undefined : store.of(ciJobs).get(upstreamJobId);
  if (source !== "parent_pipeline" || bridge === undefined) return undefined;
  return (job, path) => readMade(store, bridge.pipeline_id, job, path);
}

async function readMade(store: Store, pipelineId: number, name: string, path: string): Promise<string> {
  const archives = listCurrentJobs(store, pipelineId).filter((job) => job.name === name && !job.is_bridge);
  const archive = archives.map(({ id }) => findArchive(store, id)).find((found) => found !== undefined);
  if (archive === undefined) {
    throw new CiFileError(`Job \`${name}\` not found in parent pipeline or does not have artifacts!`);
  }
  if (archive.size > bytesMax) throw tooLarge(`Artifacts archive for job \`${name}\``, archive.size);
  const read = await readArchivedText(store, archive, path, bytesMax);
  if ("text" in read) return read.text;
  if ("size" in read) throw tooLarge(`The file \`${path}\` in job \`${name}\``, read.size);
  throw new CiFileError(`Path \`${path}\` ${faultsOfPath(name)[read.missing]}`);
}

function faultsOfPath(job: string) {
  return {
    file: `does not exist inside the \`${job}\` artifacts archive!`,
    folder: "was expected to be a file but it was a directory!",
    content: "has invalid size in the zip!",
  };
}

function tooLarge(what: string, size: number): CiFileError {
  return new CiFileError(`${what} is too large: ${shownSize(size)} exceeds maximum of ${shownSize(bytesMax)}`);
}

/** Three digits of the largest unit that fits. */
function shownSize(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${["Bytes", "KiB", "MiB", "GiB"][power]}`;
}
