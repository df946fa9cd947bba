import { platform } from "../lib/platform/index.ts";

/**
 * Resolves at the next signal to stop, such as SIGTERM or SIGINT. Ignores later ones, so that a second Ctrl-C does not abort
 * the clean stop.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of platform.stopSignals) process.on(signal, () => resolve());
  });
}
