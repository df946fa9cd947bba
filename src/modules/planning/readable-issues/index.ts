import { defineModule } from "../../kernel/module.ts";
import { ReadableIssues } from "./service.ts";

export { canSeeIssuesOf, plannerLevel } from "./policy.ts";
export { ReadableIssues, readableIssues } from "./service.ts";

export const readableIssuesModule = defineModule({ name: "readable-issues", services: [ReadableIssues] });
