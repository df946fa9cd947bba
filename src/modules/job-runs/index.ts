export { demoRunner } from "./demo.ts";
export { JobNews } from "./news.ts";
export { jobRunOperations } from "./operations.ts";
export { ciJobTimeout } from "./timeout.ts";
