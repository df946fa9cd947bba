/** A long part of a path that may be a token. */
const longPart = /[\w-]{16,}/g;
const word = /^[a-z_]+$/;
const shownLength = 200;

/** Returns a path for the log: without possible tokens, and cut to 200 characters. */
export function withoutTokens(path: string): string {
  const shown = path.replace(longPart, (part) => (word.test(part) ? part : "…"));
  return shown.length > shownLength ? `${shown.slice(0, shownLength)}…` : shown;
}

const pathLengthMax = 500;

/** Returns the path of a request for the log. Paths of operations have ids and names, others may have anything. */
export function shownPath(path: string, route: string | undefined): string {
  return route === undefined || /token|secret/.test(route) ? withoutTokens(path) : path.slice(0, pathLengthMax);
}
