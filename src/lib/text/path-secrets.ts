/** A part of a path that is long and no word may be a token. */
const longPart = /[\w-]{16,}/g;
const word = /^[a-z_]+$/;
const shownLength = 200;

/** A path that may be logged: what may be a token is left out, and it has at most 200 characters and a mark of the cut. */
export function withoutTokens(path: string): string {
  const shown = path.replace(longPart, (part) => (word.test(part) ? part : "…"));
  return shown.length > shownLength ? `${shown.slice(0, shownLength)}…` : shown;
}

const pathLengthMax = 500;

/** The same for the path of a request: those of operations hold ids and names, others may hold anything. */
export function shownPath(path: string, route: string | undefined): string {
  return route === undefined || /token|secret/.test(route) ? withoutTokens(path) : path.slice(0, pathLengthMax);
}
