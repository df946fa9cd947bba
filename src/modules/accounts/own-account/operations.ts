import { confirmAddress, OwnUser, presentOwnUser } from "../../core/users/index.ts";
import { accepted, created, noContent, ok, operation } from "../../kernel/operation.ts";
import { AccessToken, presentNewAccessToken } from "../access-tokens/index.ts";
import { SignIns } from "../sessions/index.ts";
import {
  AskForPassword,
  ChangeOwnAccount,
  ChangeOwnPassword,
  ChoosePassword,
  ConfirmAddress,
  ConfirmedAddress,
  CreateAnyOwnToken,
} from "./schema.ts";
import { createAnyOwnToken, updateOwnAccount } from "./service.ts";
import { askForPassword, choosePassword, updateOwnAccountPassword } from "./service-password.ts";

/** console 8. */
export const ownAccountOperations = [
  operation({
    method: "PUT",
    path: "/-/account",
    root: true,
    http: { partOf: "console" },
    summary: "Update the account of the current user",
    who: "signed_in",
    params: ChangeOwnAccount,
    answer: ok(OwnUser),
    failures: ["invalid", "forbidden", "not_found", "too_many"],
    async handle(call) {
      const { context, caller, params } = call;
      return presentOwnUser(await updateOwnAccount(context, caller, params), call);
    },
  }),

  operation({
    method: "PUT",
    path: "/-/account/password",
    root: true,
    http: { partOf: "console" },
    summary: "Change the password of the current user, and sign out everywhere",
    who: "signed_in",
    params: ChangeOwnPassword,
    answer: noContent(),
    failures: ["invalid", "forbidden", "too_many"],
    handle: ({ context, caller, params }) => updateOwnAccountPassword(context, caller, params),
  }),

  operation({
    method: "POST",
    path: "/-/account/tokens",
    root: true,
    http: { partOf: "console" },
    summary: "Create a personal access token with any scopes for the current user",
    who: "signed_in",
    params: CreateAnyOwnToken,
    answer: created(AccessToken),
    failures: ["invalid", "forbidden", "unprocessable", "too_many"],
    async handle(call) {
      const { context, caller, params } = call;
      return presentNewAccessToken(await createAnyOwnToken(context, caller, params), call);
    },
  }),

  operation({
    method: "POST",
    path: "/-/account/password-resets",
    root: true,
    http: { partOf: "console" },
    summary: "Mail a link to choose another password",
    who: "anyone",
    scopes: "any",
    params: AskForPassword,
    answer: accepted(),
    failures: ["too_many"],
    handle({ context, caller, params }) {
      askForPassword(context, caller, params.email);
    },
  }),

  operation({
    method: "PUT",
    path: "/-/account/password-resets",
    root: true,
    http: { partOf: "console" },
    summary: "Choose a password with the link of a mail",
    who: "anyone",
    scopes: "any",
    params: ChoosePassword,
    answer: noContent(),
    failures: ["invalid", "forbidden", "too_many"],
    handle: ({ context, caller, params, baseUrl }) => choosePassword(context, caller, params, baseUrl),
  }),

  operation({
    method: "POST",
    path: "/-/account/confirmations",
    root: true,
    http: { partOf: "console" },
    summary: "Confirm an email address with the link of a mail",
    who: "anyone",
    scopes: "any",
    params: ConfirmAddress,
    answer: created(ConfirmedAddress),
    failures: ["invalid", "too_many"],
    handle({ context, caller, params }) {
      context.get(SignIns).count(undefined, caller.ipAddress);
      return { email: confirmAddress(context, caller, params.confirmation_token) };
    },
  }),
];
