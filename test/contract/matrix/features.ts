import { at, type Samples, type Scene } from "./scene.ts";

export function featureSamples({ fresh }: Scene): Samples {
  return {
    "GET /features": at("/features"),
    "GET /features/definitions": at("/features/definitions"),
    "POST /features/:name": () => ({ path: `/features/${fresh()}`, options: { json: { value: true } } }),
    "DELETE /features/:name": () => ({ path: `/features/${fresh()}` }),
  };
}
