/** The error that the flag operations answer with. */

import { type Failure, invalid } from "../../../domain/failure.ts";

/** 400 in the words that all refusals of a flag begin with (feature-flags 3.2). */
export function refusal(reason: string): Failure {
  return invalid(`400 Bad request - ${reason}`);
}
