import { useEffect, useRef, useState } from "preact/hooks";
import type { components } from "../../api/generated.d.ts";
import type { ItemOf } from "../../api/paths.ts";
import { addressOf } from "../../api/paths.ts";
import { isConnected } from "../../state/connection.ts";
import { useInterval } from "./use-interval.ts";

/** The events of the server, by name. */
export interface ServerEvents {
  figures: components["schemas"]["RequestFigures"];
  jobs: readonly ItemOf<"/-/jobs">[];
  /** Newest first, at most a hundred at once. */
  requests: readonly ItemOf<"/-/requests">[];
}

type Handlers = { readonly [E in keyof ServerEvents]?: (value: ServerEvents[E]) => void };

/** The polling interval without events, the same as that of the server's events. */
const pollMs = 5_000;
/** The wait after a refused stream, such as one beyond the limit of listeners. */
const refusedRetryMs = 15_000;

/**
 * Calls the handlers with the server's events while the page is visible. Calls `catchUp` after each reconnection, and every
 * five seconds without a connection. Returns true while events come.
 */
export function useEvents(handlers: Handlers, catchUp: () => void): boolean {
  const [isLive, setLive] = useState(false);
  const current = useRef({ handlers, catchUp });
  current.current = { handlers, catchUp };
  const names = Object.keys(handlers).join(" ");
  useEffect(() => {
    const follow = new EventFollower(
      names.split(" ") as (keyof ServerEvents)[],
      (name, value) => (current.current.handlers[name] as ((given: unknown) => void) | undefined)?.(value),
      (isOpen, isAgain) => {
        setLive(isOpen);
        if (isOpen && isAgain) current.current.catchUp();
      },
    );
    return () => follow.stop();
  }, [names]);
  useInterval(pollMs, !isLive, () => isConnected.value && catchUp());
  return isLive;
}

/** A stream of events. It reconnects after a lost connection and when the page becomes visible again. */
class EventFollower {
  readonly #names: readonly (keyof ServerEvents)[];
  readonly #onEvent: (name: keyof ServerEvents, value: unknown) => void;
  readonly #onChange: (isOpen: boolean, isAgain: boolean) => void;
  readonly #onVisibility = () => (document.hidden ? this.#close() : this.#open());
  #source: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #wasOpen = false;

  constructor(
    names: readonly (keyof ServerEvents)[],
    onEvent: (name: keyof ServerEvents, value: unknown) => void,
    onChange: (isOpen: boolean, isAgain: boolean) => void,
  ) {
    this.#names = names;
    this.#onEvent = onEvent;
    this.#onChange = onChange;
    document.addEventListener("visibilitychange", this.#onVisibility);
    if (!document.hidden) this.#open();
  }

  stop(): void {
    document.removeEventListener("visibilitychange", this.#onVisibility);
    this.#close();
  }

  #open(): void {
    this.#close();
    const wantsRequests = this.#names.includes("requests");
    const source = new EventSource(addressOf("/-/console/events", {}, wantsRequests ? { requests: true } : {}));
    this.#source = source;
    source.onopen = () => {
      this.#onChange(true, this.#wasOpen);
      this.#wasOpen = true;
    };
    source.onerror = () => {
      this.#onChange(false, false);
      // The browser itself reconnects after a lost connection, but not after a refusal.
      if (source.readyState === EventSource.CLOSED) this.#retry = setTimeout(() => this.#open(), refusedRetryMs);
    };
    for (const name of this.#names) {
      source.addEventListener(name, ({ data }) => this.#onEvent(name, JSON.parse(data)));
    }
  }

  #close(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
  }
}
