import { signal } from "@preact/signals";
import { consolePath } from "./base.ts";

/** The current address: the path below the console, such as `/people/1`, and the query. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

export const place = signal<Place>(placeNow());

/** Opens a path below the console, as a link would. */
export function go(path: string): void {
  history.pushState(null, "", hrefOf(path));
  place.value = placeNow();
  scrollTo(0, 0);
}

/** Opens a path and replaces the history entry, so that the back button skips it. Keeps the fragment. */
export function goInstead(path: string): void {
  history.replaceState(null, "", `${hrefOf(path)}${location.hash}`);
  place.value = placeNow();
}

/** Changes parameters of the query and replaces the history entry. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  history.replaceState(null, "", `${location.pathname}${query.size === 0 ? "" : `?${query}`}`);
  place.value = placeNow();
}

/** Returns the URL path of a path below the console. */
export function hrefOf(path: string): string {
  return `${consolePath}${path}`;
}

/** Returns the parameters of a pattern such as `/people/:id` in a path; undefined when it does not match. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const found = new RegExp(`^${pattern.replaceAll(/:\w+/g, "([^/]+)")}/?$`).exec(path);
  if (found === null) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] as string)]));
}

/** Handles links within the console without loading the document again. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    place.value = placeNow();
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || !link || link.target !== "" || link.origin !== location.origin) return;
    if (link.pathname !== consolePath && !link.pathname.startsWith(`${consolePath}/`)) return;
    if (link.hash !== "") return;
    event.preventDefault();
    go(link.pathname.slice(consolePath.length) + link.search);
  });
}

function placeNow(): Place {
  const below = location.pathname.slice(consolePath.length).replace(/\/+$/, "");
  return { path: below === "" ? "/" : below, query: new URLSearchParams(location.search) };
}
