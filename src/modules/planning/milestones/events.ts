import { recordEvents } from "../../kernel/record-events.ts";
import { type MilestoneRecord, milestones } from "./records.ts";

export const milestoneEvents = recordEvents<MilestoneRecord>("milestone", milestones);
