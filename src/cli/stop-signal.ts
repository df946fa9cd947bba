/**
 * Resolves at the first SIGTERM or SIGINT from now on. Later ones are swallowed, so that a second Ctrl-C cannot cut
 * off what the first one asked to finish.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve());
  });
}
