/** The thread that copies repositories: copying and hashing would block the event loop of the server. */
import { copyRepository } from "./copy.ts";
import type { CopyOrder, CopyReport } from "./orders.ts";

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<CopyOrder>) => {
  const report = (error: string | null) => self.postMessage({ id: data.id, error } satisfies CopyReport);
  try {
    await copyRepository(data.source, data.destination);
    report(null);
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
  }
};
