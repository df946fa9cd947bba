import { addMilestone } from "../../../support/planning/labels.ts";
import type { MakeSample, Place, Samples, Scene } from "../scene.ts";

export function milestoneSamples({ world, fresh }: Scene): Samples {
  const samples = (["project", "group"] as const).map((kind): Samples => {
    const idOf = (place: Place) => (kind === "project" ? place.projectId : place.groupId);
    const path = (place: Place) => `/${kind}s/${idOf(place)}/milestones`;
    const onOne =
      (suffix = "", json?: object): MakeSample =>
      (_, place) => {
        const { id } = addMilestone(world, { type: kind, id: idOf(place) }, { title: fresh() });
        return { path: `${path(place)}/${id}${suffix}`, ...(json === undefined ? {} : { options: { json } }) };
      };
    return {
      [`GET /${kind}s/:id/milestones`]: (_, place) => ({ path: path(place) }),
      [`POST /${kind}s/:id/milestones`]: (_, place) => ({ path: path(place), options: { json: { title: fresh() } } }),
      [`GET /${kind}s/:id/milestones/:milestone_id`]: onOne(),
      [`PUT /${kind}s/:id/milestones/:milestone_id`]: onOne("", { state_event: "close" }),
      [`DELETE /${kind}s/:id/milestones/:milestone_id`]: onOne(),
      [`GET /${kind}s/:id/milestones/:milestone_id/issues`]: onOne("/issues"),
      [`GET /${kind}s/:id/milestones/:milestone_id/merge_requests`]: onOne("/merge_requests"),
      ...(kind === "project" ? { "POST /projects/:id/milestones/:milestone_id/promote": onOne("/promote") } : {}),
    };
  });
  return { ...samples[0], ...samples[1] };
}
