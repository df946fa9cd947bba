import { accessLevels } from "../../../domain/access-level.ts";
import type { SampleScene, Samples } from "../../kernel/sample.ts";

/** The epic has its link to the issue. */
const onLink = async ({ call }: SampleScene) => {
  const epic_iid = (await call("POST /groups/:id/epics")).get("iid");
  const link = await call("POST /groups/:id/epics/:epic_iid/issues/:epic_issue_id", { path: { epic_iid } });
  return { path: { epic_iid, epic_issue_id: link.get("id") } };
};

export const epicSamples: Samples = {
  "POST /groups/:id/epics": { json: { title: "A new roof" } },
  "PUT /groups/:id/epics/:epic_iid": { json: { title: "A newer roof" } },
  "DELETE /groups/:id/epics/:epic_iid": {
    status: ({ level }) => (level === accessLevels.planner || level === accessLevels.owner ? undefined : 403),
  },
  "POST /groups/:id/epics/:epic_iid/issues/:epic_issue_id": async ({ call }) => ({
    path: { epic_issue_id: (await call("POST /projects/:id/issues")).get("id") },
  }),
  "PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id": onLink,
  "DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id": onLink,
};
