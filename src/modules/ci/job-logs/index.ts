import { defineModule } from "../../kernel/module.ts";
import { traceChunks, traces } from "./records.ts";
import { traceSealing } from "./service.ts";

export { jobTokenPrefix, maskPiece } from "./masking.ts";
export { traceChunks, traces } from "./records.ts";
export {
  appendTrace,
  awaitTrace,
  joinChunks,
  linesFromEnd,
  readTrace,
  removeTrace,
  sealTrace,
  type TraceEnd,
  traceEnd,
} from "./service.ts";

export const jobLogsModule = defineModule({
  name: "job-logs",
  collections: [traces, traceChunks],
  jobs: [traceSealing],
});
