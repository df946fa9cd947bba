import { recordEvents } from "../../kernel/record-events.ts";
import { type UserRecord, users } from "./records.ts";

/** Events about users. A rename and a change of the state are updates; sign-ins and tokens of mails are none. */
export const userEvents = recordEvents<UserRecord>("user", users);
