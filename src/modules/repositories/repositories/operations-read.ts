import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { Failure } from "../../../domain/failure.ts";
import { mapPage } from "../../../domain/page.ts";
import { boolean, dateTime, oneOf, optional, pathText, projectId, text } from "../../../domain/parameters.ts";
import { streamOf } from "../../../lib/byte-pieces.ts";
import { inProject } from "../../core/access/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { operation, pageOf } from "../../kernel/operation.ts";
import { presentCommitWithStats, presentTreeEntry } from "./present.ts";
import { CommitWithStats, TreeItem } from "./schema.ts";
import { listCommits } from "./service-commits.ts";
import { listTree, listWholeTree } from "./service-trees.ts";

/** Items that become text at a time: others have their turn in between. */
const itemsInPiece = 1_000;

/** A list as JSON, in pieces. */
function jsonListOf(items: readonly object[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  let isOpen = false;
  return streamOf(
    async () => {
      if (isOpen && at >= items.length) return undefined;
      const piece = items.slice(at, at + itemsInPiece).map((item) => JSON.stringify(item));
      const start = isOpen ? "," : "[";
      at += itemsInPiece;
      isOpen = true;
      return Buffer.from(`${start}${piece.join(",")}${at >= items.length ? "]" : ""}`);
    },
    () => {},
  );
}

const whoeverReads = inProject(accessLevels.none, { anonymous: true });
const treeKeyset = {
  orders: [{ orderBy: "path", sort: ["asc"] }],
  defaults: { orderBy: "path", sort: "asc" },
  continuation: "page_token",
} as const;

export const readOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/repository/tree",
    summary: "List the files and folders of a repository",
    who: whoeverReads,
    params: Type.Object({
      id: projectId(),
      path: optional(pathText({ description: "folder; the root without it" })),
      ref: optional(text({ description: "branch, tag or commit; the default branch without it" })),
      recursive: optional(boolean({ description: "what is in folders, too" })),
      pagination: optional(
        oneOf(["legacy", "keyset", "none"], { description: "legacy by default; none: all at once, if recursive" }),
      ),
    }),
    answer: pageOf(TreeItem, { keyset: treeKeyset, isOutsideStore: true }),
    failures: ["forbidden", "too_large"],
    async handle({ context, caller, project, params, page }) {
      if (params.pagination !== "none") {
        return mapPage(await listTree(context, caller, project, params, page), presentTreeEntry);
      }
      if (params.recursive !== true) {
        throw new Failure("parameters", { error: 'pagination cannot be "none" unless "recursive" is true' });
      }
      const all = await listWholeTree(context, caller, project, params);
      return { contentType: "application/json", content: jsonListOf(all.map(presentTreeEntry)) };
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/repository/commits",
    summary: "List the commits of a repository",
    who: whoeverReads,
    params: Type.Object({
      id: projectId(),
      ref_name: optional(
        text({ description: "branch, tag, commit, or a range a..b or a...b; the default branch without it" }),
      ),
      path: optional(pathText({ description: "only commits that changed this path" })),
      since: optional(dateTime({ description: "only commits of this time and later" })),
      until: optional(dateTime({ description: "only commits of this time and earlier" })),
      author: optional(text({ description: "only commits with this in the name or the address of their author" })),
      all: optional(boolean({ description: "from all branches and tags, whatever ref_name says" })),
      first_parent: optional(boolean({ description: "follow only the first parent of each commit" })),
      order: optional(
        oneOf(["default", "topo"], { description: "newest first, or each line of commits in one piece" }),
      ),
      trailers: optional(boolean({ description: "changes nothing: trailers are always shown" })),
      with_stats: optional(boolean({ description: "count the changed lines of each" })),
    }),
    answer: pageOf(CommitWithStats),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params, page } = call;
      const filter = {
        refName: params.ref_name,
        isFromAll: params.all,
        path: params.path,
        since: params.since,
        until: params.until,
        author: params.author,
        firstParentOnly: params.first_parent,
        isTopological: params.order === "topo",
        hasStats: params.with_stats,
      };
      const projectPath = projectPathOf(context.store, project);
      const found = await listCommits(context, caller, project, filter, page);
      return mapPage(found, (each) => presentCommitWithStats(each, call, { projectPath }));
    },
  }),
];
