import { putTrigger } from "../../support/triggers.ts";
import type { MakeSample, Samples, Scene } from "./scene.ts";

export function pipelineSamples({ world, fresh }: Scene): Samples {
  const triggers = (json?: () => object): MakeSample => {
    return (_, place) => ({
      path: `/projects/${place.projectId}/triggers`,
      ...(json === undefined ? {} : { options: { json: json() } }),
    });
  };
  /** A fresh one of the caller's own, for only owners change theirs. */
  const onTrigger = (json?: () => object): MakeSample => {
    return (caller, { projectId }) => {
      const { id } = putTrigger(world, projectId, caller.id);
      const path = `/projects/${projectId}/triggers/${id}`;
      return json === undefined ? { path } : { path, options: { json: json() } };
    };
  };
  return {
    "GET /projects/:id/triggers": triggers(),
    "POST /projects/:id/triggers": triggers(() => ({ description: fresh() })),
    "GET /projects/:id/triggers/:trigger_id": onTrigger(),
    "PUT /projects/:id/triggers/:trigger_id": onTrigger(() => ({ description: fresh() })),
    "DELETE /projects/:id/triggers/:trigger_id": onTrigger(),
  };
}
