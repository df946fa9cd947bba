import { Type } from "@sinclair/typebox";
import { atLeastOne } from "../../../domain/parameters.ts";
import { ok, operation } from "../../kernel/operation.ts";
import { ApplicationSettings, ChangeApplicationSettings } from "./schema.ts";
import { shownSettings, updateSettings } from "./service.ts";

export const applicationSettingsOperations = [
  operation({
    method: "GET",
    path: "/application/settings",
    summary: "Get the application settings",
    who: "administrator",
    params: Type.Object({}),
    answer: ok(ApplicationSettings),
    handle: ({ context }) => shownSettings(context),
  }),

  operation({
    method: "PUT",
    path: "/application/settings",
    summary: "Update the application settings",
    who: "administrator",
    params: ChangeApplicationSettings,
    rules: [atLeastOne(...Object.keys(ChangeApplicationSettings.properties))],
    answer: ok(ApplicationSettings),
    handle: ({ context, caller, params }) => updateSettings(context, caller, params),
  }),
];
