import { networkOf } from "../../lib/ip-address.ts";

/** The other end of a connection. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const keyOf = ({ address, port }: Endpoint) => `${networkOf(address)} ${port}`;

/** Connections on which nothing moves because the server makes the client wait. */
export class HeldConnections {
  /** Readings of `performance.now()` until which each is held. */
  readonly #until = new Map<string, number>();

  hold(endpoint: Endpoint, seconds: number): void {
    this.#until.set(keyOf(endpoint), performance.now() + seconds * 1000);
  }

  has(endpoint: Endpoint): boolean {
    return (this.#until.get(keyOf(endpoint)) ?? 0) > performance.now();
  }

  /** Forgets those that are no longer held. */
  sweep(): void {
    const now = performance.now();
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key);
  }
}

/** Descriptors are the process's: there is one for all servers in it. */
export const heldConnections = new HeldConnections();
