import { putGroup, putProject } from "../../../support/fixtures/places.ts";
import { rootToken } from "../../../support/fixtures/world.ts";
import { putSnippet } from "../../repositories/snippets/setting.ts";
import type { MakeSample, Samples, Scene } from "../scene.ts";

export function storageMoveSamples({ world }: Scene): Samples {
  const container = {
    project: () => putProject(world, putGroup(world).id).id,
    snippet: () => putSnippet(world).id,
    group: () => putGroup(world).id,
  };
  const samples: Record<string, MakeSample> = { "GET /-/storages": () => ({ path: "/-/storages" }) };
  for (const kind of ["project", "snippet", "group"] as const) {
    const own = (id: number) => `/${kind}s/${id}/repository_storage_moves`;
    const made = async () => {
      const id = container[kind]();
      const { body, status, text } = await world.call("POST", own(id), { token: rootToken });
      if (status !== 201) throw new Error(`no move: ${status} ${text}`);
      return { id, move: body.id as number };
    };
    const all = `/${kind}_repository_storage_moves`;
    samples[`GET ${all}`] = () => ({ path: all });
    samples[`POST ${all}`] = () => ({ path: all, options: { json: { source_storage_name: "default" } } });
    samples[`GET ${all}/:repository_storage_move_id`] = async () => ({ path: `${all}/${(await made()).move}` });
    const at = `/${kind}s/:id/repository_storage_moves`;
    samples[`GET ${at}`] = () => ({ path: own(container[kind]()) });
    samples[`POST ${at}`] = () => ({ path: own(container[kind]()) });
    samples[`GET ${at}/:repository_storage_move_id`] = async () => {
      const { id, move } = await made();
      return { path: `${own(id)}/${move}` };
    };
  }
  return samples;
}
