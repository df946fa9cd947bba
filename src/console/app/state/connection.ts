import { signal } from "@preact/signals";
import { basePath } from "./base.ts";

/** False after a request without a connection, until one succeeds. */
export const isConnected = signal(true);

const retryMs = 2_000;

export function noteConnectionLost(): void {
  if (!isConnected.value) return;
  isConnected.value = false;
  const retry = async () => {
    const exists = await fetch(`${basePath}/-/liveness`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (exists) isConnected.value = true;
    else setTimeout(() => void retry(), retryMs);
  };
  setTimeout(() => void retry(), retryMs);
}
