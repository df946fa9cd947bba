import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { inProject } from "../../../core/access/index.ts";
import { ok, operation } from "../../../kernel/operation.ts";
import { Changelog, NewChangelog, WantedChangelog } from "./schema.ts";
import { createChangelog, getChangelog } from "./service.ts";

const path = "/projects/:id/repository/changelog";

/** commits 11. */
export const changelogOperations = [
  operation({
    method: "GET",
    path,
    summary: "Make the section of a changelog for a version",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: WantedChangelog,
    answer: ok(Changelog),
    failures: ["forbidden", "unprocessable", "too_large"],
    async handle({ context, caller, project, params }) {
      return { notes: await getChangelog(context, caller, project, params) };
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Put the section of a version into a changelog",
    who: inProject(accessLevels.developer),
    params: NewChangelog,
    answer: ok(Type.Literal(200, { description: "the status: the section is committed" })),
    failures: ["invalid", "unprocessable", "no_room", "too_large"],
    async handle({ context, caller, project, params, baseUrl }) {
      await createChangelog(context, caller, project, params, baseUrl);
      return 200;
    },
  }),
];
