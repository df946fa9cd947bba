import { recordEvents } from "../../kernel/record-events.ts";
import { type UploadRecord, uploads } from "./records.ts";

export const uploadEvents = recordEvents<UploadRecord>("upload", uploads);
