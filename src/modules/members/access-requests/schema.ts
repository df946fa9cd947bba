import { Type } from "@sinclair/typebox";
import { integer, optional } from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";
import { userInPath } from "../members/index.ts";

/** members-and-access 3.2, in lists. */
export const AccessRequest = Type.Object(
  {
    ...BasicUser.properties,
    requested_at: Type.String({ format: "date-time" }),
  },
  { $id: "AccessRequest" },
);

/** The answer to the requester. */
export const NewAccessRequest = Type.Object(
  {
    ...AccessRequest.properties,
    created_at: Type.String({ format: "date-time" }),
  },
  { $id: "NewAccessRequest" },
);

export const Requester = Type.Object({ user_id: userInPath() });

export const ApproveRequest = Type.Object({
  user_id: userInPath(),
  access_level: optional(integer({ description: "30 unless said" })),
});
