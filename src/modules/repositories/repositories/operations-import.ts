import { Type } from "@sinclair/typebox";
import { integer, projectId, text } from "../../../domain/parameters.ts";
import { stagePattern } from "../../../git/index.ts";
import { ok, operation } from "../../kernel/operation.ts";
import { RepositoryImport } from "./schema.ts";
import { importRepository } from "./service-import.ts";

const countMax = 2 ** 31;

/** The end of `outpost repository import`: the command has staged the repository in the data folder of the server. */
export const importOperations = [
  operation({
    method: "POST",
    path: "/-/repository-imports",
    root: true,
    summary: "Import a staged repository into a project",
    who: "administrator",
    params: Type.Object({
      project: projectId(),
      stage: text({ pattern: stagePattern, description: "name of the staged repository" }),
      commits: integer({ minimum: 0, maximum: countMax, description: "number of commits that it has" }),
    }),
    answer: ok(RepositoryImport),
    failures: ["invalid", "not_found", "no_room"],
    async handle({ context, caller, params }) {
      const { id, default_branch } = await importRepository(context, caller, params);
      return { project_id: id, default_branch: default_branch ?? null };
    },
  }),
];
