import type { Operation } from "../../../src/modules/kernel/operation.ts";
import { sampleNameOf } from "../../../src/modules/kernel/sample-maker.ts";
import { ownAccountSamples } from "./accounts/own-account.ts";
import { peopleSamples } from "./accounts/people.ts";
import { sessionSamples } from "./accounts/sessions.ts";
import { containerRegistrySamples } from "./ci/container-registry.ts";
import { jobSamples } from "./ci/jobs.ts";
import { moduleSamples } from "./module-samples.ts";
import { signedCommitSamples } from "./projects/signed-commit.ts";
import type { MadeSamples, OperationSample, Samples, Scene } from "./scene.ts";
import { serviceSamples } from "./service.ts";

/** The modules' samples. Some calls only a test can make: they need records in the store, or another time. */
export function allSamples(scene: Scene): Samples {
  const ofModules = moduleSamples(scene);
  const ofTests: MadeSamples = {
    ...serviceSamples(scene),
    ...ownAccountSamples(scene),
    ...peopleSamples(scene),
    ...sessionSamples(scene),
    ...jobSamples(scene),
    ...containerRegistrySamples(scene),
    ...signedCommitSamples(scene),
  };
  const stray = Object.keys(ofTests).find((name) => !(name in ofModules));
  if (stray !== undefined) throw new Error(`${stray} is no operation`);
  return Object.fromEntries(
    Object.entries(ofModules).map(([name, sample]) => [name, { ...sample, make: ofTests[name] ?? sample.make }]),
  );
}

export const nameOf: (operation: Operation) => string = sampleNameOf;

/** Throws for an operation that has none. */
export function sampleOf(samples: Samples, operation: Operation): OperationSample {
  const sample = samples[nameOf(operation)];
  if (sample === undefined) throw new Error(`no sample of ${nameOf(operation)}`);
  return sample;
}
