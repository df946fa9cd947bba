import { auditRetention } from "../admin/audit-retention/index.ts";
import { blobSweep } from "../admin/blob-sweep/index.ts";
import { artifactExpiry } from "../ci/job-artifacts/index.ts";
import { traceSealing } from "../ci/job-logs/index.ts";
import { bridgeStart, delayedCiJob, pipelineStart } from "../ci/pipelines/index.ts";
import { ciJobTimeout, stuckCiJobs } from "../ci/runner-api/index.ts";
import { staleManagers } from "../ci/runners/index.ts";
import type { JobKind, PeriodicWork } from "../core/background-jobs/index.ts";
import { groupDeletion, visibilityNarrowing } from "../groups-and-projects/groups/index.ts";
import { importAddressCleaning, projectDeletion } from "../groups-and-projects/projects/index.ts";
import { shareExpiry } from "../groups-and-projects/shares/index.ts";
import { membershipExpiry } from "../members/members/index.ts";
import { dueIssueMails } from "../notifications/issue-mails/index.ts";
import { epicRemoval } from "../planning/epics/index.ts";
import { issueUnassignment } from "../planning/issues/index.ts";
import { departureWork } from "../planning/pending-unlinks/index.ts";
import {
  containerRepositoryDeletion,
  containerSweep,
  containerTagsDeletion,
} from "../registries/container-registry/index.ts";
import { packageDeletion } from "../registries/packages/index.ts";
import { repositoryDeletion } from "../repositories/repositories/index.ts";
import { scheduleRest, storageMove } from "../repositories/storage-moves/index.ts";

/** Every kind of job. */
export const jobKinds: readonly JobKind[] = [
  projectDeletion,
  groupDeletion,
  visibilityNarrowing,
  departureWork,
  issueUnassignment,
  epicRemoval,
  repositoryDeletion,
  storageMove,
  scheduleRest,
  pipelineStart,
  delayedCiJob,
  containerRepositoryDeletion,
  containerTagsDeletion,
  packageDeletion,
  ciJobTimeout,
  traceSealing,
  artifactExpiry,
  bridgeStart,
];

/** All work that comes back by the clock. */
export const periodicWork: readonly PeriodicWork[] = [
  membershipExpiry,
  shareExpiry,
  dueIssueMails,
  auditRetention,
  staleManagers,
  containerSweep,
  blobSweep,
  stuckCiJobs,
  importAddressCleaning,
];
