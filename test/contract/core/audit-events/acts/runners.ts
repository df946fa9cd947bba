import { type Act, fresh, instance, makeGroup, makeProject } from "./act.ts";

export const runnerActs: Readonly<Record<string, Act>> = {
  "POST /user/runners for the installation": async (call) => {
    const description = fresh();
    const { body } = await call("POST", "/user/runners", { runner_type: "instance_type", description });
    return {
      event: "ci_runner_created",
      entity: instance,
      target: ["Ci::Runner", body.id, description],
      act: { custom_message: "Created instance CI runner" },
    };
  },
  "POST /user/runners for a group": async (call, world) => {
    const { id, path } = makeGroup(world);
    const { body } = await call("POST", "/user/runners", { runner_type: "group_type", group_id: id });
    return {
      event: "ci_runner_created",
      entity: ["Group", id, path],
      target: ["Ci::Runner", body.id, `#${body.id}`],
      act: { custom_message: "Created group CI runner" },
    };
  },
  "POST /runners/reset_authentication_token": async (call) => {
    const { body } = await call("POST", "/user/runners", { runner_type: "instance_type" });
    await call("POST", "/runners/reset_authentication_token", { token: body.token });
    return {
      event: "ci_runner_token_reset",
      entity: instance,
      target: ["Ci::Runner", body.id, `#${body.id}`],
      act: { custom_message: "Reset the token of instance CI runner" },
    };
  },
  "DELETE /runners of a project": async (call, world) => {
    const group = makeGroup(world);
    const { id, path } = makeProject(world, group.id);
    const { body } = await call("POST", "/user/runners", { runner_type: "project_type", project_id: id });
    await call("DELETE", "/runners", { token: body.token });
    return {
      event: "ci_runner_unregistered",
      entity: ["Project", id, `${group.path}/${path}`],
      target: ["Ci::Runner", body.id, `#${body.id}`],
      act: { custom_message: "Unregistered project CI runner" },
    };
  },
  "POST /runners of a project": async (call, world) => {
    const group = makeGroup(world);
    const { id, path } = makeProject(world, group.id);
    const { runners_token: token } = (await call("GET", `/projects/${id}`)).body;
    const { body } = await call("POST", "/runners", { token });
    return {
      event: "ci_runner_registered",
      entity: ["Project", id, `${group.path}/${path}`],
      target: ["Ci::Runner", body.id, `#${body.id}`],
      act: { custom_message: "Registered project CI runner" },
    };
  },
  "POST /groups/:id/runners/reset_registration_token": async (call, world) => {
    const { id, path } = makeGroup(world);
    await call("POST", `/groups/${id}/runners/reset_registration_token`);
    return {
      event: "ci_runner_token_reset",
      entity: ["Group", id, path],
      target: ["Group", id, path],
      act: { custom_message: "Reset the registration token of group CI runners" },
    };
  },
};
