export { installation } from "./collection.ts";
export { installFirstTime } from "./service.ts";
