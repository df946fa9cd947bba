import type { SignedInCaller } from "../../../domain/caller.ts";
import { recordEvents } from "../../kernel/record-events.ts";
import { type AwardEmojiRecord, awardEmoji } from "./records.ts";

export const awardEmojiEvents = recordEvents<AwardEmojiRecord, SignedInCaller>("award-emoji", awardEmoji);
