import type { SignedInCaller } from "../../../domain/caller.ts";
import { domainEvent } from "../../kernel/event.ts";

/** A push to a path where no project is. */
export interface PathPush {
  readonly caller: SignedInCaller;
  readonly path: string;
}

/**
 * Asks for a private project at the path: the subscriber makes it if the caller may, and otherwise does nothing. It throws what the
 * rules about projects refuse.
 */
export const pushedProjectRequested = domainEvent<PathPush>("pushed-project-requested");
