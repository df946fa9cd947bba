import { accessLevels } from "../../../domain/access-level.ts";
import type { SampleCall, SampleScene, SampleStatus, Samples } from "../../kernel/sample.ts";

/** All but owners get this status from the operations about seats. */
const fromOwners: SampleStatus = ({ level }) => (level < accessLevels.owner ? 400 : undefined);
const create = async ({ add }: SampleScene) => ({ json: { user_id: await add("users"), access_level: 30 } });
const onMember = async ({ call }: SampleScene): Promise<SampleCall> => ({
  path: { user_id: (await call("POST /groups/:id/members")).get("id") },
});
const onSeat = { make: onMember, status: fromOwners };
/** A member who waits for a seat. */
async function addPending({ call, place }: SampleScene): Promise<SampleCall> {
  const user_id = (await call("POST /groups/:id/members")).get("id");
  await call("PUT /groups/:id/members/:user_id/state", { path: { id: place.groupId, user_id } });
  return {};
}

export const memberSamples: Samples = {
  "POST /groups/:id/members": create,
  "POST /projects/:id/members": create,
  "GET /groups/:id/members/all/:user_id": onMember,
  "GET /projects/:id/members/all/:user_id": async ({ call }) => ({
    path: { user_id: (await call("POST /projects/:id/members")).get("id") },
  }),
  "PUT /groups/:id/members/:user_id": { json: { access_level: 20 } },
  "PUT /projects/:id/members/:user_id": { json: { access_level: 20 } },
  "POST /projects/:id/import_project_members/:project_id": async ({ add, call }) => {
    const project_id = await add("projects");
    await call("POST /projects/:id/members", { path: { id: project_id } });
    return { path: { project_id } };
  },
  "GET /groups/:id/billable_members": { status: fromOwners },
  "GET /groups/:id/billable_members/:user_id/memberships": onSeat,
  "GET /groups/:id/billable_members/:user_id/indirect": onSeat,
  "DELETE /groups/:id/billable_members/:user_id": onSeat,
  "PUT /groups/:id/members/:user_id/state": async ({ call, callByCaller }) => {
    const id = (await callByCaller("POST /groups")).get("id");
    const user_id = (await call("POST /groups/:id/members", { path: { id } })).get("id");
    return { path: { id, user_id }, json: { state: "awaiting" } };
  },
  "GET /groups/:id/pending_members": { status: fromOwners },
  "PUT /groups/:id/members/:member_id/approve": {
    async make(scene) {
      await addPending(scene);
      return { path: { member_id: (await scene.call("GET /groups/:id/pending_members")).get("0.id") } };
    },
    status: fromOwners,
  },
  "POST /groups/:id/members/approve_all": { make: addPending, status: fromOwners },
  "PUT /groups/:id/members/approve_all": { make: addPending, status: fromOwners },
};
