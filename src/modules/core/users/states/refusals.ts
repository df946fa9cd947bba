/** Refusals of users whose state lets them do nothing. */

import { forbidden } from "../../../../domain/failure.ts";
import { isInternal, type UserRecord } from "../records.ts";

/** Throws 403 in the words of the contract for a user whose credentials are right, but who may not act (users-and-auth 1.2). */
export function requireUsableState(user: UserRecord, baseUrl: string): void {
  if (isInternal(user)) throw forbidden("This action cannot be performed by internal users");
  switch (user.state) {
    case "active":
      return;
    case "blocked_pending_approval":
      throw forbidden("Your account is pending approval from your administrator and hence blocked.");
    case "deactivated":
      throw forbidden(
        `Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account at ${baseUrl}`,
      );
    default:
      throw forbidden("Your account has been blocked.");
  }
}
