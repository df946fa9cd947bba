import { recordEvents } from "../../kernel/record-events.ts";
import { type ReleaseRecord, releases } from "./records.ts";

export const releaseEvents = recordEvents<ReleaseRecord>("release", releases);
