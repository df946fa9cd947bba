import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { type Act, type Caller, change, fresh, makeGroup, makeProject } from "./act.ts";

export const projectActs: Readonly<Record<string, Act>> = {
  "POST /projects": async (call, world) => {
    const group = makeGroup(world);
    const path = fresh();
    const { body } = await call("POST", "/projects", { path, namespace_id: group.id });
    const full = `${group.path}/${path}`;
    return {
      event: "project_created",
      entity: ["Project", body.id, full],
      target: ["Project", body.id, full],
      act: { add: "project", custom_message: "Added project" },
    };
  },
  "a project's name": projectChange("project_name_updated", "name", "Ledger", "PATH"),
  "a project's path": projectChange("project_path_updated", "path", "ledger-of-old", "PATH"),
  "a project's visibility": async (call, world) => {
    const group = placesOf(world).group({ path: fresh(), visibility: "public" });
    const { id, path } = makeProject(world, group.id);
    await call("PUT", `/projects/${id}`, { visibility: "internal" });
    const about = [id, `${group.path}/${path}`] as const;
    const act = change("visibility", "Private", "Internal");
    return {
      event: "project_visibility_level_updated",
      entity: ["Project", ...about],
      target: ["Project", ...about],
      act,
    };
  },
  "a project's namespace": async (call, world) => {
    const [from, to] = [makeGroup(world), makeGroup(world)];
    const { id, path } = makeProject(world, from.id);
    await call("PUT", `/projects/${id}/transfer`, { namespace: to.id });
    const about = [id, `${to.path}/${path}`] as const;
    const act = change("namespace", from.path, to.path);
    return { event: "project_namespace_updated", entity: ["Project", ...about], target: ["Project", ...about], act };
  },
  "a project's default branch": async (call, world) => {
    const group = makeGroup(world);
    const path = fresh();
    const json = { path, namespace_id: group.id, initialize_with_readme: true };
    const { id } = (await call("POST", "/projects", json)).body;
    await call("POST", `/projects/${id}/repository/branches`, { branch: "trunk", ref: "main" });
    await call("PUT", `/projects/${id}`, { default_branch: "trunk" });
    const about = [id, `${group.path}/${path}`] as const;
    const act = change("default_branch", "main", "trunk");
    return {
      event: "project_default_branch_updated",
      entity: ["Project", ...about],
      target: ["Project", ...about],
      act,
    };
  },
  "a project's merge_method": projectChange("project_merge_method_updated", "merge_method", "ff", "merge"),
  "a project's only_allow_merge_if_pipeline_succeeds": projectChange(
    "project_only_allow_merge_if_pipeline_succeeds_updated",
    "only_allow_merge_if_pipeline_succeeds",
    true,
    "false",
  ),
  "a project's only_allow_merge_if_all_discussions_are_resolved": projectChange(
    "project_only_allow_merge_if_all_discussions_are_resolved_updated",
    "only_allow_merge_if_all_discussions_are_resolved",
    true,
    "false",
  ),
  "a project's issues_access_level": projectChange(
    "project_feature_issues_access_level_updated",
    "issues_access_level",
    "disabled",
    "enabled",
  ),
  "a project's wiki_access_level": projectChange(
    "project_feature_wiki_access_level_updated",
    "wiki_access_level",
    "private",
    "enabled",
  ),
  "a project's topics": projectAct("project_topics_updated", "Changed topics from  to a, b", (call, id) =>
    call("PUT", `/projects/${id}`, { topics: ["a", "b"] }),
  ),
  "POST /projects/:id/archive": projectAct("project_archived", "Project archived", (call, id) =>
    call("POST", `/projects/${id}/archive`),
  ),
  "POST /projects/:id/unarchive": projectAct("project_unarchived", "Project unarchived", async (call, id) => {
    await call("POST", `/projects/${id}/archive`);
    await call("POST", `/projects/${id}/unarchive`);
  }),
  "DELETE /projects": projectAct("project_destroyed", "Project destroyed", (call, id) =>
    call("DELETE", `/projects/${id}`),
  ),
  "DELETE /projects of a user": async (call, world) => {
    const user = await world.user({ username: fresh() });
    const { id, path } = makeProject(world, user.record.namespace_id);
    await call("DELETE", `/projects/${id}`);
    const about = [id, `${user.username}/${path}`] as const;
    const act = { custom_message: "Project destroyed" };
    return { event: "project_destroyed", entity: ["Project", ...about], target: ["Project", ...about], act };
  },
  "DELETE /projects/:id/pipelines/:pipeline_id": async (call, world) => {
    const group = makeGroup(world);
    const { id, path } = makeProject(world, group.id);
    await putCiFile(world, id, "job: {script: x}");
    const pipeline = await makePipeline(world, id);
    await call("DELETE", `/projects/${id}/pipelines/${pipeline.id}`);
    return {
      event: "destroy_pipeline",
      entity: ["Project", id, `${group.path}/${path}`],
      target: ["Ci::Pipeline", pipeline.id, String(pipeline.id)],
      act: { custom_message: "Deleted pipeline" },
    };
  },
};

function projectChange(event: string, attribute: string, value: unknown, from: string, to = String(value)): Act {
  return async (call, world) => {
    const group = makeGroup(world);
    const { id, path } = makeProject(world, group.id);
    await call("PUT", `/projects/${id}`, { [attribute]: value });
    const full = `${group.path}/${attribute === "path" ? value : path}`;
    const act = change(attribute, from === "PATH" ? path : from, to);
    return { event, entity: ["Project", id, full], target: ["Project", id, full], act };
  };
}

function projectAct(event: string, custom_message: string, act: (call: Caller, id: number) => Promise<unknown>): Act {
  return async (call, world) => {
    const group = makeGroup(world);
    const { id, path } = makeProject(world, group.id);
    await act(call, id);
    const full = `${group.path}/${path}`;
    const isGone = event === "project_destroyed";
    return {
      event,
      entity: isGone ? ["Group", group.id, group.path] : ["Project", id, full],
      target: ["Project", id, full],
      act: { custom_message },
    };
  };
}
