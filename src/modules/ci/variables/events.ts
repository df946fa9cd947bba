import { recordEvents } from "../../kernel/record-events.ts";
import { type CiVariableRecord, ciVariables } from "./records.ts";

export const ciVariableEvents = recordEvents<CiVariableRecord>("ci-variable", ciVariables);
