import type { Static } from "@sinclair/typebox";
import type { FileDiff } from "../../../../git/index.ts";
import { projectPathOf } from "../../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { View } from "../../../kernel/view.ts";
import { presentCommit } from "../present.ts";
import type { Comparison as ComparisonEntity, Diff } from "./schema.ts";
import type { Comparison } from "./service.ts";

/** The form of a text: `isUnified` adds the names of the file before the hunks. */
export interface DiffForm {
  readonly isUnified: boolean;
}

/** The change of one file. */
export function presentDiff(file: FileDiff, _: View, { isUnified }: DiffForm): Static<typeof Diff> {
  return {
    diff: isUnified ? unified(file) : file.text,
    collapsed: file.isCollapsed,
    too_large: file.isTooLarge,
    new_path: file.newPath,
    old_path: file.oldPath,
    a_mode: file.oldMode,
    b_mode: file.newMode,
    new_file: file.isNew,
    renamed_file: file.oldPath !== file.newPath,
    deleted_file: file.isDeleted,
    generated_file: null,
  };
}

function unified({ text, isBinary, isNew, isDeleted, oldPath, newPath }: FileDiff): string {
  if (text === "" || isBinary) return text;
  return `--- ${isNew ? "/dev/null" : `a/${oldPath}`}\n+++ ${isDeleted ? "/dev/null" : `b/${newPath}`}\n${text}`;
}

export function presentComparison(
  { from, to, commits, diff }: Comparison,
  view: View,
  { project, ...form }: DiffForm & { readonly project: ProjectRecord },
): Static<typeof ComparisonEntity> {
  const { context, baseUrl } = view;
  const projectPath = projectPathOf(context.store, project);
  const shown = commits.map((commit) => presentCommit(commit, view, { projectPath }));
  return {
    commit: shown.at(-1) ?? null,
    commits: shown,
    diffs: diff.files.map((file) => presentDiff(file, view, form)),
    compare_timeout: diff.isCut,
    compare_same_ref: from.start === to,
    web_url: `${baseUrl}/${projectPath}/-/compare/${from.base}...${to}`,
  };
}
