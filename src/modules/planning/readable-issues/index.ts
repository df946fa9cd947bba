import { defineModule } from "../../kernel/module.ts";
import { ReadableIssues } from "./readable-issues.ts";

export { canSeeIssuesOf, isUnrestricted, plannerLevel } from "./policy.ts";
export { ReadableIssueSets, ReadableIssues } from "./readable-issues.ts";

export const readableIssuesModule = defineModule({ name: "readable-issues", services: [ReadableIssues] });
