import { trackedErrors } from "../../../src/modules/monitoring/error-tracking/records.ts";
import { collectorOf, envelopeOf, eventOf } from "../../support/fixtures/error-tracking.ts";
import { rootToken } from "../../support/fixtures/world.ts";
import type { MakeSample, Place, Samples, Scene } from "./scene.ts";

export function errorTrackingSamples({ world, fresh }: Scene): Samples {
  const base = ({ projectId }: Place) => `/projects/${projectId}/error_tracking`;
  const choice = { active: true, integrated: true };
  const addError = async ({ projectId }: Place): Promise<number> => {
    await (await collectorOf(world, projectId)).report(eventOf({ transaction: fresh() }));
    return Math.max(...world.store.of(trackedErrors).by.project_id.find(projectId));
  };
  const onError =
    (suffix = "", json?: object): MakeSample =>
    async (_, place) => ({
      path: `${base(place)}/errors/${await addError(place)}${suffix}`,
      ...(json === undefined ? {} : { options: { json } }),
    });
  const onSettings =
    (json?: object): MakeSample =>
    async (_, place) => {
      await collectorOf(world, place.projectId);
      return { path: `${base(place)}/settings`, ...(json === undefined ? {} : { options: { json } }) };
    };
  return {
    "GET /projects/:id/error_tracking/settings": onSettings(),
    "PUT /projects/:id/error_tracking/settings": onSettings(choice),
    "PATCH /projects/:id/error_tracking/settings": onSettings({ active: false }),
    "GET /projects/:id/error_tracking/client_keys": (_, place) => ({ path: `${base(place)}/client_keys` }),
    "POST /projects/:id/error_tracking/client_keys": (_, place) => ({ path: `${base(place)}/client_keys` }),
    "DELETE /projects/:id/error_tracking/client_keys/:key_id": async (_, place) => {
      const { body } = await world.call("POST", `${base(place)}/client_keys`, { token: rootToken });
      return { path: `${base(place)}/client_keys/${body.id}` };
    },
    "GET /projects/:id/error_tracking/errors": async (_, place) => {
      await addError(place);
      return { path: `${base(place)}/errors` };
    },
    "GET /projects/:id/error_tracking/errors/:error_id": onError(),
    "PUT /projects/:id/error_tracking/errors/:error_id": onError("", { status: "resolved" }),
    "GET /projects/:id/error_tracking/errors/:error_id/events": onError("/events"),
    "GET /projects/:id/error_tracking/errors/:error_id/events/latest": onError("/events/latest"),
    "POST /error_tracking/collector/api/:id/store": async (_, place) => {
      const { store, headers } = await collectorOf(world, place.projectId);
      return { path: store, options: { headers, json: eventOf() } };
    },
    "POST /error_tracking/collector/api/:id/envelope": async (_, place) => {
      const { envelope, headers } = await collectorOf(world, place.projectId);
      return { path: envelope, options: { headers, raw: envelopeOf({}, { type: "event" }, eventOf()) } };
    },
  };
}
