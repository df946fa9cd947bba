export { readableConditions } from "./conditions.ts";
export { ListGroupMergeRequests, ListMergeRequests, ListProjectMergeRequests, listRules } from "./schema.ts";
export { listMergeRequests, pageOfMergeRequests } from "./service-list.ts";
