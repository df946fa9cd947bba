/** References to issues in texts: `#3`, `van#3`, `cars/van#3`, and the address of the issue's page. */

import { spend } from "../../../../domain/work-budget.ts";
import { linesOutsideFences } from "../../../../lib/text/markdown.ts";
import type { Store } from "../../../../store/index.ts";
import { findProjectByPath, projectPathOf } from "../../../core/namespaces/index.ts";
import { type ProjectRecord, projects } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { type IssueRecord, iidKey, issues } from "../records.ts";

/** The part of a text that is read for references, and the number of different ones that count. */
const charactersMax = 100_000;
const referencesMax = 100;
/** The longest full path of a project in a reference. */
const pathLengthMax = 1_000;
const iidDigitsMax = 10;

const inlineCode = /`[^`]*`/g;
const pathCharacter = /[\w./-]/;
const numberAfter = /^\d+(?![\w-])/;
const pageMark = "/-/issues/";

/** The reference to an issue as it reads in a text of the project: `#3` there, with the path of the project elsewhere. */
export function issueReferenceFrom(store: Store, { iid, project_id }: IssueRecord, from: ProjectRecord): string {
  const project = store.of(projects).get(project_id);
  if (project === undefined) throw new Error(`the project ${project_id} of an issue does not exist`);
  return `${projectReferenceFrom(store, project, from)}#${iid}`;
}

/** The beginning of a reference to something in a project, in a text of another one; empty in the project itself. */
export function projectReferenceFrom(store: Store, project: ProjectRecord, from: ProjectRecord): string {
  if (project.id === from.id) return "";
  return project.namespace_id === from.namespace_id ? project.path : projectPathOf(store, project);
}

/** The issues that a text of the project names, outside code, each once. Rights are not checked. */
export function issuesNamedIn(
  context: Pick<Context, "store" | "mailBaseUrl">,
  project: ProjectRecord,
  text: string | null,
): IssueRecord[] {
  if (text === null || !(text.includes("#") || text.includes(pageMark))) return [];
  const read = text.slice(0, charactersMax);
  spend(read.length);
  const found = new Map<number, IssueRecord>();
  const seen = new Set<string>();
  for (const line of linesOutsideFences(read)) {
    if (!(line.includes("#") || line.includes(pageMark))) continue;
    for (const reference of referencesIn(line.replaceAll(inlineCode, " "))) {
      if (seen.has(reference)) continue;
      if (seen.size === referencesMax) return [...found.values()];
      seen.add(reference);
      const issue = findIssueByReference(context, project, reference);
      if (issue !== undefined) found.set(issue.id, issue);
    }
  }
  return [...found.values()];
}

/** The issue of one reference in a text of the project. Rights are not checked. */
export function findIssueByReference(
  { store, mailBaseUrl }: Pick<Context, "store" | "mailBaseUrl">,
  project: ProjectRecord,
  reference: string,
): IssueRecord | undefined {
  const short = withoutAddress(reference.trim(), mailBaseUrl);
  const [, path = "", number] = /^([\w./-]*)#(\d+)$/.exec(short) ?? [];
  if (number === undefined || number.length > iidDigitsMax || path.length > pathLengthMax) return undefined;
  const target = path === "" ? project : findProject(store, project, path);
  const id = target === undefined ? undefined : store.of(issues).by.iid.find(iidKey(target.id, Number(number)));
  return id === undefined ? undefined : store.of(issues).get(id);
}

/** `http://host/cars/van/-/issues/3` → `cars/van#3`, for this server's own address. */
function withoutAddress(reference: string, baseUrl: string | undefined): string {
  if (baseUrl === undefined || !reference.startsWith(`${baseUrl}/`)) return reference;
  const [path, number, ...rest] = reference.slice(baseUrl.length + 1).split(pageMark);
  return path === undefined || number === undefined || rest.length > 0 ? reference : `${path}#${number}`;
}

/** `van` names a project beside this one. */
function findProject(store: Store, from: ProjectRecord, path: string): ProjectRecord | undefined {
  if (path.includes("/")) return findProjectByPath(store, path);
  return findProjectByPath(store, `${projectPathOf(store, from).replace(/\/[^/]*$/, "")}/${path}`);
}

function* referencesIn(line: string): Generator<string> {
  for (let at = line.indexOf("#"); at !== -1; at = line.indexOf("#", at + 1)) {
    const number = numberAfter.exec(line.slice(at + 1, at + 2 + iidDigitsMax))?.[0];
    if (number === undefined) continue;
    const before = line.slice(Math.max(0, at - pathLengthMax), at);
    const path = pathAtEndOf(before);
    const previous = before[before.length - path.length - 1];
    // `&#39;` is a character of HTML, and `/a#1` the part of an address.
    if (previous !== "&" && !path.startsWith("/")) yield `${path}#${number}`;
  }
  for (let at = line.indexOf(pageMark); at !== -1; at = line.indexOf(pageMark, at + 1)) {
    const number = numberAfter.exec(line.slice(at + pageMark.length, at + pageMark.length + 1 + iidDigitsMax))?.[0];
    const start = lastWord(line.slice(Math.max(0, at - pathLengthMax), at)).replace(/^[(<[]+/, "");
    if (number !== undefined) yield `${start}${pageMark}${number}`;
  }
}

/** Character by character, because a pattern that ends with `$` tries each place of a text. */
function pathAtEndOf(text: string): string {
  let start = text.length;
  while (start > 0 && pathCharacter.test(text[start - 1] as string)) start -= 1;
  return text.slice(start);
}

/** The end of a text behind its last blank. */
function lastWord(text: string): string {
  return text.slice(Math.max(text.lastIndexOf(" "), text.lastIndexOf("\t")) + 1);
}
