/** The texts of mails about issues and epics. */

import { fullPathOf, projectPathOf } from "../../core/namespaces/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { EpicRecord } from "../../planning/epics/records.ts";
import type { IssueRecord } from "../../planning/issues/records.ts";

/** Characters of a description or a note that a mail repeats. */
const excerptMax = 1_000;

/** `Cars | Wheels squeak (#3)`; one line whatever the title holds. */
export function subjectOf(place: { readonly name: string }, { title }: { readonly title: string }, number: string) {
  return `${place.name} | ${title} (${number})`.replaceAll(/\s+/g, " ");
}

/** The parts of a mail one below the other; empty ones are left out. */
export function textOf(...parts: readonly (string | null | undefined)[]): string {
  return `${parts.filter((part) => part != null && part.trim() !== "").join("\n\n")}\n`;
}

export function excerptOf(text: string | null): string | null {
  if (text === null || text.length <= excerptMax) return text;
  return `${text.slice(0, excerptMax).toWellFormed()} …`;
}

/** The address of an issue, or its reference if this server does not know its own address. */
export function addressOfIssue({ store, mailBaseUrl }: Context, project: ProjectRecord, { iid }: IssueRecord): string {
  const path = projectPathOf(store, project);
  return mailBaseUrl === undefined ? `${path}#${iid}` : `${mailBaseUrl}/${path}/-/issues/${iid}`;
}

export function addressOfEpic({ store, mailBaseUrl }: Context, group: GroupRecord, { iid }: EpicRecord): string {
  const path = fullPathOf(store, group.id);
  return mailBaseUrl === undefined ? `${path}&${iid}` : `${mailBaseUrl}/groups/${path}/-/epics/${iid}`;
}
