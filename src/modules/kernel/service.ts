import type { Context } from "./context.ts";

/** Names what a module offers to others, and caches. The module that declares it lists it in its manifest. */
export interface ServiceKey<T> {
  /** kebab-case; errors of the start name the service by it. */
  readonly name: string;
  /** Called once for each context, at the first `context.get`. */
  make(context: Context): T;
}

/** `export const Access = serviceKey("access", (context) => …)`; `context.get(Access)` is the service. */
export function serviceKey<T>(name: string, make: (context: Context) => T): ServiceKey<T> {
  return { name, make };
}
