/** The messages of commits that merge or squash a merge request. */

import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import { projectSettingOf } from "../../../groups-and-projects/projects/records.ts";
import type { MergeRequestRecord } from "../records.ts";

/** The address and the full reference of a merge request. */
export interface Place {
  readonly url: string;
  /** `cars/van!7` */
  readonly reference: string;
}

/** `Merge branch 'roof' into 'main'`, the title and the reference, or what the project's template says (merge-requests 7). */
export function mergeMessageOf(mergeRequest: MergeRequestRecord, project: ProjectRecord, place: Place): string {
  const template = projectSettingOf(project, "merge_commit_template");
  if (template) return filled(template, mergeRequest, place);
  const { source_branch, target_branch, title } = mergeRequest;
  return [
    `Merge branch '${source_branch}' into '${target_branch}'`,
    title,
    `See merge request ${place.reference}`,
  ].join("\n\n");
}

/** The title, or what the project's template says. */
export function squashMessageOf(mergeRequest: MergeRequestRecord, project: ProjectRecord, place: Place): string {
  const template = projectSettingOf(project, "squash_commit_template");
  return template ? filled(template, mergeRequest, place) : mergeRequest.title;
}

const variable = /%\{(\w+)\}/g;

/** A template with its variables. A line that is a variable without a value is left out. */
function filled(
  template: string,
  { source_branch, target_branch, title, description }: MergeRequestRecord,
  place: Place,
) {
  const values: Readonly<Record<string, string>> = {
    ...{ source_branch, target_branch, title, description: description ?? "", issues: "" },
    ...{ reference: place.reference, url: place.url },
  };
  const lines = template
    .replaceAll("\r", "")
    .split("\n")
    .flatMap((line) => {
      const text = line.replaceAll(variable, (whole, name: string) => values[name] ?? whole);
      return text.trim() === "" && line.trim() !== "" ? [] : [text];
    });
  return lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
