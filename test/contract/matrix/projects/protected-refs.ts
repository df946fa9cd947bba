import { accessLevels } from "../../../../src/domain/access-level.ts";
import { rootToken } from "../../../support/fixtures/world.ts";
import type { MakeSample, Place, Samples, Scene, SpecialSample } from "../scene.ts";

export function protectedRefSamples({ world, fresh }: Scene): Samples {
  const rules = ({ projectId }: Place) => `/projects/${projectId}/protected_branches`;
  const made = async (place: Place) => {
    const json = { name: fresh() };
    const { status, text } = await world.call("POST", rules(place), { token: rootToken, json });
    if (status !== 201) throw new Error(`no rule: ${status} ${text}`);
    return `${rules(place)}/${json.name}`;
  };
  const withRule = async (_: unknown, place: Place) => ({ path: await made(place) });
  const listed: MakeSample = async (_, place) => {
    await made(place);
    return { path: rules(place) };
  };
  /** Members below reporter cannot read the code of a private project. */
  const reading = (make: MakeSample): SpecialSample => ({
    make,
    expected: ({ level }, { visibility }) =>
      visibility === "private" && level < accessLevels.reporter ? 403 : undefined,
  });
  const tagRules = ({ projectId }: Place) => `/projects/${projectId}/protected_tags`;
  const madeTagRule = async (place: Place) => {
    const json = { name: fresh() };
    const { status, text } = await world.call("POST", tagRules(place), { token: rootToken, json });
    if (status !== 201) throw new Error(`no rule: ${status} ${text}`);
    return `${tagRules(place)}/${json.name}`;
  };
  const withTagRule = async (_: unknown, place: Place) => ({ path: await madeTagRule(place) });
  return {
    "GET /projects/:id/protected_tags": async (_, place) => {
      await madeTagRule(place);
      return { path: tagRules(place) };
    },
    "GET /projects/:id/protected_tags/:name": withTagRule,
    "POST /projects/:id/protected_tags": (_, place) => ({
      path: tagRules(place),
      options: { json: { name: fresh() } },
    }),
    "DELETE /projects/:id/protected_tags/:name": withTagRule,
    "GET /projects/:id/protected_branches": reading(listed),
    "GET /projects/:id/protected_branches/:name": reading(withRule),
    "POST /projects/:id/protected_branches": (_, place) => ({
      path: rules(place),
      options: { json: { name: fresh() } },
    }),
    "PATCH /projects/:id/protected_branches/:name": async (_, place) => ({
      path: await made(place),
      options: { json: { allow_force_push: true } },
    }),
    "DELETE /projects/:id/protected_branches/:name": withRule,
  };
}
