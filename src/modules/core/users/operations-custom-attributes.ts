import { customAttributeOperations } from "../custom-attributes/index.ts";
import { getUser } from "./service.ts";

export const userCustomAttributeOperations = customAttributeOperations({
  resource: "User",
  path: "/users",
  noun: "a user",
  readScopes: ["read_user"],
  get: (context, id) => getUser(context.store, id),
});
