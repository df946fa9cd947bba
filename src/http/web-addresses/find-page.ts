import { trimCharacters } from "../../lib/text/trim.ts";
import { filled, filledFrom, type MatchedPlace, matchPlace } from "./match.ts";
import { groupPlaces, instancePlaces, projectPlaces } from "./places.ts";
import { findRepositoryPage } from "./repository-pages.ts";

/** Reads the API as the caller of the request. */
export interface Reader {
  /** Returns the JSON of a call below `/api/v4`; undefined unless it answers 200. */
  read(call: string): Promise<unknown>;
  /** True when a call answers 200, or 302. */
  exists(call: string): Promise<boolean>;
}

/** The target of a web address: a page, by its path in the console, or a call whose answer is the file. */
export type Target = { readonly page: string } | { readonly file: string };

/** The most segments of a web address. Each costs a lookup. */
const segmentsMax = 64;

type Fields = Readonly<Record<string, unknown>>;

/** Returns the decoded segments of a path; undefined for a path that is no web address. */
export function segmentsOf(path: string): readonly string[] | undefined {
  const encoded = trimCharacters(path, "/").split("/");
  if (encoded.length > segmentsMax || encoded.includes("")) return undefined;
  try {
    const segments = encoded.map(decodeURIComponent);
    return segments.some((segment) => segment.includes("\0")) ? undefined : segments;
  } catch {
    return undefined;
  }
}

/** True when the API may return such an address, whether it exists or not. */
export function isWebAddress(segments: readonly string[]): boolean {
  const [container, rest] = split(segments);
  if (rest === undefined) return container[0] !== "groups" || container.length > 1;
  if (container.length === 0) return matchPlace(instancePlaces, rest) !== undefined;
  if (container[0] === "groups") return matchPlace(groupPlaces, rest) !== undefined;
  return container.length > 1;
}

/** True for the address of a file, which programs read too. */
export function isFileAddress(segments: readonly string[]): boolean {
  const [container, rest = []] = split(segments);
  if (container.length === 0) return matchPlace(instancePlaces, rest)?.place.isFile === true;
  return (
    container.length > 1 &&
    (rest[0] === "raw" || rest[0] === "archive" || matchPlace(projectPlaces, rest)?.place.isFile === true)
  );
}

/** Returns the target of a web address; undefined when the reader may not see it. */
export async function findTarget(segments: readonly string[], reader: Reader): Promise<Target | undefined> {
  const [container, rest] = split(segments);
  if (container.length === 0) return targetOf(matchPlace(instancePlaces, rest ?? []), { call: "", page: "" }, reader);
  if (container[0] === "groups") return groupTarget(container.slice(1), rest, reader);
  if (rest === undefined && container.length === 1) return profileOrGroup(container[0] as string, reader);
  return (await projectTarget(container, rest, reader)) ?? (await groupTarget(container, rest, reader));
}

/** Splits `/GROUP/PROJECT/-/REST`. Without `-`, the rest is undefined, except for a snippet's repository. */
function split(
  segments: readonly string[],
): readonly [container: readonly string[], rest: readonly string[] | undefined] {
  const snippet = /^(\d+)\.git$/.exec(segments.at(-1) ?? "")?.[1];
  if (snippet !== undefined && segments.at(-2) === "snippets") return [segments.slice(0, -2), ["snippets", snippet]];
  const dash = segments.indexOf("-");
  return dash === -1 ? [segments, undefined] : [segments.slice(0, dash), segments.slice(dash + 1)];
}

async function profileOrGroup(name: string, reader: Reader): Promise<Target | undefined> {
  const [user] = ((await reader.read(`/users?username=${encodeURIComponent(name)}`)) ?? []) as readonly Fields[];
  return user === undefined ? groupTarget([name], undefined, reader) : { page: `/people/${user.id}` };
}

async function groupTarget(
  container: readonly string[],
  rest: readonly string[] | undefined,
  reader: Reader,
): Promise<Target | undefined> {
  const group = await sourceAt("groups", container, reader);
  if (group === undefined) return undefined;
  if (rest === undefined) return { page: `/groups/${group.id}` };
  return targetOf(matchPlace(groupPlaces, rest), { call: `/groups/${group.id}`, page: `/groups/${group.id}` }, reader);
}

async function projectTarget(
  container: readonly string[],
  rest: readonly string[] | undefined,
  reader: Reader,
): Promise<Target | undefined> {
  const named = rest === undefined ? container.with(-1, (container.at(-1) as string).replace(/\.git$/, "")) : container;
  const project = await sourceAt("projects", named, reader);
  if (project === undefined) return undefined;
  const base = `/projects/${project.id}`;
  if (rest === undefined) return { page: base };
  return (
    (await findRepositoryPage(base, rest, reader)) ??
    (await targetOf(matchPlace(projectPlaces, rest), { call: base, page: base }, reader))
  );
}

async function sourceAt(kind: "groups" | "projects", path: readonly string[], reader: Reader) {
  const query = kind === "groups" ? "with_projects=false" : "simple=true";
  const call = `/${kind}/${encodeURIComponent(path.join("/"))}?${query}`;
  return (await reader.read(call)) as { readonly id: number } | undefined;
}

interface Base {
  readonly call: string;
  readonly page: string;
}

async function targetOf(matched: MatchedPlace | undefined, base: Base, reader: Reader): Promise<Target | undefined> {
  if (matched === undefined) return undefined;
  const { place, values } = matched;
  const call = `${base.call}/${filled(place.call, values)}`;
  if (place.isFile === true) return (await reader.exists(call)) ? { file: call } : undefined;
  const answer = await reader.read(call);
  // A list that is filtered by the address has one entry, or the target does not exist.
  const named = Array.isArray(answer) && place.path.includes(":") ? answer[0] : answer;
  if (named === undefined) return undefined;
  if (place.page !== undefined) return { page: `${base.page}/${filled(place.page, values)}` };
  const shown = place.shown === undefined ? call : `${base.call}/${filledFrom(place.shown, named as Fields)}`;
  return { page: `/answer?${new URLSearchParams({ call: shown })}` };
}
