export { installation } from "./collection.ts";
export { type FirstStart, installFirstTime } from "./service.ts";
