export { installation } from "./records.ts";
export { type FirstStart, installFirstTime } from "./service.ts";
