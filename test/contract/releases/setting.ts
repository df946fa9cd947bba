import { rootToken, type World } from "../../support/fixtures/world.ts";
import { makeProject } from "../ci/triggers-and-pipelines/setting.ts";

/** A project of root's with one commit, and the ways to its releases. */
export async function makeReleases(world: World, attributes: Readonly<Record<string, unknown>> = {}) {
  const project = await makeProject(world, { initialize_with_readme: true, ...attributes });
  const at = `/projects/${project.id}/releases`;
  const { body } = await world.get(`/projects/${project.id}/repository/commits`);
  return {
    project,
    at,
    /** Of its one commit. */
    sha: body[0].id as string,
    one: (tag: string) => `${at}/${encodeURIComponent(tag)}`,
    send: (method: string, path: string, token = rootToken, json?: object) =>
      world.call(method, path, json === undefined ? { token } : { token, json }),
  };
}
