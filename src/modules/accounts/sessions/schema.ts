import { Type } from "@sinclair/typebox";
import { idInPath, integer, optional, text } from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";

/** console 1: who is signed in. */
export const OwnSession = Type.Object(
  {
    user: Type.Object({
      ...BasicUser.properties,
      email: Type.String(),
      is_admin: Type.Boolean(),
      is_auditor: Type.Boolean(),
    }),
    csrf_token: Type.String({ description: "for the header X-CSRF-Token" }),
    expires_at: Type.String({ format: "date-time" }),
  },
  { $id: "OwnSession" },
);

/** One of the sessions in a list. */
export const Session = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    user_agent: Type.String(),
    ip_address: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ format: "date-time" }),
    last_used_at: Type.String({ format: "date-time" }),
    expires_at: Type.String({ format: "date-time" }),
    scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: "of the access token that the session was made of; null: everything that the user may do",
    }),
    current: Type.Boolean({ description: "whether the request was made with it" }),
  },
  { $id: "Session" },
);

export const SignInCode = Type.Object(
  {
    user_id: Type.Integer(),
    code: Type.String(),
    url: Type.String({ description: "address of the console with the code" }),
    expires_at: Type.String({ format: "date-time" }),
  },
  { $id: "SignInCode" },
);

export const CreateSession = Type.Object({
  login: optional(text({ description: "username or primary email address; with `password`" })),
  password: optional(text()),
  new_password: optional(text({ description: "replaces `password`, once that has expired" })),
  token: optional(text({ description: "an access token, in the place of login and password" })),
  code: optional(text({ description: "a one-time code, in the place of login and password" })),
});

export const ListSessions = Type.Object({
  user_id: optional(integer({ description: "administrators: of this user" })),
});

export const SessionInPath = Type.Object({ id: idInPath("session id") });

export const CreateSignInCode = Type.Object({
  user: text({ description: "username or id", takesNumber: true }),
});
