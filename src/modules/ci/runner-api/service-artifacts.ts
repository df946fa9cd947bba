import type { Static } from "@sinclair/typebox";
import { forbidden, invalid } from "../../../domain/failure.ts";
import { piecesOf } from "../../../lib/byte-pieces.ts";
import { Quotas } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { FileContent } from "../../kernel/operation.ts";
import { accessInConfig, getArchive, insertArtifact, kindOf, readDotenv } from "../job-artifacts/index.ts";
import { durationMsOf, findRunningJob, listDependencies } from "../pipelines/index.ts";
import { ciJobs } from "../pipelines/records-jobs.ts";
import type { UploadArtifact } from "./schema.ts";
import { getRunningJob } from "./service-running-job.ts";

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** `POST /jobs/:id/artifacts`: keeps a file that a running job leaves. Throws 403, and 400 for a format that does not fit the type. */
export async function uploadArtifact(
  context: Context,
  {
    id,
    file,
    artifact_type = "archive",
    artifact_format = "zip",
    expire_in,
    accessibility,
  }: Static<typeof UploadArtifact>,
  token: string | undefined,
): Promise<void> {
  const { project_id, config } = getRunningJob(context, id, token);
  if (kindOf(artifact_type)?.format !== artifact_format) {
    throw invalid("Validation failed: Invalid file format with specified file type");
  }
  const variables = artifact_type === "dotenv" ? { variables: readDotenv(file.bytes) } : {};
  const access = accessibility ?? accessInConfig(config.artifacts);
  const blob = await context.get(Quotas).writeBlob(`project ${project_id}`, piecesOf(file.bytes));
  const artifact = {
    job_id: id,
    project_id,
    file_type: artifact_type,
    file_format: artifact_format,
    ...variables,
    ...(access === "public" ? {} : { access }),
    filename:
      file.filename
        .replace(/^.*[/\\]/s, "")
        .slice(0, 255)
        .toWellFormed() || "artifacts.zip",
  };
  // A text without a duration, as `never`, keeps the artifacts.
  const lifeMs = durationMsOf(expire_in ?? null, yearMs) || undefined;
  try {
    context.store.transact((tx) => {
      getRunningJob(context, id, token);
      insertArtifact(tx, context, artifact, blob, lifeMs);
    });
  } finally {
    blob.release();
  }
}

/**
 * `GET /jobs/:id/artifacts`: the archive of a job, for itself, for the running ones of its pipeline, and for those that need it.
 * Throws 403 and 404.
 */
export function downloadArtifact(context: Context, id: number, token: string | undefined): FileContent {
  const asking = token === undefined ? undefined : findRunningJob(context, token);
  const job = context.store.of(ciJobs).get(id);
  if (asking === undefined) throw forbidden();
  const isNear = job?.pipeline_id === asking.pipeline_id;
  if (!isNear && !listDependencies(context, asking).some((needed) => needed.id === id)) throw forbidden();
  return getArchive(context.store, id);
}
