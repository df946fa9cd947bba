import { accessLevelName, accessLevels } from "../../domain/access-level.ts";
import { apiTitle, apiVersion } from "../../domain/release.ts";
import {
  type AccessRule,
  type ApiTag,
  isAnonymousWelcome,
  type Operation,
  replacePathParameters,
} from "../../modules/kernel/operation.ts";
import { acceptedScopes } from "../auth/caller.ts";
import { apiPrefix } from "../entry/routes.ts";
import { describeInputs } from "./inputs.ts";
import { describeOutputs, sharedAnswers } from "./outputs.ts";
import { requireOneSchemaPerName } from "./schema-names.ts";
import type { Json, NamedSchemas } from "./schemas.ts";
import { introduction, licenseName } from "./texts.ts";

/** The parts of an OpenAPI 3.1 document. */
export interface Documentation {
  readonly openapi: string;
  readonly info: Json & { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Json>>;
  readonly components: Json & { readonly schemas: Json };
}

/** Builds the API reference of a server without a base path. Throws when two different schemas have the same `$id`. */
export function describeApi(tags: readonly ApiTag[]): Documentation {
  requireOneSchemaPerName(tags.flatMap(({ operations }) => operations));
  const named: NamedSchemas = {};
  const paths: Record<string, Record<string, Json>> = {};
  for (const { name, operations } of tags) {
    for (const operation of operations) {
      const path = pathOf(operation);
      paths[path] ??= {};
      paths[path][operation.method.toLowerCase()] = describeOperation(operation, name, named);
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      ...{ title: apiTitle, version: apiVersion, description: introduction },
      license: { name: licenseName, identifier: licenseName },
    },
    servers: [{ url: "/" }],
    tags: tags.map(({ name, about }) => ({ name, ...(about === undefined ? {} : { description: about }) })),
    paths,
    components: { schemas: named, parameters, securitySchemes, ...sharedAnswers(named) },
  };
}

/** Returns a path in OpenAPI form: `/api/v4/users/{id}`. */
export function pathOf({ path, root }: Operation): string {
  return `${root === true ? "" : apiPrefix}${replacePathParameters(path, (name) => `{${name}}`)}`;
}

/** Returns an operation id: `getUsersByIdStatus` for `GET /users/:id/status`. */
export function operationIdOf({ method, path }: Operation): string {
  const words = replacePathParameters(path, (name) => `by_${name}`).split(/[^A-Za-z0-9]+/);
  const capitalised = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${method.toLowerCase()}${capitalised.join("")}`;
}

function describeOperation(operation: Operation, tag: string, named: NamedSchemas): Json {
  const operationId = operationIdOf(operation);
  const { summary, who, tier = "community", deprecated } = operation;
  const scopes = acceptedScopes(operation);
  return {
    operationId,
    tags: [tag],
    summary,
    description: describeCallers(operation).join("\n\n"),
    ...(deprecated === true ? { deprecated } : {}),
    ...describeInputs(operation, operationId, named),
    responses: describeOutputs(operation, named),
    security: securityOf(operation),
    "x-who": who,
    "x-scopes": scopes,
    "x-edition": tier,
  };
}

const callers: Readonly<Record<Extract<AccessRule, string>, string>> = {
  anyone: "everybody, with or without a token",
  signed_in: "users with a token",
  administrator: "administrators",
  administrator_first: "administrators",
  job: "a running job, with its token",
};

/** Describes an access rule: `from the role Developer upwards in the project, signed in`. */
export function describeAccessRule(who: AccessRule): string {
  if (typeof who === "string") return callers[who];
  const role =
    who.level === accessLevels.none ? "whoever sees" : `from the role ${accessLevelName(who.level)} upwards in`;
  return `${role} the ${who.in}${who.isAnonymousWelcome ? "" : ", signed in"}`;
}

const editionNames = { community: "all", premium: "Premium and Ultimate", ultimate: "Ultimate" } as const;

function describeCallers(operation: Operation): string[] {
  const { who, tier = "community", rules = [] } = operation;
  const scopes = acceptedScopes(operation);
  const scopeText = scopes === "any" ? "every token does" : `${scopes.length > 1 ? "one of " : ""}${inCode(scopes)}`;
  return [
    `**Who:** ${describeAccessRule(who)}. **Scopes:** ${scopeText}. **Editions:** ${editionNames[tier]}.`,
    ...rules.map(({ rule, names }) => `${ruleTexts[rule]}: ${inCode(names)}.`),
  ];
}

const ruleTexts = {
  mutually_exclusive: "At most one of",
  at_least_one: "At least one of",
  exactly_one: "Exactly one of",
  all_or_none: "All of these or none",
  needs: "The first only with the others",
} as const;

function inCode(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

const signedIn = [{ privateToken: [] }, { bearer: [] }, { privateTokenInQuery: [] }, { accessTokenInQuery: [] }];
const asJob = [{ jobToken: [] }, { jobTokenInQuery: [] }];

function securityOf({ who, takesJobToken, basicRealm }: Operation): Json[] {
  if (who === "job") return asJob;
  return [
    ...signedIn,
    ...(basicRealm === undefined ? [] : [{ basic: [] }]),
    ...(takesJobToken === undefined ? [] : asJob),
    ...(isAnonymousWelcome(who) ? [{}] : []),
  ];
}

const securitySchemes: Json = {
  privateToken: { type: "apiKey", in: "header", name: "PRIVATE-TOKEN", description: "An access token" },
  bearer: { type: "http", scheme: "bearer", description: "The same token, as `Authorization: Bearer`" },
  privateTokenInQuery: { type: "apiKey", in: "query", name: "private_token", description: "The same token" },
  accessTokenInQuery: { type: "apiKey", in: "query", name: "access_token", description: "The same token" },
  basic: { type: "http", scheme: "basic", description: "An access token or the token of a running job as password" },
  jobToken: { type: "apiKey", in: "header", name: "JOB-TOKEN", description: "The token of a running job" },
  jobTokenInQuery: { type: "apiKey", in: "query", name: "job_token", description: "The same token" },
};

const parameters: Json = {
  IfUnmodifiedSince: {
    name: "If-Unmodified-Since",
    in: "header",
    description: "412, and nothing is deleted, when it was changed after this time; HTTP date or ISO 8601",
    schema: { type: "string" },
  },
};
