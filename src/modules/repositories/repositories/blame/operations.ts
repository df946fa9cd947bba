import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { hash, integer, optional, pathText, projectId, text } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import { ok, oneOfResponses, operation, type ResponseVariant } from "../../../kernel/operation.ts";
import { fileHeaders, fileHeaderTexts } from "../files/service-read.ts";
import { presentBlameRange } from "./present.ts";
import { BlameRange } from "./schema.ts";
import { getBlame } from "./service.ts";

export const blameOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/repository/files/:file_path/blame",
    summary: "Get the commits that the lines of a file come from",
    who: inProject(accessLevels.none, { anonymous: true }),
    scopes: ["read_repository"],
    params: Type.Object({
      id: projectId(),
      file_path: pathText({ description: "path of the file, with %2F for each slash" }),
      ref: optional(text({ allowBlank: false, description: "branch, tag or commit; the default branch without it" })),
      range: optional(
        hash(
          {
            start: integer({ minimum: 1, allowBlank: false, description: "first line, from 1 on" }),
            end: integer({ minimum: 1, allowBlank: false, description: "last line" }),
          },
          { description: "lines; all without it" },
        ),
      ),
    }),
    answer: oneOfResponses({ answer: ok(Type.Array(BlameRange)), headers: fileHeaderTexts }),
    failures: ["forbidden", "too_large", "invalid"],
    async handle(call): Promise<ResponseVariant> {
      const { context, caller, project, params, raw } = call;
      const { file, blamed } = await getBlame(context, caller, project, params, raw.gone);
      const body = blamed.map((each) => presentBlameRange(each, call));
      return { kind: "ok", body, headers: fileHeaders(file) };
    },
  }),
];
