import { type AnyElysia, Elysia } from "elysia";
import type { PathValues } from "../params/values.ts";

/** A request and its path parameters, as Elysia passes them to the handler of a route. */
export interface Matched {
  readonly request: Request;
  readonly params: PathValues;
}

export type MatchedHandler = (matched: Matched) => Response | Promise<Response>;

/**
 * Finds the handler of a request. Elysia matches and nothing more: no hooks, no schemas, no body parsing. Make it before the
 * modules are loaded: Elysia collects garbage once it has written its function.
 */
export class Matcher {
  readonly #app: AnyElysia;
  readonly #find: (request: Request) => Response | Promise<Response>;
  #unmatched: MatchedHandler | undefined;

  /** `isSecure`: requests come as HTTPS. */
  constructor(isSecure: boolean) {
    this.#app = new Elysia({ handler: { standardHostname: isSecure } });
    // Elysia's function asks for routes of all methods only if there was one when it was written.
    this.add("ALL", "/*", (matched) => this.#answerUnmatched(matched));
    this.#find = this.#app.fetch;
  }

  /**
   * Adds a route to Elysia's router itself. `app.route` would prepare hooks, schemas and parsers of each route, and write a
   * function with all fixed paths: a quarter of the time that a start takes.
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
