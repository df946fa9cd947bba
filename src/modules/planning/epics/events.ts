import type { SignedInCaller } from "../../../domain/caller.ts";
import { domainEvent } from "../../kernel/event.ts";
import type { EpicRecord } from "./records.ts";

export interface EpicCreated {
  readonly caller: SignedInCaller;
  readonly epic: EpicRecord;
}

export const epicCreated = domainEvent<EpicCreated>("epic-created");
