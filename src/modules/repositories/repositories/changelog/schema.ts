import { Type } from "@sinclair/typebox";
import { dateTime, longText, optional, pathText, projectId, text } from "../../../../domain/parameters.ts";
import { messageCharactersMax } from "../schema.ts";

/** commits 11. */
export const Changelog = Type.Object(
  { notes: Type.String({ description: "section of the changelog, as Markdown" }) },
  { $id: "Changelog" },
);

export const WantedChangelog = Type.Object({
  id: projectId(),
  version: text({ allowBlank: false, description: "semantic version; a leading v is dropped" }),
  from: optional(text({ description: "commit before the first one; the tag of the version before without it" })),
  to: optional(text({ description: "last commit; the newest of the branch without it" })),
  date: optional(dateTime({ description: "time of the release; now without it" })),
  trailer: optional(text({ description: "trailer of the commits that count; Changelog without it" })),
  config_file: optional(pathText({ description: ".gitlab/changelog_config.yml without it" })),
  config_file_ref: optional(text({ description: "where the file is; the default branch without it" })),
});

export const NewChangelog = Type.Object({
  ...WantedChangelog.properties,
  branch: optional(text({ description: "branch that gets the section; the default branch without it" })),
  file: optional(pathText({ description: "CHANGELOG.md without it" })),
  message: optional(longText({ maxLength: messageCharactersMax, description: "that of the commit" })),
});
