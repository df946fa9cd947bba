export { traceChunks, traces } from "./collection.ts";
export { appendTrace, dropTrace, readTrace, sealTrace, traceSealing, traceSize } from "./service.ts";
