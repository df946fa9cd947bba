import type { Operation } from "../../../src/modules/kernel/operation.ts";
import { alertSamples } from "./alerts.ts";
import { associationSamples } from "./associations.ts";
import { auditEventSamples } from "./audit-events.ts";
import { awardEmojiSamples } from "./award-emoji.ts";
import { containerRegistrySamples } from "./container-registry.ts";
import { epicSamples } from "./epics.ts";
import { errorTrackingSamples } from "./error-tracking.ts";
import { featureSamples } from "./features.ts";
import { groupSamples } from "./groups.ts";
import { issueStatisticsSamples } from "./issue-statistics.ts";
import { issueSamples } from "./issues.ts";
import { jobTokenScopeSamples } from "./job-token-scope.ts";
import { labelSamples } from "./labels.ts";
import { memberSamples } from "./members.ts";
import { milestoneSamples } from "./milestones.ts";
import { noteSamples } from "./notes.ts";
import { notificationSettingsSamples } from "./notification-settings.ts";
import { packageSamples } from "./packages.ts";
import { accessTokenSamples } from "./personal-access-tokens.ts";
import { pipelineSamples } from "./pipelines.ts";
import { projectSamples } from "./projects.ts";
import { repositorySamples } from "./repositories.ts";
import { runnerSamples } from "./runners.ts";
import type { Samples, Scene, SpecialSample } from "./scene.ts";
import { serviceSamples } from "./service.ts";
import { sessionSamples } from "./sessions.ts";
import { snippetSamples } from "./snippets.ts";
import { storageMoveSamples } from "./storage-moves.ts";
import { userSatelliteSamples } from "./user-satellites.ts";
import { userSamples } from "./users.ts";

/** Every operation there is; one that is missing here fails the first test of the matrix. */
export function allSamples(scene: Scene): Samples {
  return {
    ...serviceSamples(scene),
    ...userSamples(scene),
    ...userSatelliteSamples(scene),
    ...accessTokenSamples(scene),
    ...sessionSamples(scene),
    ...auditEventSamples(scene),
    ...featureSamples(scene),
    ...groupSamples(scene),
    ...issueSamples(scene),
    ...issueStatisticsSamples(),
    ...labelSamples(scene),
    ...milestoneSamples(scene),
    ...noteSamples(scene),
    ...awardEmojiSamples(scene),
    ...epicSamples(scene),
    ...errorTrackingSamples(scene),
    ...notificationSettingsSamples(),
    ...associationSamples(),
    ...projectSamples(scene),
    ...memberSamples(scene),
    ...repositorySamples(scene),
    ...snippetSamples(scene),
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
