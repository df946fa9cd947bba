/** The cookie of a session, and its CSRF token. */

import { digestOf } from "../../../lib/token-digest.ts";

const name = "outpost_session";

/** The secret in a `Cookie` header; undefined without one. */
export function sessionCookieOf(header: string | null): string | undefined {
  if (header === null) return undefined;
  for (const pair of header.split(";")) {
    const [key = "", value] = pair.trim().split("=", 2);
    if (key === name && value !== undefined && value !== "") return value;
  }
  return undefined;
}

/** `Set-Cookie` for a new session. It has no end of its own: the server knows when the session ends. */
export function cookieFor(secret: string, baseUrl: string): string {
  return `${name}=${secret}; ${attributesFor(baseUrl)}`;
}

/** `Set-Cookie` that makes a browser forget its session. */
export function cookieRemoval(baseUrl: string): string {
  return `${name}=; Max-Age=0; ${attributesFor(baseUrl)}`;
}

/** A page of the console reads the token from an answer; a page of another origin reads no answer. */
export function csrfTokenOf(secret: string): string {
  return digestOf(`csrf ${secret}`);
}

/**
 * Whether a request came from a page of this server. The scheme is not compared: behind a proxy that ends HTTPS and is not
 * trusted, the server takes its own scheme for HTTP.
 */
export function isOwnOrigin(origin: string | null, host: string | null, baseUrl: string): boolean {
  if (origin === null) return true;
  const sender = URL.parse(origin)?.host;
  return sender !== undefined && sender !== "" && (sender === new URL(baseUrl).host || sender === host?.toLowerCase());
}

function attributesFor(baseUrl: string): string {
  return `Path=/; HttpOnly; SameSite=Strict${baseUrl.startsWith("https:") ? "; Secure" : ""}`;
}
