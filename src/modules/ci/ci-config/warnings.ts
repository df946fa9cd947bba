/** Warnings: no faults of a CI file, but probably not meant. */

import type { JobPlan } from "./jobs.ts";
import type { CiFile } from "./read.ts";
import type { Rule } from "./rules/rules.ts";

const warningsMax = 25;
const page = "https://docs.gitlab.com/ee/ci/jobs/job_troubleshooting.html";
const anchor = "job-may-allow-multiple-pipelines-to-run-for-a-single-action-warning";

/** A last rule that always holds makes the job in branch pipelines and in those of merge requests. */
export function warningsOf({ workflowRules, jobs }: CiFile): string[] {
  if (workflowRules !== undefined) return [];
  const names = new Set(jobs.filter(isAlwaysMade).map(nameOf));
  return [...names].slice(0, warningsMax).map((name) => {
    const what = "may allow multiple pipelines to run for a single action";
    return `jobs:${name} ${what} due to \`rules:when\` clause with no \`workflow:rules\` - read more: ${page}#${anchor}`;
  });
}

/** The name that the file has, of a job that `parallel:` made several of. */
function nameOf({ name, copy }: JobPlan): string {
  return copy === undefined ? name : name.slice(0, name.length - copy.suffix.length);
}

function isAlwaysMade({ rules }: JobPlan): boolean {
  const last = rules?.at(-1);
  return last?.when !== undefined && last.when !== "never" && hasOnlyWhen(last);
}

function hasOnlyWhen({ when: _, variables, rawVariables: __, ...others }: Rule): boolean {
  return Object.keys(variables).length === 0 && Object.values(others).every((value) => value === undefined);
}
