import { networkOf } from "../../lib/ip-address.ts";

/** The remote address of a connection. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const keyOf = ({ address, port }: Endpoint) => `${networkOf(address)} ${port}`;

/** Connections that are idle because the server makes the client wait. */
export class HeldConnections {
  /** When each hold ends, as readings of `performance.now()`. */
  readonly #until = new Map<string, number>();

  hold(endpoint: Endpoint, seconds: number): void {
    this.#until.set(keyOf(endpoint), performance.now() + seconds * 1000);
  }

  has(endpoint: Endpoint): boolean {
    return (this.#until.get(keyOf(endpoint)) ?? 0) > performance.now();
  }

  /** Removes ended holds. */
  sweep(): void {
    const now = performance.now();
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key);
  }
}

/** One for the process, since all its servers share the descriptors. */
export const heldConnections = new HeldConnections();
