import { Type } from "@sinclair/typebox";
import { atLeastOne } from "../../../domain/parameters.ts";
import { getUser } from "../../core/users/index.ts";
import { ok, operation } from "../../kernel/operation.ts";
import { presentPreferences } from "./present.ts";
import { ChangeUserPreferences, UserPreferences } from "./schema.ts";
import { updatePreferences } from "./service.ts";

export const userPreferencesOperations = [
  operation({
    method: "GET",
    path: "/user/preferences",
    summary: "Get the preferences of the current user",
    who: "signed_in",
    scopes: ["read_user"],
    params: Type.Object({}),
    answer: ok(UserPreferences),
    handle: (call) => {
      const {
        context: { store },
        caller,
      } = call;
      return presentPreferences(getUser(store, caller.user.id), call);
    },
  }),

  operation({
    method: "PUT",
    path: "/user/preferences",
    summary: "Update the preferences of the current user",
    who: "signed_in",
    params: ChangeUserPreferences,
    rules: [atLeastOne(...Object.keys(ChangeUserPreferences.properties))],
    answer: ok(UserPreferences),
    handle: (call) => {
      const { context, caller, params } = call;
      return presentPreferences(updatePreferences(context, caller, params), call);
    },
  }),
];
