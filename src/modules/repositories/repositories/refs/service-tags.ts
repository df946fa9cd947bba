import type { Static } from "@sinclair/typebox";
import type { Caller, SignedInCaller } from "../../../../domain/caller.ts";
import { forbidden, invalid, notFound, unprocessable } from "../../../../domain/failure.ts";
import { mapPage, type PageRequest, pageOfAll, reversed } from "../../../../domain/page.ts";
import { requestPace, spend } from "../../../../domain/work-budget.ts";
import {
  type Commit,
  type RefEntry,
  type Repository,
  type RepositoryWriter,
  tagPrefix,
} from "../../../../git/index.ts";
import { type DateTime, toDateTime } from "../../../../lib/datetime.ts";
import { sorting } from "../../../../lib/sorting.ts";
import { compareVersions } from "../../../../lib/text/unicode.ts";
import { takeSteps } from "../../../../lib/yield.ts";
import type { Transaction } from "../../../../store/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import type { View } from "../../../kernel/view.ts";
import type { ReleaseRecord } from "../../../releases/releases/records.ts";
import { tagRefusal } from "../../protected-tags/index.ts";
import { signaturesOf } from "../commits/service-create.ts";
import { presentCommit, shownMessage } from "../present.ts";
import type { Tag } from "../schema.ts";
import { createRef, deleteRef } from "../service-pushes.ts";
import { readRepository, writeRepository } from "../service-repository-access.ts";
import { nameSearch, requireRefName, requireUnmodifiedCommit } from "./names.ts";

/** A tag with what it leads to. */
export interface FoundTag {
  readonly name: string;
  /** The annotated tag, or the commit itself. */
  readonly target: string;
  readonly commit: Commit;
  /** The message of an annotated tag. */
  readonly message: string | null;
  readonly createdAt: string | null;
  /** In seconds: when the tag was made, or the commit of one that is not annotated. */
  readonly time: number;
}

/** The facts that tags of one project are shown with. */
export interface TagSurroundings {
  readonly projectPath: string;
  readonly isProtected: (name: string) => boolean;
  /** undefined for a caller who does not see releases. */
  readonly findRelease: (name: string) => Pick<ReleaseRecord, "description"> | undefined;
}

export interface TagOrder {
  readonly search?: string | undefined;
  readonly orderBy: "name" | "updated" | "version";
  readonly sort: "asc" | "desc";
}

/** `GET /projects/:id/repository/tags`. Only those of the page are read, unless the order asks for all. Throws 403. */
export function listTags(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { search, orderBy, sort }: TagOrder,
  request: PageRequest,
) {
  return readRepository(context, caller, project, async (repository) => {
    const tags = await repository.tags();
    const wanted = search ? await tags.filter(nameSearch(search)) : tags;
    if (orderBy === "updated") {
      const all = await describeAll(repository, wanted);
      const direction = sort === "asc" ? 1 : -1;
      // Of one second, by name in both orders, as git lists them.
      const ordered = await sorted(all, (one, other) => direction * (one.time - other.time));
      return pageOfAll(ordered, request);
    }
    const ordered = orderBy === "version" ? await byVersion(wanted) : wanted;
    const page = pageOfAll(sort === "asc" ? ordered : reversed(ordered), request);
    const byName = new Map((await describeAll(repository, page.items)).map((tag) => [tag.name, tag]));
    return mapPage(page, ([name]) => byName.get(name) as FoundTag);
  });
}

/** Throws `OverBudget`. */
async function byVersion(tags: Iterable<RefEntry>): Promise<RefEntry[]> {
  const all = [...tags];
  spendOnComparisons(all.map(([name]) => name));
  return sorted(all, ([one], [other]) => compareVersions(one, other));
}

function sorted<T>(items: readonly T[], compare: (one: T, other: T) => number): Promise<T[]> {
  return takeSteps(sorting(items, compare), requestPace());
}

/** Throws 403; 404 `Tag Not Found`. */
export function getTag(context: Context, caller: Caller, project: ProjectRecord, name: string): Promise<FoundTag> {
  return readRepository(context, caller, project, async (repository) => {
    const oid = await repository.tag(name);
    const tag = oid === undefined ? undefined : await describe(repository, name, oid);
    if (tag === undefined) throw notFound("Tag");
    return tag;
  });
}

/** `POST .../tags`: an annotated tag when there is a message. Throws 400 with the page's texts. */
export function createTag(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { name, ref, message }: { readonly name: string; readonly ref: string; readonly message: string | undefined },
  baseUrl: string,
): Promise<FoundTag> {
  return writeRepository(context, caller, project, async (writer, now) => {
    const tags = await writer.tags();
    if (tags.has(name)) throw invalid(`Tag ${name} already exists`);
    const oid = await makeTag(context, caller, writer, now, { name, ref, message }, baseUrl);
    return (await describe(writer, name, oid)) as FoundTag;
  });
}

/** A change that needs a tag. */
export interface ChangeWithTag<C, R> {
  /** Throws what refuses the change, before a tag is made. */
  check(project: ProjectRecord): C;
  /** Makes the change in one transaction with the tag, if that is a new one. `sha` is the commit that the tag leads to. */
  record(tx: Transaction, sha: string, checked: C): R;
}

/** Makes a change, and before it the tag from `ref` if there is none. Throws 400; 422 without `ref`. */
export function writeWithTag<C, R>(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { name, ref, message }: { name: string; ref: string | undefined; message: string | undefined },
  { check, record }: ChangeWithTag<C, R>,
  baseUrl: string,
): Promise<R> {
  return writeRepository(context, caller, project, async (writer, now) => {
    const checked = check(now);
    const oid = await writer.tag(name);
    if (oid !== undefined) {
      const commit = await writer.commitOf(oid);
      if (commit === undefined) throw invalid(`Tag ${name} leads to no commit`);
      return context.store.transact((tx) => record(tx, commit.oid, checked));
    }
    if (!ref) throw unprocessable("Ref is not specified");
    let made: { readonly result: R } | undefined;
    const recordMade = (tx: Transaction, { oid: sha }: Commit) => {
      made = { result: record(tx, sha, checked) };
    };
    await makeTag(context, caller, writer, now, { name, ref, message }, baseUrl, recordMade);
    return (made as unknown as { readonly result: R }).result;
  });
}

/** Returns the id that the tag names: that of an annotated tag, or of the commit. */
async function makeTag(
  context: Context,
  caller: SignedInCaller,
  writer: RepositoryWriter,
  project: ProjectRecord,
  { name, ref, message }: { readonly name: string; readonly ref: string; readonly message: string | undefined },
  baseUrl: string,
  record?: (tx: Transaction, commit: Commit) => void,
): Promise<string> {
  requireRefName(name, await writer.tags(), "Tag");
  const refusal = tagRefusal(context, caller, project, { tag: name, by: "api", act: "create" });
  if (refusal !== undefined) throw invalid(refusal);
  const commit = await writer.resolve(ref);
  if (commit === undefined) throw invalid(`Target ${ref} is invalid`);
  const { committer } = signaturesOf(context, caller, { author: { name: undefined, email: undefined } }, baseUrl);
  const object =
    message !== undefined && message.trim() !== ""
      ? await writer.writeTag(name, commit.oid, message, committer)
      : commit.oid;
  const recordMade = (tx: Transaction) => record?.(tx, commit);
  const made = { ref: `${tagPrefix}${name}`, commit: commit.oid, object, record: recordMade };
  await createRef(context, caller, writer, project, made, baseUrl);
  return object;
}

/** `DELETE .../tags/:tag_name`. Throws 403 for a protected tag, 404 and 412. */
export function deleteTag(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { name, unmodifiedSince }: { readonly name: string; readonly unmodifiedSince: DateTime | undefined },
  baseUrl: string,
): Promise<void> {
  return writeRepository(context, caller, project, async (writer, now) => {
    const oid = await writer.tag(name);
    if (oid === undefined) throw notFound("Tag");
    if (tagRefusal(context, caller, now, { tag: name, by: "api", act: "delete" }) !== undefined) throw forbidden();
    requireUnmodifiedCommit(await writer.commitOf(oid), unmodifiedSince);
    await deleteRef(context, caller, writer, now, { ref: `${tagPrefix}${name}`, before: oid }, baseUrl);
  });
}

export function presentTag(
  { name, target, commit, message, createdAt }: FoundTag,
  view: Pick<View, "baseUrl">,
  options: TagSurroundings,
): Static<typeof Tag> {
  const shown = presentCommit(commit, view, options);
  const isProtected = options.isProtected(name);
  const release = options.findRelease(name);
  return {
    ...{ name, message, target, commit: shown },
    release: release === undefined ? null : { tag_name: name, description: release.description },
    ...{ protected: isProtected, created_at: createdAt },
  };
}

/** Counts the work to sort names by version: 10 ns for a character of each comparison. */
function spendOnComparisons(names: readonly string[]): void {
  const characters = names.reduce((sum, name) => sum + name.length, 0);
  spend(characters * Math.ceil(Math.log2(names.length + 1)));
}

async function describeAll(repository: Repository, named: Iterable<RefEntry>): Promise<FoundTag[]> {
  const found: FoundTag[] = [];
  for (const [name, oid] of named) {
    const tag = await describe(repository, name, oid);
    if (tag !== undefined) found.push(tag);
  }
  return found;
}

async function describe(repository: Repository, name: string, oid: string): Promise<FoundTag | undefined> {
  const commit = await repository.commitOf(oid);
  if (commit === undefined) return undefined;
  const tag = commit.oid === oid ? undefined : await repository.annotatedTag(oid);
  return {
    name,
    target: oid,
    commit,
    message: tag === undefined ? null : shownMessage(tag.message.replace(/\n$/, "")),
    createdAt: tag?.tagger === undefined ? null : toDateTime(tag.tagger.timestamp * 1000),
    time: tag?.tagger?.timestamp ?? commit.committer.timestamp,
  };
}
