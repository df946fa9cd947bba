import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { rootToken } from "../../../support/fixtures/world.ts";
import type { MakeSample, Place, Samples, Scene, SpecialSample, Tester } from "../scene.ts";

const planner = 15;
const owner = 50;

export function issueSamples({ world, fresh }: Scene): Samples {
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
  const whenLower =
    (status: number) =>
    ({ level }: Tester) =>
      level < planner ? status : 200;
  const planned = (rest: string, json?: unknown): SpecialSample => ({ make: on(rest, json), expected: whenLower(403) });

  /** A copy of the project, beside it: the same levels hold there. */
  const target = (place: Place): number => {
    const { store } = world;
    const from = store.of(projects).get(place.projectId);
    if (from === undefined) throw new Error("the place has no project");
    return store.transact((tx) => tx.insert(projects, { ...from, id: tx.nextId("projects"), path: fresh() }).id);
  };

  return {
    "GET /issues": () => ({ path: "/issues", options: { query: { scope: "all" } } }),
    "GET /issues/:id": async (_, { projectId }) => {
      const json = { title: "an issue" };
      const { body } = await world.call("POST", `/projects/${projectId}/issues`, { token: rootToken, json });
      return { path: `/issues/${body.id}` };
    },
    "GET /groups/:id/issues": (_, { groupId }) => ({ path: `/groups/${groupId}/issues` }),
    "GET /projects/:id/issues": (_, { projectId }) => ({ path: `/projects/${projectId}/issues` }),
    "POST /projects/:id/issues": (_, { projectId }) => ({
      path: `/projects/${projectId}/issues`,
      options: { json: { title: "new" } },
    }),
    "GET /projects/:id/issues/:issue_iid": on(""),
    "PUT /projects/:id/issues/:issue_iid": planned("", { title: "newer" }),
    "DELETE /projects/:id/issues/:issue_iid": {
      make: on(""),
      expected: ({ level }) => (level === planner || level === owner ? 204 : 403),
    },
    "POST /projects/:id/issues/:issue_iid/move": {
      make: async (_, place) => ({
        path: `${await issueIn(place)}/move`,
        options: { json: { to_project_id: target(place) } },
      }),
      expected: ({ level }) => (level < planner ? 400 : 201),
    },
    "PUT /projects/:id/issues/:issue_iid/reorder": {
      make: async (_, place) => {
        const neighbour = await world.call("GET", await issueIn(place), { token: rootToken });
        const options = { json: { move_after_id: neighbour.body.id } };
        return { path: `${await issueIn(place)}/reorder`, options };
      },
      expected: ({ level }) => (level < planner ? 403 : 200),
    },
    "POST /projects/:id/issues/:issue_iid/subscribe": on("/subscribe"),
    "POST /projects/:id/issues/:issue_iid/unsubscribe": async (caller, place) => {
      const path = await issueIn(place);
      await world.call("POST", `${path}/subscribe`, { token: caller.token });
      return { path: `${path}/unsubscribe` };
    },
    "GET /projects/:id/issues/:issue_iid/participants": on("/participants"),
    "GET /projects/:id/issues/:issue_iid/related_merge_requests": on("/related_merge_requests"),
    "GET /projects/:id/issues/:issue_iid/closed_by": on("/closed_by"),
    "POST /projects/:id/issues/:issue_iid/time_estimate": planned("/time_estimate", { duration: "3h30m" }),
    "POST /projects/:id/issues/:issue_iid/add_spent_time": planned("/add_spent_time", { duration: "1h" }),
    "POST /projects/:id/issues/:issue_iid/reset_time_estimate": planned("/reset_time_estimate"),
    "POST /projects/:id/issues/:issue_iid/reset_spent_time": planned("/reset_spent_time"),
    "GET /projects/:id/issues/:issue_iid/time_stats": on("/time_stats"),
  };
}
