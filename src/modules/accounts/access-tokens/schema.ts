import { Type } from "@sinclair/typebox";
import {
  boolean,
  date,
  dateTime,
  idInPath,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  searchText,
  text,
} from "../../../domain/parameters.ts";
import { scopes } from "../../../domain/scopes.ts";
import { arrayOf } from "../../kernel/array-schema.ts";

const nullableText = () => Type.Union([Type.String(), Type.Null()]);

/** users-and-auth 17. `token` is there only in the answer to its creation. */
export const AccessToken = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    revoked: Type.Boolean(),
    created_at: Type.String({ format: "date-time" }),
    description: nullableText(),
    scopes: arrayOf(Type.String()),
    user_id: Type.Integer(),
    last_used_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
    active: Type.Boolean(),
    expires_at: Type.Union([Type.String({ format: "date" }), Type.Null()]),
    last_used_ips: Type.Optional(arrayOf(Type.String())),
    impersonation: Type.Optional(Type.Boolean()),
    token: Type.Optional(Type.String()),
  },
  { $id: "PersonalAccessToken" },
);

/** `<column>_<direction>`, as the real system names them. */
const accessTokenSorts = [
  "created_asc",
  "created_desc",
  "expires_asc",
  "expires_desc",
  "last_used_asc",
  "last_used_desc",
  "name_asc",
  "name_desc",
] as const;

const scopeList = list(oneOf(scopes), { split: true });

export const CreateAccessToken = Type.Object({
  user_id: idInPath("user id"),
  name: text(),
  scopes: scopeList,
  description: optional(nullable(text({ description: "at most 255 characters" }))),
  expires_at: optional(nullable(date({ description: "a year from today by default, and at most" }))),
});

/** A token that users create for themselves without an administrator. */
export const CreateOwnAccessToken = Type.Object({
  name: text(),
  scopes: list(oneOf(["k8s_proxy", "self_rotate"]), { split: true }),
  description: optional(nullable(text({ description: "at most 255 characters" }))),
  expires_at: optional(nullable(date({ description: "tomorrow by default" }))),
});

/** users-and-auth 18. */
export const CreateImpersonationToken = Type.Object({
  ...CreateAccessToken.properties,
  scopes: optional(list(text({ maxLength: 255 }), { split: true, maxItems: 100, description: scopes.join(", ") })),
});

export const ListImpersonationTokens = Type.Object({
  user_id: idInPath("user id"),
  state: optional(oneOf(["all", "active", "inactive"])),
});

export const ListAccessTokens = Type.Object({
  user_id: optional(nullable(integer({ description: "administrators: of this user" }))),
  state: optional(oneOf(["active", "inactive"])),
  revoked: optional(boolean()),
  search: optional(searchText("part of the name")),
  created_after: optional(dateTime()),
  created_before: optional(dateTime()),
  last_used_after: optional(dateTime()),
  last_used_before: optional(dateTime()),
  expires_after: optional(date()),
  expires_before: optional(date()),
  sort: optional(oneOf(accessTokenSorts)),
});
