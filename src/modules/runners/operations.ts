import { created, nothing, ok, operation } from "../operation.ts";
import { createRunner } from "./create.ts";
import { CreateRunner, ManagerOfRunner, NewRunnerToken, RunnerToken, TokenOfRunner, VerifyRunner } from "./schema.ts";
import { deleteRunner, forgetManager, noteContact } from "./service.ts";
import { getRunnerByToken, resetRunnerToken } from "./tokens.ts";

/** triggers-and-pipelines 5. */
export const registrationOperations = [
  operation({
    method: "POST",
    path: "/user/runners",
    summary: "Create a runner of the installation, a group or a project",
    who: "signed_in",
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
    path: "/runners/verify",
    summary: "Ask whether the token of a runner is good",
    who: "anyone",
    params: VerifyRunner,
    answer: ok(RunnerToken),
    handle({ context, caller, params: { token, system_id = "" } }) {
      const runner = getRunnerByToken(context.store, token);
      noteContact(context, runner, system_id, {}, () => caller.ipAddress);
      return { id: runner.id, token, token_expires_at: null };
    },
  }),

  operation({
    method: "POST",
    path: "/runners/reset_authentication_token",
    summary: "Give the runner whose token is sent another one",
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
    summary: "Take a machine off the runner whose token is sent",
    who: "anyone",
    params: ManagerOfRunner,
    answer: nothing(),
    handle({ context, params: { token, system_id } }) {
      forgetManager(context, getRunnerByToken(context.store, token), system_id);
    },
  }),

  operation({
    method: "DELETE",
    path: "/runners",
    summary: "Delete the runner whose token is sent",
    who: "anyone",
    params: TokenOfRunner,
    answer: nothing(),
    failures: ["precondition"],
    handle({ context, caller, params: { token }, unmodifiedSince }) {
      deleteRunner(context, caller, getRunnerByToken(context.store, token), unmodifiedSince);
    },
  }),
];
