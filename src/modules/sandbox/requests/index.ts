import { defineModule } from "../../kernel/module.ts";
import { Exchanges } from "./exchanges.ts";
import { Recorder, startRecording } from "./recorder.ts";

export { type Exchange, Exchanges, type Message } from "./exchanges.ts";
export { harEntry, harHead, harTail } from "./har.ts";

export const sandboxRequestsModule = defineModule({
  name: "sandbox-requests",
  tag: "Sandbox",
  areas: ["-/sandbox"],
  operations: async () => (await import("./operations.ts")).requestOperations,
  samples: async () => (await import("./samples.ts")).sandboxRequestSamples,
  services: [Exchanges, Recorder],
  start: startRecording,
  stop: async (context, drained) => {
    await drained;
    await context.get(Recorder)?.close();
  },
});
