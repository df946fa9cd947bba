import { defineModule } from "../../kernel/module.ts";
import { traceChunks, traces } from "./records.ts";
import { traceSealing } from "./service.ts";
import { WatchedLogs } from "./watched-logs.ts";

export { jobTokenPrefix, maskPiece } from "./masking.ts";
export {
  appendTrace,
  awaitTrace,
  hasDebugOutput,
  joinChunks,
  linesFromEnd,
  readTrace,
  removeTrace,
  sealTrace,
  type TraceEnd,
  traceEnd,
} from "./service.ts";
export { WatchedLogs } from "./watched-logs.ts";

export const jobLogsModule = defineModule({
  name: "job-logs",
  collections: [traces, traceChunks],
  services: [WatchedLogs],
  jobs: [traceSealing],
});
