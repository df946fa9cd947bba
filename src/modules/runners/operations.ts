import { created, nothing, ok, operation } from "../operation.ts";
import { createRunner } from "./create.ts";
import { CreateRunner, RunnerToken, TokenOfRunner, VerifyRunner } from "./schema.ts";
import { deleteRunner, getRunnerByToken, noteContact } from "./service.ts";

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
