import { registryOf } from "../../../../support/ci/registry.ts";
import type { World } from "../../../../support/fixtures/world.ts";
import { type Act, makeGroup, makeProject } from "./act.ts";

/** A repository with one tag, and its project. */
async function pushImage(world: World) {
  const group = makeGroup(world);
  const project = makeProject(world, group.id);
  const path = `${group.path}/${project.path}`;
  await registryOf(world).push(`${path}/app`, "v1");
  const { body } = await world.get(`/projects/${project.id}/registry/repositories`);
  return { project, path, id: body[0].id as number };
}

export const containerRegistryActs: Readonly<Record<string, Act>> = {
  "DELETE of an image repository": async (call, world) => {
    const { project, path, id } = await pushImage(world);
    await call("DELETE", `/projects/${project.id}/registry/repositories/${id}`);
    return {
      event: "container_repository_deletion_marked",
      entity: ["Project", project.id, path],
      target: ["ContainerRepository", id, `${path}/app`],
      act: { custom_message: `Marked container repository ${id} for deletion` },
    };
  },
  "DELETE of a tag of an image repository": async (call, world) => {
    const { project, path, id } = await pushImage(world);
    await call("DELETE", `/projects/${project.id}/registry/repositories/${id}/tags/v1`);
    return {
      event: "container_repository_tags_deleted",
      entity: ["Project", project.id, path],
      target: ["ContainerRepository", id, `${path}/app`],
      act: { custom_message: "Container repository tags marked for deletion: v1" },
    };
  },
  "DELETE of tags by a pattern": async (call, world) => {
    const { project, path, id } = await pushImage(world);
    await call("DELETE", `/projects/${project.id}/registry/repositories/${id}/tags?name_regex_delete=v.`);
    await world.jobsDone();
    return {
      event: "container_repository_tags_deleted",
      entity: ["Project", project.id, path],
      target: ["ContainerRepository", id, `${path}/app`],
      act: { custom_message: "Container repository tags marked for deletion: v1" },
    };
  },
  "DELETE of a manifest": async (_, world) => {
    const { project, path, id } = await pushImage(world);
    const { status } = await registryOf(world).call("DELETE", `${path}/app/manifests/v1`);
    if (status !== 202) throw new Error(`no deletion: ${status}`);
    return {
      event: "container_repository_tags_deleted",
      entity: ["Project", project.id, path],
      target: ["ContainerRepository", id, `${path}/app`],
      act: { custom_message: "Container repository tags marked for deletion: v1" },
    };
  },
};
