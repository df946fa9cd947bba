export { listIssues } from "./list.ts";
export { ListGroupIssues, ListIssues, ListProjectIssues } from "./parameters.ts";
