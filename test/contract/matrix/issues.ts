import { accessLevels } from "../../../src/domain/access-level.ts";
import { visibilities } from "../../../src/domain/visibility.ts";
import { rootToken } from "../../support/world.ts";
import type { MakeSample, Place, Samples, Scene, SpecialSample, Tester } from "./scene.ts";

export function issueSamples({ world }: Scene): Samples {
  const issueIn = async ({ projectId }: Place): Promise<string> => {
    const json = { title: "an issue" };
    const { body } = await world.call("POST", `/projects/${projectId}/issues`, { token: rootToken, json });
    return `/projects/${projectId}/issues/${body.iid}`;
  };
  const on =
    (rest: string, json?: unknown): MakeSample =>
    async (_, place) => ({
      path: `${await issueIn(place)}${rest}`,
      ...(json === undefined ? {} : { options: { json } }),
    });
  return {
    "POST /projects/:id/issues": (_, { projectId }) => ({
      path: `/projects/${projectId}/issues`,
      options: { json: { title: "new" } },
    }),
    "GET /projects/:id/issues/:issue_iid": on(""),
  };
}
void accessLevels;
void visibilities;
export type Unused = SpecialSample | Tester;
