export { mayCreateGroup } from "./create.ts";
export { groupOperations } from "./operations.ts";
export { presentGroup, presentGroupDetail } from "./present.ts";
export { Group, GroupDetail } from "./schema.ts";
