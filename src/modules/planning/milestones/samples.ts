import type { SampleScene, Samples } from "../../kernel/sample.ts";

const create = ({ fresh }: SampleScene) => ({ json: { title: fresh(), due_date: "2031-05-01" } });
const update = { json: { state_event: "close" } };

export const milestoneSamples: Samples = {
  "POST /projects/:id/milestones": create,
  "PUT /projects/:id/milestones/:milestone_id": update,
  "POST /groups/:id/milestones": create,
  "PUT /groups/:id/milestones/:milestone_id": update,
};
