import type { Static } from "@sinclair/typebox";
import { spend } from "../../../domain/work-budget.ts";
import type { Commit } from "../../../git/index.ts";
import { afterAllDates, toDateTime } from "../../../lib/datetime.ts";
import { renderParagraphs } from "../../../lib/text/emoji.ts";
import { compareText } from "../../../lib/text/unicode.ts";
import { canReadCode, canReadPlans, canSeeFeature } from "../../core/access/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { issues } from "../../planning/issues/records.ts";
import { presentMilestone } from "../../planning/milestones/index.ts";
import { type MilestoneRecord, milestones } from "../../planning/milestones/records.ts";
import { remainingIds } from "../../planning/pending-unlinks/index.ts";
import { ReadableIssues } from "../../planning/readable-issues/index.ts";
import { presentCommit } from "../../repositories/repositories/index.ts";
import { directAssetUrl, listPageOf, pageOf, sourcesOf } from "./addresses.ts";
import { canWriteRelease } from "./policy.ts";
import type { ReleaseLink, ReleaseRecord } from "./records.ts";
import type { BasicRelease, Release, ReleaseLinkEntity } from "./schema.ts";
import { listEvidences } from "./service-evidences.ts";

/** The facts that a release is shown with. */
export interface ReleaseSurroundings {
  readonly project: ProjectRecord;
  /** By their ids. */
  readonly commits: ReadonlyMap<string, Commit>;
  readonly hasHtml?: boolean | undefined;
}

export function presentBasicRelease(release: ReleaseRecord, { context }: View): Static<typeof BasicRelease> {
  const { name, tag, description, created_at, released_at } = release;
  const upcoming_release = released_at > toDateTime(context.clock.now());
  return { name: name ?? tag, tag_name: tag, description, created_at, released_at, upcoming_release };
}

/** releases 2. */
export function presentRelease(
  release: ReleaseRecord,
  view: View,
  { project, commits, hasHtml = false }: ReleaseSurroundings,
): Static<typeof Release> {
  const { context, caller, baseUrl } = view;
  const { store } = context;
  const projectPath = projectPathOf(store, project);
  const projectUrl = `${baseUrl}/${projectPath}`;
  const commit = commits.get(release.sha);
  const author = release.author_id === null ? undefined : findUser(store, release.author_id);
  const sources = canReadCode(context, caller.user, project) ? sourcesOf(projectUrl, project.path, release) : undefined;
  const links = release.links.map((link) => presentReleaseLink(link, view, { project, release })).reverse();
  return {
    ...presentBasicRelease(release, view),
    ...(hasHtml ? { description_html: renderedDescription(release) } : {}),
    ...(author === undefined ? {} : { author: presentBasicUser(author, view) }),
    ...(commit === undefined ? {} : { commit: presentCommit(commit, view, { projectPath }) }),
    ...presentMilestones(release, view, project),
    ...(commit === undefined ? {} : { commit_path: `/${projectPath}/-/commit/${release.sha}` }),
    ...(sources === undefined ? {} : { tag_path: `/${projectPath}/-/tags/${encodeURIComponent(release.tag)}` }),
    assets: {
      count: (sources?.length ?? 0) + links.length,
      ...(sources === undefined ? {} : { sources }),
      links,
    },
    ...(sources === undefined ? {} : { evidences: presentEvidences(release, context, projectUrl) }),
    _links: presentPages(release, view, { project, projectUrl }),
  };
}

/** releases 4. */
export function presentReleaseLink(
  link: ReleaseLink,
  { context, baseUrl }: View,
  { project, release }: { readonly project: ProjectRecord; readonly release: ReleaseRecord },
): Static<typeof ReleaseLinkEntity> {
  const { id, name, url, link_type } = link;
  const projectUrl = `${baseUrl}/${projectPathOf(context.store, project)}`;
  const external = url !== projectUrl && !url.startsWith(`${projectUrl}/`);
  return { id, name, url, direct_asset_url: directAssetUrl(projectUrl, release, link), link_type, external };
}

/** The steps to render a character of a description. */
const renderSteps = 15;

function renderedDescription({ description }: ReleaseRecord): string {
  const text = description ?? "";
  spend(renderSteps * text.length);
  return renderParagraphs(text);
}

/** By due date, then title; nothing for a caller who does not read milestones, or where there are none. */
function presentMilestones(
  release: ReleaseRecord,
  view: View,
  project: ProjectRecord,
): Pick<Static<typeof Release>, "milestones"> {
  const { context, caller } = view;
  const { store } = context;
  if (release.milestone_ids.length === 0 || !canReadPlans(context, caller.user, { project })) return {};
  const found = remainingIds(store, "milestone", release.milestone_ids)
    .map((id) => store.of(milestones).get(id))
    .filter((milestone) => milestone !== undefined)
    .sort(compareMilestones);
  if (found.length === 0) return {};
  const readable = context.get(ReadableIssues).of(caller.user);
  return {
    milestones: found.map((milestone) => {
      const where = [{ index: "milestone_id", key: milestone.id } as const, { ids: readable }];
      const { all, part } = store.countWithPart(issues, where, { index: "state", key: "closed" });
      return { ...presentMilestone(milestone, view), issue_stats: { total: all, closed: part } };
    }),
  };
}

function compareMilestones(one: MilestoneRecord, other: MilestoneRecord): number {
  const [due, otherDue] = [one.due_date ?? afterAllDates, other.due_date ?? afterAllDates];
  return compareText(due, otherDue) || compareText(one.title, other.title);
}

function presentEvidences(release: ReleaseRecord, { store }: Context, projectUrl: string) {
  return listEvidences(store, release).map(({ id, sha, collected_at }) => ({
    sha,
    filepath: `${pageOf(projectUrl, release)}/evidences/${id}.json`,
    collected_at,
  }));
}

function presentPages(
  release: ReleaseRecord,
  { context, caller }: View,
  { project, projectUrl }: { readonly project: ProjectRecord; readonly projectUrl: string },
): Static<typeof Release>["_links"] {
  const self = pageOf(projectUrl, release);
  const listPage = (part: string, state: string) => listPageOf(projectUrl, release, part, state);
  const sees = (part: "issues" | "merge_requests") => canSeeFeature(context, caller.user, project, part);
  return {
    self,
    ...(canWriteRelease(context, caller, project, release.tag) ? { edit_url: `${self}/edit` } : {}),
    ...(sees("issues")
      ? { opened_issues_url: listPage("issues", "opened"), closed_issues_url: listPage("issues", "closed") }
      : {}),
    ...(sees("merge_requests")
      ? {
          opened_merge_requests_url: listPage("merge_requests", "opened"),
          merged_merge_requests_url: listPage("merge_requests", "merged"),
          closed_merge_requests_url: listPage("merge_requests", "closed"),
        }
      : {}),
  };
}
