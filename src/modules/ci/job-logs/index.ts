export { traceChunks, traces } from "./collection.ts";
export { jobTokenPrefix, maskPiece } from "./masking.ts";
export {
  appendTrace,
  awaitTrace,
  dropTrace,
  readTrace,
  sealTrace,
  type TraceEnd,
  traceEnd,
  traceSealing,
} from "./service.ts";
