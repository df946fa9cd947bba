import { modules } from "../../../src/modules/index.ts";
import type { SampleName } from "../../../src/modules/kernel/sample.ts";
import { loadSamples, type SampleHost, SampleMaker, sampleNameOf } from "../../../src/modules/kernel/sample-maker.ts";
import { operations } from "../../support/checks/operations.ts";
import { type Person, rootToken } from "../../support/fixtures/world.ts";
import type { Place, Samples, Scene } from "./scene.ts";

const table = await loadSamples(modules);

/** The samples that the modules have of an ordinary server's operations. */
export function moduleSamples(scene: Scene): Samples {
  const known = new Map<Place, Map<string, Promise<unknown>>>();
  const knownIn = (place: Place) => {
    const found = known.get(place) ?? new Map<string, Promise<unknown>>();
    known.set(place, found);
    return found;
  };
  return Object.fromEntries(
    operations.map((operation) => {
      const name: SampleName = sampleNameOf(operation);
      return [
        name,
        {
          async make(caller: Person, place: Place) {
            const host = hostOf(scene, caller, place, knownIn(place));
            const {
              operation: _operation,
              method: _method,
              path,
              ...options
            } = await new SampleMaker(table, host).prepare(name);
            return { path, options };
          },
          expected: (tester, place) => table.get(name)?.status?.(tester, place.visibility),
        },
      ];
    }),
  ) satisfies Samples;
}

function hostOf({ world, ann, fresh }: Scene, caller: Person, place: Place, known: SampleHost["known"]): SampleHost {
  const { visibility, groupId, projectId } = place;
  const groupPath = `place-${visibility}`;
  return {
    ...{ caller, user: ann, known, fresh },
    place: { visibility, groupId, projectId, groupPath, projectPath: `${groupPath}/project` },
    send: ({ operation: _, method, path, ...options }, by) =>
      world.call(method, path, { ...options, token: by === "root" ? rootToken : caller.token }),
  };
}
