import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage, pageOfAll } from "../../../domain/page.ts";
import { boolean, idInPath, optional } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { file, ok, operation, pageOf } from "../../kernel/operation.ts";
import { Commit, Diff, patchOf, presentCommit, presentDiff } from "../../repositories/repositories/index.ts";
import { presentMergeRequest, presentVersion, presentWholeVersion } from "./present.ts";
import { MergeRequestChanges, Version, WholeVersion } from "./schema.ts";
import { MergeRequestInPath } from "./schema-parameters.ts";
import { getOneVersion, getVersionDiff, listVersionCommits, listVersions } from "./service-commits.ts";
import { getReadableMergeRequest, getVersion } from "./service-find.ts";

const one = "/projects/:id/merge_requests/:merge_request_iid";
const whoeverReads = inProject(accessLevels.none, { anonymous: true });
const unidiff = optional(boolean({ description: "name the file before its hunks, as patches do" }));

/** merge-requests 5. */
export const commitOperations = [
  operation({
    method: "GET",
    path: `${one}/commits`,
    summary: "List the commits of a merge request",
    who: whoeverReads,
    params: MergeRequestInPath,
    answer: pageOf(Commit, { isOutsideStore: true }),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params, page } = call;
      const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      const version = getVersion(context.store, mergeRequest);
      const commits = await listVersionCommits(context, caller, project, version);
      const projectPath = projectPathOf(context.store, project);
      return mapPage(pageOfAll(commits, page), (commit) => presentCommit(commit, call, { projectPath }));
    },
  }),

  operation({
    method: "GET",
    path: `${one}/diffs`,
    summary: "List the files that a merge request changes",
    who: whoeverReads,
    params: Type.Object({ ...MergeRequestInPath.properties, unidiff }),
    answer: pageOf(Diff, { isOutsideStore: true }),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params, page, raw } = call;
      const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      const version = getVersion(context.store, mergeRequest);
      const { files } = await getVersionDiff(context, caller, project, version, "usual", raw.gone);
      const form = { isUnified: params.unidiff === true };
      return mapPage(pageOfAll(files, page), (each) => presentDiff(each, call, form));
    },
  }),

  operation({
    method: "GET",
    path: `${one}/changes`,
    summary: "Get a merge request with the files that it changes",
    who: whoeverReads,
    params: Type.Object({
      ...MergeRequestInPath.properties,
      access_raw_diffs: optional(boolean({ description: "without limits" })),
      unidiff,
    }),
    answer: ok(MergeRequestChanges),
    failures: ["forbidden", "too_large"],
    deprecated: true,
    async handle(call) {
      const { context, caller, project, params, raw } = call;
      const find = () => getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      const version = getVersion(context.store, find());
      const extent = params.access_raw_diffs === true ? "all" : "collapsed";
      const { files, isCut } = await getVersionDiff(context, caller, project, version, extent, raw.gone);
      const form = { isUnified: params.unidiff === true };
      return {
        ...presentMergeRequest(find(), call),
        changes: files.map((each) => presentDiff(each, call, form)),
        overflow: isCut,
      };
    },
  }),

  operation({
    method: "GET",
    path: `${one}/raw_diffs`,
    summary: "Get the changes of a merge request as a patch",
    who: whoeverReads,
    params: MergeRequestInPath,
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden", "too_large"],
    async handle({ context, caller, project, params, raw }) {
      const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      const version = getVersion(context.store, mergeRequest);
      const { files } = await getVersionDiff(context, caller, project, version, "all", raw.gone);
      return { contentType: "text/plain", content: files.map(patchOf).join("") };
    },
  }),

  operation({
    method: "GET",
    path: `${one}/versions`,
    summary: "List the versions of a merge request",
    who: whoeverReads,
    params: MergeRequestInPath,
    answer: pageOf(Version),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      return mapPage(pageOfAll(listVersions(context, mergeRequest), page), (version) => presentVersion(version, call));
    },
  }),

  operation({
    method: "GET",
    path: `${one}/versions/:version_id`,
    summary: "Get a version of a merge request",
    who: whoeverReads,
    params: Type.Object({ ...MergeRequestInPath.properties, version_id: idInPath("version id"), unidiff }),
    answer: ok(WholeVersion),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params, raw } = call;
      const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      const version = getOneVersion(context, mergeRequest, params.version_id);
      const commits = await listVersionCommits(context, caller, project, version);
      const { files } = await getVersionDiff(context, caller, project, version, "collapsed", raw.gone);
      return presentWholeVersion(version, call, { project, commits, files, isUnified: params.unidiff === true });
    },
  }),
];
