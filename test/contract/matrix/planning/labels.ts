import { subscriptions } from "../../../../src/modules/planning/subscriptions/records.ts";
import { addLabel } from "../../../support/planning/labels.ts";
import type { MakeSample, Place, Samples, Scene } from "../scene.ts";

export function labelSamples({ world, fresh }: Scene): Samples {
  const samples = (["project", "group"] as const).map((kind): Samples => {
    const path = (place: Place) => `/${kind}s/${kind === "project" ? place.projectId : place.groupId}/labels`;
    const idOf = (place: Place) => (kind === "project" ? place.projectId : place.groupId);
    const add = (place: Place) => addLabel(world, { type: kind, id: idOf(place) }, { title: fresh() });
    const onOne =
      (suffix = "", json?: object): MakeSample =>
      (_, place) => ({
        path: `${path(place)}/${add(place).id}${suffix}`,
        ...(json === undefined ? {} : { options: { json } }),
      });
    const named =
      (json: object = {}): MakeSample =>
      (_, place) => ({ path: path(place), options: { json: { name: add(place).title, ...json } } });
    return {
      [`GET /${kind}s/:id/labels`]: (_, place) => ({ path: path(place) }),
      [`POST /${kind}s/:id/labels`]: (_, place) => ({
        path: path(place),
        options: { json: { name: fresh(), color: "teal" } },
      }),
      [`GET /${kind}s/:id/labels/:label_id`]: onOne(),
      [`PUT /${kind}s/:id/labels/:label_id`]: onOne("", { color: "#abcdef" }),
      [`PUT /${kind}s/:id/labels`]: named({ description: "new" }),
      [`DELETE /${kind}s/:id/labels/:label_id`]: onOne(),
      [`DELETE /${kind}s/:id/labels`]: named(),
      [`POST /${kind}s/:id/labels/:label_id/subscribe`]: onOne("/subscribe"),
      [`POST /${kind}s/:id/labels/:label_id/unsubscribe`]: (caller, place) => {
        const { id } = add(place);
        world.store.transact((tx) =>
          tx.insert(subscriptions, {
            id: tx.nextId("subscriptions"),
            subject_type: "Label",
            subject_id: id,
            user_id: caller.id,
            subscribed: true,
          }),
        );
        return { path: `${path(place)}/${id}/unsubscribe` };
      },
    };
  });
  return {
    ...samples[0],
    ...samples[1],
    "PUT /projects/:id/labels/:label_id/promote": (_, place) => {
      const { id } = addLabel(world, { type: "project", id: place.projectId }, { title: fresh() });
      return { path: `/projects/${place.projectId}/labels/${id}/promote` };
    },
    "PUT /projects/:id/labels/promote": (_, place) => {
      const { title } = addLabel(world, { type: "project", id: place.projectId }, { title: fresh() });
      return { path: `/projects/${place.projectId}/labels/promote`, options: { json: { name: title } } };
    },
  };
}
