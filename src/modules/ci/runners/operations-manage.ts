import { Type } from "@sinclair/typebox";
import { mapPage, pageOfAll } from "../../../domain/page.ts";
import { atLeastOne, idInPath, mutuallyExclusive } from "../../../domain/parameters.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { managersOf, presentRunnerDetails, presentRunnerManager } from "./present.ts";
import { NewRunnerToken, RunnerAttributes, RunnerDetails, RunnerManager } from "./schema.ts";
import { deleteRunner } from "./service.ts";
import { resetRunnerToken } from "./service-tokens.ts";
import { getDeletableRunner, getRunner, getShownRunner, updateRunner } from "./service-update.ts";

const RunnerInPath = Type.Object({ id: idInPath("runner id") });
const inPath = RunnerInPath.properties;
const scopes = ["manage_runner"] as const;

/** Operations that read and change one runner. */
export const manageOperations = [
  operation({
    method: "GET",
    path: "/runners/:id",
    summary: "Get a runner",
    who: "signed_in",
    scopes,
    params: RunnerInPath,
    answer: ok(RunnerDetails),
    handle(call) {
      const { context, caller, params } = call;
      return presentRunnerDetails(getShownRunner(context, caller, params.id), call);
    },
  }),

  operation({
    method: "GET",
    path: "/runners/:id/managers",
    summary: "List the managers of a runner",
    who: "signed_in",
    scopes,
    params: RunnerInPath,
    answer: pageOf(RunnerManager),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, params, page } = call;
      const all = managersOf(context, getShownRunner(context, caller, params.id));
      return mapPage(pageOfAll(all, page), (manager) => presentRunnerManager(manager, call));
    },
  }),

  operation({
    method: "PUT",
    path: "/runners/:id",
    summary: "Update a runner",
    who: "signed_in",
    scopes,
    params: Type.Object({ ...inPath, ...RunnerAttributes.properties }),
    rules: [atLeastOne(...Object.keys(RunnerAttributes.properties)), mutuallyExclusive("active", "paused")],
    answer: ok(RunnerDetails),
    failures: ["invalid"],
    handle(call) {
      const {
        context,
        caller,
        params: { id, ...attributes },
      } = call;
      const runner = updateRunner(context, getRunner(context, caller, id), attributes);
      return presentRunnerDetails(runner, call);
    },
  }),

  operation({
    method: "DELETE",
    path: "/runners/:id",
    summary: "Delete a runner",
    who: "signed_in",
    scopes,
    params: RunnerInPath,
    answer: noContent(),
    handle({ context, caller, params, unmodifiedSince }) {
      deleteRunner(context, caller, getDeletableRunner(context, caller, params.id), unmodifiedSince);
    },
  }),

  operation({
    method: "POST",
    path: "/runners/:id/reset_authentication_token",
    summary: "Reset the authentication token of a runner",
    who: "signed_in",
    scopes,
    params: RunnerInPath,
    answer: created(NewRunnerToken),
    handle({ context, caller, params }) {
      const { token } = resetRunnerToken(context, caller, getRunner(context, caller, params.id));
      return { token, token_expires_at: null };
    },
  }),
];
