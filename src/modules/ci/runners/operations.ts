import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { groupId, mutuallyExclusive, projectId } from "../../../domain/parameters.ts";
import { inGroup, inProject } from "../../core/access/index.ts";
import { created, noContent, ok, operation } from "../../kernel/operation.ts";
import {
  CreateRunner,
  ManagerOfRunner,
  NewRunnerToken,
  RegisterRunner,
  RunnerToken,
  TokenOfRunner,
  VerifyRunner,
} from "./schema.ts";
import { deleteManager, deleteRunner, recordContact } from "./service.ts";
import { createRunner } from "./service-create.ts";
import { registerRunner, resetRegistrationToken } from "./service-register.ts";
import { getRunnerByToken, resetRunnerToken } from "./service-tokens.ts";

const newToken = (token: string) => ({ token, token_expires_at: null });

/** triggers-and-pipelines 5. */
export const registrationOperations = [
  operation({
    method: "POST",
    path: "/user/runners",
    summary: "Create a runner for the instance, a group or a project",
    who: "signed_in",
    scopes: ["create_runner"],
    params: CreateRunner,
    answer: created(RunnerToken),
    failures: ["invalid"],
    handle({ context, caller, params }) {
      const { runner, token } = createRunner(context, caller, params);
      return { id: runner.id, token, token_expires_at: null };
    },
  }),

  operation({
    method: "POST",
    path: "/runners",
    summary: "Register a runner with a registration token",
    who: "anyone",
    params: RegisterRunner,
    rules: [mutuallyExclusive("active", "paused")],
    answer: created(RunnerToken),
    failures: ["forbidden", "invalid"],
    deprecated: true,
    handle({ context, caller, params }) {
      const { runner, token } = registerRunner(context, caller, params);
      return { id: runner.id, token, token_expires_at: null };
    },
  }),

  operation({
    method: "POST",
    path: "/runners/reset_registration_token",
    summary: "Reset the registration token of the instance",
    who: "administrator",
    params: Type.Object({}),
    answer: created(NewRunnerToken),
    deprecated: true,
    handle: ({ context, caller }) => newToken(resetRegistrationToken(context, caller)),
  }),

  operation({
    method: "POST",
    path: "/projects/:id/runners/reset_registration_token",
    summary: "Reset the registration token of a project",
    who: inProject(accessLevels.maintainer),
    params: Type.Object({ id: projectId() }),
    answer: created(NewRunnerToken),
    deprecated: true,
    handle: ({ context, caller, project }) => newToken(resetRegistrationToken(context, caller, { project })),
  }),

  operation({
    method: "POST",
    path: "/groups/:id/runners/reset_registration_token",
    summary: "Reset the registration token of a group",
    who: inGroup(accessLevels.owner),
    params: Type.Object({ id: groupId() }),
    answer: created(NewRunnerToken),
    deprecated: true,
    handle: ({ context, caller, group }) => newToken(resetRegistrationToken(context, caller, { group })),
  }),

  operation({
    method: "POST",
    path: "/runners/verify",
    summary: "Verify the authentication token of a runner",
    who: "anyone",
    params: VerifyRunner,
    answer: ok(RunnerToken),
    handle({ context, caller, params: { token, system_id = "", info } }) {
      const runner = getRunnerByToken(context.store, token);
      recordContact(context, runner, system_id, info, () => caller.ipAddress);
      return { id: runner.id, token, token_expires_at: null };
    },
  }),

  operation({
    method: "POST",
    path: "/runners/reset_authentication_token",
    summary: "Reset the authentication token of the current runner",
    who: "anyone",
    params: TokenOfRunner,
    answer: created(NewRunnerToken),
    handle({ context, caller, params }) {
      const { token } = resetRunnerToken(context, caller, getRunnerByToken(context.store, params.token));
      return { token, token_expires_at: null };
    },
  }),

  operation({
    method: "DELETE",
    path: "/runners/managers",
    summary: "Delete a manager of the current runner",
    who: "anyone",
    params: ManagerOfRunner,
    answer: noContent(),
    handle({ context, params: { token, system_id } }) {
      deleteManager(context, getRunnerByToken(context.store, token), system_id);
    },
  }),

  operation({
    method: "DELETE",
    path: "/runners",
    summary: "Delete the current runner",
    who: "anyone",
    params: TokenOfRunner,
    answer: noContent(),
    failures: ["precondition"],
    handle({ context, caller, params: { token }, unmodifiedSince }) {
      deleteRunner(context, caller, getRunnerByToken(context.store, token), unmodifiedSince);
    },
  }),
];
