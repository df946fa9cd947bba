import { accessLevels } from "../../../../domain/access-level.ts";
import { requireUnmodified } from "../../../../domain/failure.ts";
import { inProject } from "../../../core/access/index.ts";
import { accepted, file, noContent, ok, operation } from "../../../kernel/operation.ts";
import {
  getArchive,
  getArchivedFile,
  keepArtifacts,
  removeArtifacts,
  requireArtifactReader,
} from "../../job-artifacts/index.ts";
import { requireBuildReader } from "../policy.ts";
import { ArchiveOfRef, CiJob, FileOfJob, FileOfRef, JobInPath, JobsInPath } from "../schema.ts";
import { getArchivingJob } from "../service-list.ts";
import { presentCiJob } from "./present.ts";
import { getCiJob, requireJobUpdater } from "./service.ts";
import { deleteProjectArtifacts } from "./service-artifacts.ts";

const ofJob = "/projects/:id/jobs/:job_id/artifacts";
const ofRef = "/projects/:id/jobs/artifacts/:ref_name";
const readers = inProject(accessLevels.none, { anonymous: true });

/** Operations of users, scripts and jobs on artifacts; the page names the fields of a job alone. */
export const artifactOperations = [
  operation({
    method: "GET",
    path: ofJob,
    summary: "Download the artifacts of a job",
    who: readers,
    takesJobToken: "builds",
    params: JobInPath,
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden"],
    handle({ context, caller, project, params }) {
      requireBuildReader(context, caller, project);
      const { id } = getCiJob(context.store, project, params.job_id);
      requireArtifactReader(context, caller, project, id);
      return getArchive(context.store, id);
    },
  }),

  operation({
    method: "GET",
    path: `${ofJob}/*artifact_path`,
    summary: "Download one file of the artifacts of a job",
    who: readers,
    takesJobToken: "builds",
    params: FileOfJob,
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden"],
    handle({ context, caller, project, params }) {
      requireBuildReader(context, caller, project);
      const { id } = getCiJob(context.store, project, params.job_id);
      requireArtifactReader(context, caller, project, id);
      return getArchivedFile(context.store, id, params.artifact_path);
    },
  }),

  operation({
    method: "GET",
    path: `${ofRef}/download`,
    summary: "Download the artifacts of a job by branch or tag",
    who: readers,
    takesJobToken: "builds",
    params: ArchiveOfRef,
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden"],
    handle({ context, caller, project, params }) {
      requireBuildReader(context, caller, project);
      const { id } = getArchivingJob(context.store, project, params.ref_name, params.job);
      requireArtifactReader(context, caller, project, id);
      return getArchive(context.store, id);
    },
  }),

  operation({
    method: "GET",
    path: `${ofRef}/raw/*artifact_path`,
    summary: "Download one file of the artifacts of a job by branch or tag",
    who: readers,
    takesJobToken: "builds",
    params: FileOfRef,
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden"],
    handle({ context, caller, project, params }) {
      requireBuildReader(context, caller, project);
      const { id } = getArchivingJob(context.store, project, params.ref_name, params.job);
      requireArtifactReader(context, caller, project, id);
      return getArchivedFile(context.store, id, params.artifact_path);
    },
  }),

  operation({
    method: "POST",
    path: `${ofJob}/keep`,
    summary: "Keep the artifacts of a job",
    who: inProject(accessLevels.developer),
    params: JobInPath,
    answer: ok(CiJob),
    handle(call) {
      const { context, caller, project, params } = call;
      const job = getCiJob(context.store, project, params.job_id);
      requireJobUpdater(context, caller, job, project);
      getArchive(context.store, job.id);
      context.store.transact((tx) => keepArtifacts(tx, context.store, job.id));
      return presentCiJob(job, call);
    },
  }),

  operation({
    method: "DELETE",
    path: ofJob,
    summary: "Delete the artifacts of a job",
    who: inProject(accessLevels.maintainer),
    params: JobInPath,
    answer: noContent(),
    handle({ context, project, params, unmodifiedSince }) {
      const job = getCiJob(context.store, project, params.job_id);
      requireUnmodified({ updated_at: job.finished_at ?? job.started_at ?? job.created_at }, unmodifiedSince);
      context.store.transact((tx) => removeArtifacts(tx, context.store, job.id));
    },
  }),

  operation({
    method: "DELETE",
    path: "/projects/:id/artifacts",
    summary: "Delete the artifacts of all jobs of a project",
    who: inProject(accessLevels.maintainer),
    params: JobsInPath,
    answer: accepted(),
    handle: ({ context, project }) => deleteProjectArtifacts(context, project),
  }),
];
