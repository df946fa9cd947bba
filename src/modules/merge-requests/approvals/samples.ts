import { accessLevels } from "../../../domain/access-level.ts";
import { fromReporters, type SampleScene, type SampleStatus, type Samples } from "../../kernel/sample.ts";

const one = "/projects/:id/merge_requests/:merge_request_iid";

const fromDevelopers: SampleStatus = ({ level }) => (level < accessLevels.developer ? 403 : undefined);

/** The path of a merge request of somebody else: nobody approves their own. */
async function pathOfAnother({ call, add }: SampleScene) {
  const user_id = await add("users");
  await call("POST /projects/:id/members", { json: { user_id, access_level: accessLevels.developer } });
  const made = await call("POST /projects/:id/merge_requests", { query: { sudo: user_id } });
  return { merge_request_iid: made.get("iid") };
}

export const approvalSamples: Samples = {
  [`GET ${one}/approvals`]: { status: fromReporters },
  [`POST ${one}/approve`]: { make: async (scene) => ({ path: await pathOfAnother(scene) }), status: fromDevelopers },
  [`POST ${one}/unapprove`]: {
    async make(scene) {
      const path = await pathOfAnother(scene);
      await scene.callByCaller(`POST ${one}/approve`, { path });
      return { path };
    },
    status: fromDevelopers,
  },
};
