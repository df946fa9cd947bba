/** The errors that the collector answers with. */

import { Failure, invalid } from "../../../domain/failure.ts";

/** The words in which the collector refuses (error-tracking C). */
export const unreadable = () => invalid("400 Bad request - Failed to parse sentry request");
export const unsupported = () => invalid("400 Bad request - Unsupported sentry payload");
export const otherItem = () => invalid("400 Bad Request");
export const tooLarge = () => new Failure("too_large", { message: "Payload Too Large", error: "Payload Too Large" });
