export { jobTokenPrefix, maskPiece } from "./masking.ts";
export { traceChunks, traces } from "./records.ts";
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
