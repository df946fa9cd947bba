import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../src/domain/access-level.ts";
import { notFoundLowerCase } from "../../src/domain/failure.ts";
import { mapPage } from "../../src/domain/page.ts";
import { idInPath, projectId, text } from "../../src/domain/parameters.ts";
import { inProject } from "../../src/modules/core/access/index.ts";
import { enqueueJob, jobKind } from "../../src/modules/core/background-jobs/index.ts";
import { deletedWithProject, type ProjectRecord } from "../../src/modules/core/namespaces/index.ts";
import { defineModule } from "../../src/modules/kernel/module.ts";
import { created, noContent, ok, operation, pageOf } from "../../src/modules/kernel/operation.ts";
import { collection, field, multi, ordered, type RecordOf, record, type Store } from "../../src/store/index.ts";

const BookmarkRecord = record({
  id: field.whole,
  project_id: field.whole,
  title: field.text,
  is_checked: field.flag,
});
type BookmarkRecord = RecordOf<typeof BookmarkRecord>;

export const bookmarks = collection("bookmarks", BookmarkRecord, {
  indexes: {
    project_id: multi((bookmark) => [bookmark.project_id]),
    id: ordered((bookmark) => bookmark.id),
  },
  references: { project_id: "projects" },
});

/** Stands for work that a request leaves to the scheduler. */
const bookmarkCheck = jobKind<{ readonly bookmark_id: number }>({
  kind: "bookmark_check",
  run({ context: { store }, payload }) {
    store.transact((tx) => {
      const bookmark = store.of(bookmarks).get(payload.bookmark_id);
      if (bookmark !== undefined) tx.update(bookmarks, { ...bookmark, is_checked: true });
    });
  },
});

const Bookmark = Type.Object(
  { id: Type.Integer(), title: Type.String(), is_checked: Type.Boolean() },
  { $id: "Bookmark" },
);
const path = "/projects/:id/bookmarks";
const onePath = `${path}/:bookmark_id`;
const inPath = { id: projectId(), bookmark_id: idInPath("id of the bookmark") };
const members = inProject(accessLevels.developer);

function getBookmark(store: Store, project: ProjectRecord, id: number): BookmarkRecord {
  const bookmark = store.of(bookmarks).get(id);
  if (bookmark?.project_id !== project.id) throw notFoundLowerCase();
  return bookmark;
}

function presentBookmark({ id, title, is_checked }: BookmarkRecord) {
  return { id, title, is_checked };
}

const operations = [
  operation({
    method: "GET",
    path,
    summary: "List the bookmarks of a project",
    who: members,
    params: Type.Object({ id: projectId() }),
    answer: pageOf(Bookmark),
    handle({ context: { store }, project, page }) {
      const where = [{ index: "project_id", key: project.id } as const];
      const found = store.page(bookmarks, { where, order: "id", descending: false, page });
      return mapPage(found, presentBookmark);
    },
  }),
  operation({
    method: "GET",
    path: onePath,
    summary: "Get a bookmark of a project",
    who: members,
    params: Type.Object(inPath),
    answer: ok(Bookmark),
    handle: ({ context: { store }, project, params }) =>
      presentBookmark(getBookmark(store, project, params.bookmark_id)),
  }),
  operation({
    method: "POST",
    path,
    summary: "Create a bookmark in a project",
    who: members,
    params: Type.Object({ id: projectId(), title: text({ allowBlank: false }) }),
    answer: created(Bookmark),
    handle({ context, project, params: { title } }) {
      return context.store.transact((tx) => {
        const id = tx.nextId("bookmarks");
        const bookmark = tx.insert(bookmarks, { id, project_id: project.id, title, is_checked: false });
        enqueueJob(tx, context, { kind: bookmarkCheck.kind, payload: { bookmark_id: id } });
        return presentBookmark(bookmark);
      });
    },
  }),
  operation({
    method: "PUT",
    path: onePath,
    summary: "Update a bookmark of a project",
    who: members,
    params: Type.Object({ ...inPath, title: text({ allowBlank: false }) }),
    answer: ok(Bookmark),
    handle({ context: { store }, project, params: { bookmark_id, title } }) {
      const bookmark = getBookmark(store, project, bookmark_id);
      return presentBookmark(store.transact((tx) => tx.update(bookmarks, { ...bookmark, title })));
    },
  }),
  operation({
    method: "DELETE",
    path: onePath,
    summary: "Delete a bookmark of a project",
    who: members,
    params: Type.Object(inPath),
    answer: noContent(),
    handle({ context: { store }, project, params: { bookmark_id } }) {
      const { id } = getBookmark(store, project, bookmark_id);
      store.transact((tx) => tx.remove(bookmarks, id));
    },
  }),
];

/** A complete module, as small as one can be. */
export const bookmarksModule = defineModule({
  name: "bookmarks",
  tag: "Bookmarks",
  operations,
  collections: [bookmarks],
  jobs: [bookmarkCheck],
  on: [deletedWithProject(bookmarks)],
});
