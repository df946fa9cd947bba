import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentError, presentErrorDetails, presentEvent } from "./present.ts";
import { ErrorEvent, ErrorInPath, ListErrors, TrackedError, TrackedErrorDetails, UpdateError } from "./schema.ts";
import { getError, getLatestEvent, listErrors, listEvents, updateErrorStatus } from "./service-errors.ts";

const readers = inProject(accessLevels.reporter);

/** The reported errors (error-tracking D). */
export const trackedErrorOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/error_tracking/errors",
    summary: "List the errors of a project",
    who: readers,
    params: ListErrors,
    answer: pageOf(TrackedError),
    handle: (call) => {
      const { context, project, params, page } = call;
      return mapPage(listErrors(context, project, params, page), (error) => presentError(error, call));
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/error_tracking/errors/:error_id",
    summary: "Get an error",
    who: readers,
    params: ErrorInPath,
    answer: ok(TrackedErrorDetails),
    handle: (call) => {
      const { context, project, params } = call;
      return presentErrorDetails(getError(context.store, project, params.error_id), call);
    },
  }),

  operation({
    method: "PUT",
    path: "/projects/:id/error_tracking/errors/:error_id",
    summary: "Update the status of an error",
    who: inProject(accessLevels.developer),
    params: UpdateError,
    answer: ok(TrackedError),
    handle: (call) => {
      const { context, project, params } = call;
      return presentError(updateErrorStatus(context, project, params.error_id, params.status), call);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/error_tracking/errors/:error_id/events",
    summary: "List the events of an error",
    who: readers,
    params: ErrorInPath,
    answer: pageOf(ErrorEvent),
    handle: (call) => {
      const { context, project, params, page } = call;
      return mapPage(listEvents(context.store, getError(context.store, project, params.error_id), page), (event) =>
        presentEvent(event, call),
      );
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/error_tracking/errors/:error_id/events/latest",
    summary: "Get the latest event of an error",
    who: readers,
    params: ErrorInPath,
    answer: ok(ErrorEvent),
    handle: (call) => {
      const { context, project, params } = call;
      return presentEvent(getLatestEvent(context.store, getError(context.store, project, params.error_id)), call);
    },
  }),
];
