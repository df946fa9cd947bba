import { accessLevels } from "../../../../src/domain/access-level.ts";
import { rootToken } from "../../../support/fixtures/world.ts";
import type { MakeSample, Place, Samples, Scene } from "../scene.ts";

export function epicSamples({ world }: Scene): Samples {
  const made = async (path: string, json: object = {}) => {
    const { body, status, text } = await world.call("POST", path, { token: rootToken, json });
    if (status !== 201) throw new Error(text);
    return body;
  };
  const epicIn = async ({ groupId }: Place): Promise<string> => {
    const { iid } = await made(`/groups/${groupId}/epics`, { title: "an epic" });
    return `/groups/${groupId}/epics/${iid}`;
  };
  const issueIn = async ({ projectId }: Place): Promise<number> =>
    (await made(`/projects/${projectId}/issues`, { title: "an issue" })).id;
  const on =
    (json?: object): MakeSample =>
    async (_, place) => ({ path: await epicIn(place), options: json === undefined ? {} : { json } });
  const onIssueIn: MakeSample = async (_, place) => {
    const path = `${await epicIn(place)}/issues`;
    const { id } = await made(`${path}/${await issueIn(place)}`);
    return { path: `${path}/${id}` };
  };

  return {
    "GET /groups/:id/epics": (_, { groupId }) => ({ path: `/groups/${groupId}/epics` }),
    "POST /groups/:id/epics": (_, { groupId }) => ({
      path: `/groups/${groupId}/epics`,
      options: { json: { title: "new" } },
    }),
    "GET /groups/:id/epics/:epic_iid": on(),
    "PUT /groups/:id/epics/:epic_iid": on({ title: "newer" }),
    "DELETE /groups/:id/epics/:epic_iid": {
      make: on(),
      expected: ({ level }) => (level === accessLevels.planner || level === accessLevels.owner ? 204 : 403),
    },
    "GET /groups/:id/epics/:epic_iid/issues": async (_, place) => ({ path: `${await epicIn(place)}/issues` }),
    "POST /groups/:id/epics/:epic_iid/issues/:epic_issue_id": async (_, place) => ({
      path: `${await epicIn(place)}/issues/${await issueIn(place)}`,
    }),
    "PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id": onIssueIn,
    "DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id": onIssueIn,
  };
}
