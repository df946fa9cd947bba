import { type AnyElysia, Elysia } from "elysia";
import type { PathValues } from "../params/values.ts";

/** A request and its path parameters, as Elysia passes them to the handler of a route. */
export interface Matched {
  readonly request: Request;
  readonly params: PathValues;
}

export type MatchedHandler = (matched: Matched) => Response | Promise<Response>;

/**
 * Finds the handler of a request, by Elysia's router alone: without hooks, schemas and body parsing. Make it before the
 * modules are loaded, since Elysia then collects garbage.
 */
export class Matcher {
  readonly #app: AnyElysia;
  readonly #find: (request: Request) => Response | Promise<Response>;
  #unmatched: MatchedHandler | undefined;

  /** `isSecure` means that requests come as HTTPS. */
  constructor(isSecure: boolean) {
    this.#app = new Elysia({ handler: { standardHostname: isSecure } });
    // Elysia's function handles routes of all methods only if one exists when it is generated.
    this.add("ALL", "/*", (matched) => this.#answerUnmatched(matched));
    this.#find = this.#app.fetch;
  }

  /**
   * Adds a route directly to Elysia's router. `app.route` would prepare hooks, schemas and parsers of each route, and
   * generate a function with all fixed paths, which takes a quarter of a start.
   */
  add(method: string, path: string, handler: MatchedHandler): void {
    this.#app.router.http.add(method, path, { handler, compile: () => handler }, { lazy: false, ignoreHistory: true });
  }

  /** Sets the handler of requests that match no route. */
  setUnmatched(handler: MatchedHandler): void {
    this.#unmatched = handler;
  }

  fetch(request: Request): Response | Promise<Response> {
    return this.#find(request);
  }

  #answerUnmatched(matched: Matched): Response | Promise<Response> {
    if (this.#unmatched === undefined) throw new Error("no operations are mounted");
    return this.#unmatched(matched);
  }
}
