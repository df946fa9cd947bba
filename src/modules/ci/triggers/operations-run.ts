import { Type } from "@sinclair/typebox";
import { optional, projectId, text } from "../../../domain/parameters.ts";
import { created, operation } from "../../kernel/operation.ts";
import { Pipeline, presentPipeline } from "../pipelines/index.ts";
import { isTriggerToken, runTrigger } from "./service-run.ts";

const TriggerPipeline = Type.Object({
  id: projectId(),
  ref: text({ allowBlank: false, description: "branch or tag" }),
  token: text({ description: "trigger token of the project, or token of a running job" }),
  variables: optional(Type.Record(Type.String(), Type.Unsafe<unknown>(Type.Any()))),
  inputs: optional(
    Type.Record(Type.String(), Type.Unsafe<unknown>(Type.Any()), { description: "values of the CI file's inputs" }),
  ),
});

/** triggers-and-pipelines 2. */
export const runOperations = ["/projects/:id/trigger/pipeline", "/projects/:id/ref/:ref/trigger/pipeline"].map((path) =>
  operation({
    method: "POST",
    path,
    summary: path.includes(":ref") ? "Trigger a pipeline for a branch or tag" : "Trigger a pipeline with a token",
    who: "anyone",
    params: TriggerPipeline,
    http: {
      knowsSender: (context, { query: { token } }) => typeof token === "string" && isTriggerToken(context, token),
    },
    answer: created(Pipeline),
    failures: ["forbidden", "not_found", "unauthenticated", "invalid", "unprocessable"],
    async handle(call) {
      const { context, caller, params, rawParams, baseUrl } = call;
      const run = { ...params, variables: params.variables ?? {}, inputs: params.inputs ?? {}, sent: rawParams };
      return presentPipeline(await runTrigger(context, caller, run, baseUrl), call);
    },
  }),
);
