import { Type } from "@sinclair/typebox";
import { mapPage } from "../../../../domain/page.ts";
import { created, noContent, ok, operation, pageOf } from "../../../kernel/operation.ts";
import { getUser } from "../service.ts";
import { presentEmail } from "./present.ts";
import { AddEmail, AddOwnEmail, Email, EmailOfUser, EmailsOfUser, OwnEmail } from "./schema.ts";
import { createEmail, deleteEmail, getEmail, listEmails } from "./service.ts";

export const emailOperations = [
  operation({
    method: "GET",
    path: "/user/emails",
    summary: "List the email addresses of the current user",
    who: "signed_in",
    scopes: ["read_user"],
    params: Type.Object({}),
    answer: pageOf(Email),
    handle({ context: { store }, caller, page }) {
      return mapPage(listEmails(store, getUser(store, caller.user.id), page), presentEmail);
    },
  }),

  operation({
    method: "GET",
    path: "/user/emails/:email_id",
    summary: "Get an email address of the current user",
    who: "signed_in",
    scopes: ["read_user"],
    params: OwnEmail,
    answer: ok(Email),
    handle({ context: { store }, caller, params }) {
      return presentEmail(getEmail(store, getUser(store, caller.user.id), params.email_id));
    },
  }),

  operation({
    method: "POST",
    path: "/user/emails",
    summary: "Add an email address for the current user",
    who: "signed_in",
    params: AddOwnEmail,
    answer: created(Email),
    handle({ context, caller, params: { email } }) {
      return presentEmail(createEmail(context, caller, caller.user.id, { email }));
    },
  }),

  operation({
    method: "DELETE",
    path: "/user/emails/:email_id",
    summary: "Delete an email address of the current user",
    who: "signed_in",
    params: OwnEmail,
    answer: noContent(),
    handle({ context, caller, params, unmodifiedSince }) {
      deleteEmail(context, caller, caller.user.id, params.email_id, unmodifiedSince);
    },
  }),

  operation({
    method: "GET",
    path: "/users/:id/emails",
    summary: "List the email addresses of a user",
    who: "administrator",
    scopes: ["read_user"],
    params: EmailsOfUser,
    answer: pageOf(Email),
    handle({ context: { store }, params, page }) {
      return mapPage(listEmails(store, getUser(store, params.id), page), presentEmail);
    },
  }),

  operation({
    method: "POST",
    path: "/users/:id/emails",
    summary: "Add an email address for a user",
    who: "administrator",
    params: AddEmail,
    answer: created(Email),
    handle({ context, caller, params: { id, ...params } }) {
      return presentEmail(createEmail(context, caller, id, params));
    },
  }),

  operation({
    method: "DELETE",
    path: "/users/:id/emails/:email_id",
    summary: "Delete an email address of a user",
    who: "administrator",
    params: EmailOfUser,
    answer: noContent(),
    handle({ context, caller, params, unmodifiedSince }) {
      deleteEmail(context, caller, params.id, params.email_id, unmodifiedSince);
    },
  }),
];
