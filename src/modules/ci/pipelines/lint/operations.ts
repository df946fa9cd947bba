import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { inProject } from "../../../core/access/index.ts";
import { projectPathOf } from "../../../core/namespaces/index.ts";
import { file, ok, operation } from "../../../kernel/operation.ts";
import { ciFileSchema } from "../../ci-config/index.ts";
import { presentLint } from "./present.ts";
import { Lint, LintContent, LintProject } from "./schema.ts";
import { lintContent, lintProject } from "./service.ts";

const path = "/projects/:id/ci/lint";
const hourS = 3600;

/** triggers-and-pipelines 5, "lint". */
export const lintOperations = [
  operation({
    method: "GET",
    path,
    summary: "Check the CI file of a project",
    who: inProject(accessLevels.none),
    params: LintProject,
    answer: ok(Lint),
    failures: ["forbidden"],
    async handle(call) {
      const { context, caller, project, params, baseUrl } = call;
      const { dry_run: isDryRun = false, include_jobs: hasJobs = false } = params;
      const ref = params.dry_run_ref ?? params.ref;
      const linting = { project, caller, baseUrl, isDryRun, ref };
      const result = await lintProject(context, linting, params.content_ref ?? params.sha);
      return presentLint(result, call, { projectPath: projectPathOf(context.store, project), hasJobs });
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Check a CI file for a project",
    who: inProject(accessLevels.developer),
    params: LintContent,
    answer: ok(Lint),
    async handle(call) {
      const { context, caller, project, params, baseUrl } = call;
      const { dry_run: isDryRun = false, include_jobs: hasJobs = false, ref } = params;
      const result = await lintContent(context, { project, caller, baseUrl, isDryRun, ref }, params.content);
      return presentLint(result, call, { projectPath: projectPathOf(context.store, project), hasJobs });
    },
  }),

  operation({
    method: "GET",
    path: "/-/ci-schema.json",
    root: true,
    summary: "Get the JSON schema of CI files",
    who: "anyone",
    scopes: "any",
    params: Type.Object({}),
    answer: file({ maxAgeS: hourS }),
    handle: () => ({ contentType: "application/json", content: JSON.stringify(ciFileSchema()) }),
  }),
];
