import type { Static } from "@sinclair/typebox";
import type { View } from "../../../kernel/view.ts";
import type { CiFile, JobPlan } from "../../ci-config/index.ts";
import type { PlannedJob, PlannedJobs } from "../creation/plan.ts";
import type { Lint } from "./schema.ts";
import type { IncludedFile, LintResult } from "./service.ts";

/** The result of a check; jobs where they are asked for. */
export function presentLint(
  result: LintResult,
  { baseUrl }: Pick<View, "baseUrl">,
  { projectPath, hasJobs }: { readonly projectPath: string; readonly hasJobs: boolean },
): Static<typeof Lint> {
  const { errors, warnings, merged, includes, commit, jobs } = result;
  const sha = commit?.oid ?? "";
  return {
    valid: errors.length === 0,
    errors: [...errors],
    warnings: [...warnings],
    merged_yaml: merged,
    includes: includes?.map((file) => presentInclude(file, baseUrl, projectPath, sha)) ?? null,
    ...(hasJobs ? { jobs: errors.length > 0 || jobs === undefined ? [] : presentJobs(jobs) } : {}),
  };
}

function presentInclude(file: IncludedFile, baseUrl: string, projectPath: string, sha: string) {
  const { path, elsewhere, component } = file;
  const context = { context_project: projectPath, context_sha: sha };
  if (component !== undefined) {
    const blob = `${baseUrl}/${elsewhere?.project ?? projectPath}/-/blob/${component.sha}/${path}`;
    return { type: "component", location: component.address, blob, raw: null, extra: {}, ...context };
  }
  const at = `${elsewhere?.project ?? projectPath}/-`;
  const of = `${elsewhere === undefined ? sha : (elsewhere.ref ?? "HEAD")}/${path}`;
  return {
    type: elsewhere === undefined ? "local" : "file",
    location: path,
    blob: `${baseUrl}/${at}/blob/${of}`,
    raw: `${baseUrl}/${at}/raw/${of}`,
    extra: elsewhere === undefined ? {} : { project: elsewhere.project, ref: elsewhere.ref ?? null },
    ...context,
  };
}

/** Jobs in the order of their stages. */
function presentJobs(jobs: CiFile | PlannedJobs): NonNullable<Static<typeof Lint>["jobs"]> {
  if (!("stages" in jobs)) return jobs.jobs.map(presentPlanned);
  return jobs.stages.flatMap((stage) => jobs.jobs.filter((job) => job.stage === stage).map(presentPlan));
}

function presentPlanned({ name, stage, tag_list, when, allow_failure, config }: PlannedJob) {
  const { before_script, script, after_script, environment } = config;
  return {
    ...{ name, stage, before_script: [...before_script], script: [...script], after_script: [...after_script] },
    ...{ tag_list: [...tag_list], environment: environment?.name ?? null, when, allow_failure },
  };
}

function presentPlan(plan: JobPlan) {
  const { name, stage, before_script, script, after_script, tags, environment, when, only, except, needs, rules } =
    plan;
  return {
    ...{ name, stage, before_script: [...before_script], script: [...script], after_script: [...after_script] },
    tag_list: [...tags],
    only: presentPolicy(only) ?? (rules === undefined ? { refs: ["branches", "tags"] } : null),
    except: presentPolicy(except) ?? null,
    environment: environment?.name ?? null,
    when,
    allow_failure: plan.allow_failure ?? when === "manual",
    needs: needs?.map(({ name: needed, artifacts, optional }) => ({ name: needed, artifacts, optional })) ?? null,
  };
}

function presentPolicy(policy: JobPlan["only"]) {
  if (policy === undefined) return undefined;
  const { refs, variables, changes } = policy;
  return {
    ...(refs.length === 0 ? {} : { refs }),
    ...(variables.length === 0 ? {} : { variables }),
    ...(changes === undefined ? {} : { changes: changes.paths }),
  };
}
