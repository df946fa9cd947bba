import { platform } from "../lib/platform/index.ts";

/**
 * Resolves at the first signal to stop from now on, as SIGTERM or SIGINT. Later ones are swallowed, so that a second Ctrl-C cannot cut
 * off what the first one asked to finish.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of platform.stopSignals) process.on(signal, () => resolve());
  });
}
