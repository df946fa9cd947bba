import { recordEvents } from "../../kernel/record-events.ts";
import { type AlertRecord, alerts } from "./records.ts";

/** Events about alerts. Monitoring tools are no users: what they report, the server causes. */
export const alertEvents = recordEvents<AlertRecord>("alert", alerts);
