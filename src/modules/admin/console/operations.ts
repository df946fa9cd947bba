import { Type } from "@sinclair/typebox";
import { unknownRoute } from "../../../domain/failure.ts";
import { text } from "../../../domain/parameters.ts";
import type { Context } from "../../kernel/context.ts";
import { file, operation } from "../../kernel/operation.ts";

/** Names of assets carry a hash of what they hold. */
const yearS = 31_536_000;

/** The document and its files. The pages read and write through other operations (console 4). */
export const consoleOperations = [
  operation({
    method: "GET",
    path: "/-/console",
    root: true,
    http: { partOf: "console" },
    summary: "Get the console",
    who: "anyone",
    scopes: "any",
    params: Type.Object({}),
    answer: file({ maxAgeS: 0 }),
    handle: ({ context }) => pagesOf(context).page(),
  }),

  operation({
    method: "GET",
    path: "/-/console/*page",
    root: true,
    http: { partOf: "console" },
    summary: "Get a page of the console",
    who: "anyone",
    scopes: "any",
    params: Type.Object({ page: text() }),
    answer: file({ maxAgeS: 0 }),
    handle: ({ context }) => pagesOf(context).page(),
  }),

  operation({
    method: "GET",
    path: "/-/console/assets/:file",
    root: true,
    http: { partOf: "console" },
    summary: "Get an asset of the console",
    who: "anyone",
    scopes: "any",
    params: Type.Object({ file: text() }),
    answer: file({ maxAgeS: yearS }),
    async handle({ context, params, raw }) {
      const found = await pagesOf(context).asset(params.file, raw.header("accept-encoding"));
      if (found === undefined) throw unknownRoute();
      return found;
    },
  }),
];

function pagesOf({ console }: Context) {
  if (console === undefined) throw unknownRoute();
  return console;
}
