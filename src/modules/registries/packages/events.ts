import { recordEvents } from "../../kernel/record-events.ts";
import { type PackageRecord, packages } from "./records.ts";

/** Events about packages; a new file updates its package. */
export const packageEvents = recordEvents<PackageRecord>("package", packages);
