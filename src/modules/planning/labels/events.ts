import { recordEvents } from "../../kernel/record-events.ts";
import { type LabelRecord, labels } from "./records.ts";

export const labelEvents = recordEvents<LabelRecord>("label", labels);
