import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { forbidden, notFoundLowerCase } from "../../../domain/failure.ts";
import { mapPage } from "../../../domain/page.ts";
import {
  allOrNone,
  atLeastOne,
  exactlyOne,
  idInPath,
  mutuallyExclusive,
  projectId,
} from "../../../domain/parameters.ts";
import { inProject, requireUnarchived } from "../../core/access/index.ts";
import { created, file, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { canReadSnippet, getSnippet, requireSnippetsOf } from "./policy.ts";
import { presentSnippet, presentUserAgentDetail } from "./present.ts";
import { CreateSnippet, ListAllSnippets, ListSnippets, Snippet, UpdateSnippet, UserAgentDetail } from "./schema.ts";
import { createSnippet } from "./service-create.ts";
import {
  getRawSnippet,
  getUserAgentDetail,
  listAllSnippets,
  listOwnSnippets,
  listProjectSnippets,
  listPublicSnippets,
} from "./service-list.ts";
import { deleteSnippet } from "./service-removal.ts";
import { updateSnippet } from "./service-update.ts";

const newRules = [exactlyOne("files", "content"), allOrNone("file_name", "content")];
const changeRules = [
  atLeastOne(...Object.keys(UpdateSnippet)),
  mutuallyExclusive("files", "content"),
  mutuallyExclusive("files", "file_name"),
];

const Own = { id: idInPath("snippet id") };
const InProject = { id: projectId() };
const OfProject = { ...InProject, snippet_id: idInPath("snippet id") };
const whoeverSees = inProject(accessLevels.none, { anonymous: true });

const personalOperations = [
  operation({
    method: "POST",
    path: "/snippets",
    summary: "Create a personal snippet",
    who: "signed_in",
    params: Type.Object(CreateSnippet),
    rules: newRules,
    answer: created(Snippet),
    failures: ["forbidden", "invalid", "conflict", "no_room"],
    async handle(call) {
      const { context, caller, params, baseUrl } = call;
      return presentSnippet(await createSnippet(context, caller, undefined, params, baseUrl), call);
    },
  }),

  operation({
    method: "GET",
    path: "/snippets",
    summary: "List the personal snippets of the current user",
    who: "signed_in",
    params: ListSnippets,
    answer: pageOf(Snippet),
    handle(call) {
      const { context, caller, params, page } = call;
      return mapPage(listOwnSnippets(context, caller, params, page), (each) => presentSnippet(each, call));
    },
  }),

  operation({
    method: "GET",
    path: "/snippets/public",
    summary: "List the public personal snippets of all users",
    who: "signed_in",
    params: ListSnippets,
    answer: pageOf(Snippet),
    handle(call) {
      const { context, params, page } = call;
      return mapPage(listPublicSnippets(context, params, page), (each) => presentSnippet(each, call));
    },
  }),

  operation({
    method: "GET",
    path: "/snippets/all",
    summary: "List all snippets that the current user sees",
    who: "signed_in",
    params: ListAllSnippets,
    answer: pageOf(Snippet),
    handle(call) {
      const { context, caller, params, page } = call;
      return mapPage(listAllSnippets(context, caller, params, page), (each) => presentSnippet(each, call));
    },
  }),

  operation({
    method: "GET",
    path: "/snippets/:id/user_agent_detail",
    summary: "Get the program and address that a snippet came from",
    who: "administrator",
    params: Type.Object(Own),
    answer: ok(UserAgentDetail),
    handle(call) {
      const { context, caller, params } = call;
      return presentUserAgentDetail(getUserAgentDetail(getSnippet(context, caller, params.id)), call);
    },
  }),

  operation({
    method: "GET",
    path: "/snippets/:id",
    summary: "Get a snippet",
    who: "anyone",
    params: Type.Object(Own),
    answer: ok(Snippet),
    handle(call) {
      const { context, caller, params } = call;
      return presentSnippet(getSnippet(context, caller, params.id), call);
    },
  }),

  operation({
    method: "GET",
    path: "/snippets/:id/raw",
    summary: "Get the raw content of a snippet",
    who: "anyone",
    params: Type.Object(Own),
    answer: file({ maxAgeS: 0 }),
    async handle({ context, caller, params }) {
      return getRawSnippet(context, caller, params.id, undefined);
    },
  }),

  operation({
    method: "PUT",
    path: "/snippets/:id",
    summary: "Update a snippet",
    who: "signed_in",
    params: Type.Object({ ...Own, ...UpdateSnippet }),
    rules: changeRules,
    answer: ok(Snippet),
    failures: ["forbidden", "invalid", "conflict", "no_room", "unprocessable"],
    async handle(call) {
      const { context, caller, params, baseUrl } = call;
      const changed = await updateSnippet(context, caller, params.id, undefined, params, baseUrl);
      return presentSnippet(changed, call);
    },
  }),

  operation({
    method: "DELETE",
    path: "/snippets/:id",
    summary: "Delete a snippet",
    who: "signed_in",
    params: Type.Object(Own),
    answer: noContent(),
    failures: ["forbidden", "invalid"],
    handle({ context, caller, params, unmodifiedSince }) {
      deleteSnippet(context, caller, params.id, undefined, unmodifiedSince);
    },
  }),
];

const projectOperations = [
  operation({
    method: "POST",
    path: "/projects/:id/snippets",
    summary: "Create a snippet in a project",
    who: inProject(accessLevels.reporter),
    params: Type.Object({ ...InProject, ...CreateSnippet }),
    rules: newRules,
    answer: created(Snippet),
    failures: ["invalid", "conflict", "no_room"],
    async handle(call) {
      const { context, caller, project, params, baseUrl } = call;
      requireSnippetsOf(context, caller, project);
      requireUnarchived({ project });
      return presentSnippet(await createSnippet(context, caller, project, params, baseUrl), call);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/snippets",
    summary: "List the snippets of a project",
    who: whoeverSees,
    params: Type.Object(InProject),
    answer: pageOf(Snippet),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, page } = call;
      return mapPage(listProjectSnippets(context, caller, project, page), (each) => presentSnippet(each, call));
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/snippets/:snippet_id",
    summary: "Get a snippet of a project",
    who: whoeverSees,
    params: Type.Object(OfProject),
    answer: ok(Snippet),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      requireSnippetsOf(context, caller, project);
      if (!canReadSnippet(context, caller, params.snippet_id, project)) throw notFoundLowerCase();
      return presentSnippet(getSnippet(context, caller, params.snippet_id, project), call);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/snippets/:snippet_id/raw",
    summary: "Get the raw content of a project snippet",
    who: whoeverSees,
    params: Type.Object(OfProject),
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden"],
    async handle({ context, caller, project, params }) {
      requireSnippetsOf(context, caller, project);
      return getRawSnippet(context, caller, params.snippet_id, project);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/snippets/:snippet_id/user_agent_detail",
    summary: "Get the program and address that a project snippet came from",
    who: inProject(accessLevels.none),
    params: Type.Object(OfProject),
    answer: ok(UserAgentDetail),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      if (!caller.user.is_admin) throw forbidden();
      const snippet = getSnippet(context, caller, params.snippet_id, project);
      return presentUserAgentDetail(getUserAgentDetail(snippet), call);
    },
  }),

  operation({
    method: "PUT",
    path: "/projects/:id/snippets/:snippet_id",
    summary: "Update a snippet of a project",
    who: inProject(accessLevels.none),
    params: Type.Object({ ...OfProject, ...UpdateSnippet }),
    rules: changeRules,
    answer: ok(Snippet),
    failures: ["forbidden", "invalid", "conflict", "no_room", "unprocessable"],
    async handle(call) {
      const { context, caller, project, params, baseUrl } = call;
      requireSnippetsOf(context, caller, project);
      const changed = await updateSnippet(context, caller, params.snippet_id, project, params, baseUrl);
      return presentSnippet(changed, call);
    },
  }),

  operation({
    method: "DELETE",
    path: "/projects/:id/snippets/:snippet_id",
    summary: "Delete a snippet of a project",
    who: inProject(accessLevels.none),
    params: Type.Object(OfProject),
    answer: noContent(),
    failures: ["forbidden", "invalid"],
    handle({ context, caller, project, params, unmodifiedSince }) {
      requireSnippetsOf(context, caller, project);
      deleteSnippet(context, caller, params.snippet_id, project, unmodifiedSince);
    },
  }),
];

export const snippetOperations = [...personalOperations, ...projectOperations];
