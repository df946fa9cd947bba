import { auditRetention } from "./audit-retention/index.ts";
import { blobSweep } from "./blob-sweep/index.ts";
import { containerRepositoryDeletion, containerSweep, containerTagsDeletion } from "./container-registry/index.ts";
import { departureWork } from "./departures/index.ts";
import { epicRemoval } from "./epics/index.ts";
import { groupDeletion, visibilityNarrowing } from "./groups/index.ts";
import { dueIssueMails } from "./issue-mails/index.ts";
import { issueUnassignment } from "./issues/index.ts";
import { artifactExpiry } from "./job-artifacts/index.ts";
import { ciJobTimeout, stuckCiJobs } from "./job-runs/index.ts";
import { traceSealing } from "./job-traces/index.ts";
import type { JobKind, PeriodicWork } from "./jobs/index.ts";
import { membershipExpiry } from "./members/index.ts";
import { packageDeletion } from "./packages/index.ts";
import { bridgeStart, delayedCiJob, pipelineStart } from "./pipelines/index.ts";
import { importAddressCleaning, projectDeletion } from "./projects/index.ts";
import { repositoryDeletion } from "./repositories/index.ts";
import { staleManagers } from "./runners/index.ts";
import { shareExpiry } from "./shares/index.ts";
import { scheduleRest, storageMove } from "./storage-moves/index.ts";

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
