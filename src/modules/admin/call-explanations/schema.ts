import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { integer, oneOf, optional, text } from "../../../domain/parameters.ts";

export const ExplainCall = Type.Object({
  user_id: optional(integer({ description: "left out: an anonymous caller" })),
  method: oneOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),
  path: text({ description: "below /api/v4; the path of a project or group may have its slashes" }),
});

const role = {
  access_level: Type.Union(Object.values(accessLevels).map((level) => Type.Literal(level))),
  name: Type.String(),
};

/** The rule for a call, and its consequence for one user. */
export const CallExplanation = Type.Object(
  {
    user: Type.String({ description: "username, or nobody" }),
    operation: Type.Object(
      { method: Type.String(), path: Type.String(), summary: Type.String({ description: "what the operation does" }) },
      { description: "the operation that the call is" },
    ),
    rule: Type.String({ description: "callers that the operation allows" }),
    role: Type.Union([Type.Object(role), Type.Null()], { description: "in the group or project of the path" }),
    ways: Type.Array(Type.Object({ ...role, from: Type.String() }), {
      description: "each membership that counts there, the one that decides first",
    }),
    allowed: Type.Boolean({ description: "whether the user may make the call" }),
    reason: Type.String({ description: "why not; or what may still be in the way" }),
  },
  { $id: "CallExplanation" },
);
