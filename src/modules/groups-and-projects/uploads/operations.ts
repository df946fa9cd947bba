import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { getProject, inProject } from "../../core/access/index.ts";
import { created, file, noContent, type Operation, operation, pageOf } from "../../kernel/operation.ts";
import { presentNewUpload, presentUpload } from "./present.ts";
import { NewUpload, Upload, uploadParameters } from "./schema.ts";
import { contentOf, createUpload, deleteUpload, getUpload, getUploadAt, listUploads } from "./service.ts";

const path = "/projects/:id/uploads";
const maintainers = inProject(accessLevels.maintainer);
const content = file({ maxAgeS: 0, hasRanges: true });

/** releases 7. */
export const uploadOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path,
    summary: "Upload a file to a project",
    who: inProject(accessLevels.none),
    params: uploadParameters.create,
    answer: created(NewUpload),
    failures: ["forbidden", "no_room"],
    async handle(call) {
      const { context, caller, project, params } = call;
      return presentNewUpload(await createUpload(context, caller, project, params.file), call);
    },
  }),

  operation({
    method: "GET",
    path,
    summary: "List the uploads of a project",
    who: maintainers,
    params: uploadParameters.list,
    answer: pageOf(Upload),
    handle(call) {
      const { context, project, page } = call;
      return mapPage(listUploads(context.store, project, page), (upload) => presentUpload(upload, call));
    },
  }),

  operation({
    method: "GET",
    path: `${path}/:upload_id`,
    summary: "Download an upload of a project by its id",
    who: maintainers,
    params: uploadParameters.byId,
    answer: content,
    handle: ({ context, project, params }) =>
      contentOf(context, getUpload(context.store, project, params.upload_id), false),
  }),

  operation({
    method: "GET",
    path: `${path}/:secret/:filename`,
    summary: "Download an upload of a project",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: uploadParameters.byPlace,
    answer: content,
    handle: ({ context, project, params }) =>
      contentOf(context, getUploadAt(context.store, project, params.secret, params.filename), false),
  }),

  operation({
    method: "DELETE",
    path: `${path}/:upload_id`,
    summary: "Delete an upload of a project by its id",
    who: maintainers,
    params: uploadParameters.byId,
    answer: noContent(),
    failures: ["precondition"],
    handle({ context, caller, project, params, unmodifiedSince }) {
      deleteUpload(context, caller, getUpload(context.store, project, params.upload_id), unmodifiedSince);
    },
  }),

  operation({
    method: "DELETE",
    path: `${path}/:secret/:filename`,
    summary: "Delete an upload of a project",
    who: maintainers,
    params: uploadParameters.byPlace,
    answer: noContent(),
    failures: ["precondition"],
    handle({ context, caller, project, params, unmodifiedSince }) {
      const upload = getUploadAt(context.store, project, params.secret, params.filename);
      deleteUpload(context, caller, upload, unmodifiedSince);
    },
  }),

  operation({
    method: "GET",
    path: "/-/project/:id/uploads/:secret/:filename",
    root: true,
    summary: "Get an upload of a project",
    who: "anyone",
    scopes: "any",
    params: uploadParameters.inAddress,
    answer: content,
    handle({ context, caller, params }) {
      const project = getProject(context, caller, params.id);
      return contentOf(context, getUploadAt(context.store, project, params.secret, params.filename), true);
    },
  }),
];
