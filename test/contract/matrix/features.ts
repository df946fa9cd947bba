import { rootToken } from "../../support/fixtures/world.ts";
import { at, type Samples, type Scene } from "./scene.ts";

export function featureSamples({ world, fresh }: Scene): Samples {
  return {
    "GET /features": at("/features"),
    "GET /-/features/:name": at("/-/features/of_the_matrix"),
    "GET /features/definitions": at("/features/definitions"),
    "POST /features/definitions": () => ({ path: "/features/definitions", options: { json: { value: true } } }),
    "DELETE /features/definitions": async () => {
      const path = "/features/definitions";
      await world.call("POST", path, { token: rootToken, json: { value: true } });
      return { path };
    },
    "POST /features/:name": () => ({ path: `/features/${fresh()}`, options: { json: { value: true } } }),
    "DELETE /features/:name": async () => {
      const path = `/features/${fresh()}`;
      await world.call("POST", path, { token: rootToken, json: { value: true } });
      return { path };
    },
  };
}
