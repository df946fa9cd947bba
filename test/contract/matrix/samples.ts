import type { Operation } from "../../../src/modules/kernel/operation.ts";
import { associationSamples } from "./accounts/associations.ts";
import { memberSamples } from "./accounts/members.ts";
import { notificationSettingsSamples } from "./accounts/notification-settings.ts";
import { ownAccountSamples } from "./accounts/own-account.ts";
import { accessTokenSamples } from "./accounts/personal-access-tokens.ts";
import { sessionSamples } from "./accounts/sessions.ts";
import { userSatelliteSamples } from "./accounts/user-satellites.ts";
import { userSamples } from "./accounts/users.ts";
import { alertSamples } from "./alerts.ts";
import { auditEventSamples } from "./audit-events.ts";
import { containerRegistrySamples } from "./ci/container-registry.ts";
import { jobTokenScopeSamples } from "./ci/job-token-scope.ts";
import { packageSamples } from "./ci/packages.ts";
import { pipelineSamples } from "./ci/pipelines.ts";
import { runnerSamples } from "./ci/runners.ts";
import { errorTrackingSamples } from "./error-tracking.ts";
import { featureSamples } from "./features.ts";
import { moduleSamples } from "./module-samples.ts";
import { groupSamples } from "./projects/groups.ts";
import { projectSamples } from "./projects/projects.ts";
import { protectedRefSamples } from "./projects/protected-refs.ts";
import { repositorySamples } from "./projects/repositories.ts";
import { storageMoveSamples } from "./projects/storage-moves.ts";
import type { Samples, Scene, SpecialSample } from "./scene.ts";
import { serviceSamples } from "./service.ts";

/** The modules' samples, and those that only a test can make: they put records into the store, or move its clock. */
export function allSamples(scene: Scene): Samples {
  return {
    ...moduleSamples(scene),
    ...serviceSamples(scene),
    ...userSamples(scene),
    ...userSatelliteSamples(scene),
    ...accessTokenSamples(scene),
    ...ownAccountSamples(scene),
    ...sessionSamples(scene),
    ...auditEventSamples(scene),
    ...featureSamples(scene),
    ...groupSamples(scene),
    ...errorTrackingSamples(scene),
    ...notificationSettingsSamples(),
    ...associationSamples(),
    ...projectSamples(scene),
    ...memberSamples(scene),
    ...repositorySamples(scene),
    ...protectedRefSamples(scene),
    ...storageMoveSamples(scene),
    ...pipelineSamples(scene),
    ...jobTokenScopeSamples(scene),
    ...runnerSamples(scene),
    ...packageSamples(scene),
    ...containerRegistrySamples(scene),
    ...alertSamples(scene),
  };
}

export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Throws for an operation that has none. */
export function sampleOf(samples: Samples, operation: Operation): SpecialSample {
  const sample = samples[nameOf(operation)];
  if (sample === undefined) throw new Error(`no sample of ${nameOf(operation)}`);
  return typeof sample === "function" ? { make: sample, expected: () => undefined } : sample;
}
