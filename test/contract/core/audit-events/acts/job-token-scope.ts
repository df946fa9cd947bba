import { type Act, makeGroup, makeProject } from "./act.ts";

export const jobTokenScopeActs: Readonly<Record<string, Act>> = {
  "a limit on job tokens that goes": limited(false),
  "a limit on job tokens that comes back": limited(true),
  "a project whose jobs are let in": projectLink("added"),
  "a project whose jobs are let in no more": projectLink("removed"),
  "a group whose jobs are let in": groupLink("added"),
  "a group whose jobs are let in no more": groupLink("removed"),
};

function limited(enabled: boolean): Act {
  return async (call, world) => {
    const group = makeGroup(world);
    const { id, path } = makeProject(world, group.id);
    await call("PATCH", `/projects/${id}/job_token_scope`, { enabled: false });
    if (enabled) await call("PATCH", `/projects/${id}/job_token_scope`, { enabled });
    const about = ["Project", id, `${group.path}/${path}`] as const;
    const word = enabled ? "enabled" : "disabled";
    return {
      event: `secure_ci_job_token_inbound_${word}`,
      entity: about,
      target: about,
      act: { custom_message: `Secure ci_job_token was ${word} for inbound` },
    };
  };
}

const preposition = { added: "to", removed: "from" } as const;

function projectLink(word: "added" | "removed"): Act {
  return async (call, world) => {
    const [here, there] = [makeGroup(world), makeGroup(world)];
    const [source, target] = [makeProject(world, here.id), makeProject(world, there.id)];
    const [path, targetPath] = [`${here.path}/${source.path}`, `${there.path}/${target.path}`];
    const list = `/projects/${source.id}/job_token_scope/allowlist`;
    await call("POST", list, { target_project_id: target.id });
    if (word === "removed") await call("DELETE", `${list}/${target.id}`);
    const message = `Project ${targetPath} was ${word} ${preposition[word]} inbound list of allowed projects for ${path}`;
    return {
      event: `secure_ci_job_token_project_${word}`,
      entity: ["Project", source.id, path],
      target: ["Project", target.id, targetPath],
      act: { custom_message: message },
    };
  };
}

function groupLink(word: "added" | "removed"): Act {
  return async (call, world) => {
    const [here, target] = [makeGroup(world), makeGroup(world)];
    const source = makeProject(world, here.id);
    const path = `${here.path}/${source.path}`;
    const list = `/projects/${source.id}/job_token_scope/groups_allowlist`;
    await call("POST", list, { target_group_id: target.id });
    if (word === "removed") await call("DELETE", `${list}/${target.id}`);
    const message = `Group ${target.path} was ${word} ${preposition[word]} list of allowed groups for ${path}`;
    return {
      event: `secure_ci_job_token_group_${word}`,
      entity: ["Project", source.id, path],
      target: ["Group", target.id, target.path],
      act: { custom_message: message },
    };
  };
}
