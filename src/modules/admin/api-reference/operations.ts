import { Type } from "@sinclair/typebox";
import { unknownRoute } from "../../../domain/failure.ts";
import { oneOf, optional, text } from "../../../domain/parameters.ts";
import { openApiVersions } from "../../../domain/release.ts";
import { file, operation } from "../../kernel/operation.ts";

/** Files of the page carry the version of what they hold in their name. */
const yearS = 31_536_000;
const minuteS = 60;

/** The reference of this table, and the page that shows it. */
export const referenceOperations = [
  operation({
    method: "GET",
    path: "/-/openapi.json",
    root: true,
    summary: "Get the OpenAPI document",
    who: "anyone",
    scopes: "any",
    params: Type.Object({
      version: optional(oneOf(openApiVersions, { description: "version of OpenAPI; 3.1" })),
    }),
    answer: file({ maxAgeS: minuteS }),
    handle: ({ context, params: { version = "3.1" }, raw }) =>
      context.reference.document(version, raw.header("accept-encoding")),
  }),

  operation({
    method: "GET",
    path: "/-/api",
    root: true,
    summary: "Get the API reference",
    who: "anyone",
    scopes: "any",
    params: Type.Object({}),
    answer: file({ maxAgeS: minuteS }),
    handle: ({ context, raw }) => context.reference.page(raw.header("accept-encoding")),
  }),

  operation({
    method: "GET",
    path: "/-/api/:file",
    root: true,
    summary: "Get an asset of the API reference",
    who: "anyone",
    scopes: "any",
    params: Type.Object({ file: text() }),
    answer: file({ maxAgeS: yearS }),
    async handle({ context, params, raw }) {
      const found = await context.reference.pageFile(params.file, raw.header("accept-encoding"));
      if (found === undefined) throw unknownRoute();
      return found;
    },
  }),
];
