export { pageOfIssues } from "./orders.ts";
export { ListGroupIssues, ListIssues, ListProjectIssues } from "./schema.ts";
export { listIssues } from "./service-list.ts";
