import { existsSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../server/app.ts";
import { ownAuthorityFile } from "../server/listeners/local-ca.ts";

/** The address of a server, for the client of the commands. */
export interface ServerEndpoint {
  /** `http://HOST:PORT` or `https://HOST:PORT`, without a trailing slash. */
  readonly base: string;
  /** The path of the socket file to use instead of the network. */
  readonly socket: string | undefined;
  /** The file with the certificate to trust. */
  readonly authority: string | undefined;
}

const socketPrefix = "unix:";

/**
 * Converts an origin, as a server prints it, into an endpoint. `cacert` is the certificate to trust; without it, a server on
 * this machine may have its own in the data folder.
 */
export function resolveEndpoint(
  origin: string,
  { dataFolder, cacert }: { readonly dataFolder: string; readonly cacert: string | undefined },
): ServerEndpoint {
  if (origin.startsWith(socketPrefix)) {
    return { base: "http://localhost", socket: origin.slice(socketPrefix.length), authority: undefined };
  }
  const own = join(dataFolder, ownAuthorityFile);
  const isOwn = origin.startsWith("https:") && isOnThisMachine(origin) && existsSync(own);
  return { base: origin, socket: undefined, authority: cacert ?? (isOwn ? own : undefined) };
}

/** True when requests to the address stay on the machine. */
export function isOnThisMachine(origin: string): boolean {
  return origin.startsWith(socketPrefix) || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);
}

/** The start of a curl call, and the base of its URLs. */
export interface CurlTarget {
  readonly curl: string;
  readonly base: string;
}

export function curlTo(
  { origin, authority }: Pick<App, "origin" | "authority">,
  shorten: (path: string) => string,
): CurlTarget {
  if (origin.startsWith(socketPrefix)) {
    return { curl: `curl --unix-socket ${shorten(origin.slice(socketPrefix.length))}`, base: "http://localhost" };
  }
  if (authority === undefined) return { curl: "curl", base: origin };
  return { curl: `curl --cacert ${shorten(authority.file)}`, base: origin };
}
