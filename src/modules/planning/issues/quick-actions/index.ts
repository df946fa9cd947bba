export { idOfNew, interpretIssueText, withUpdates, writeOtherUpdates, writeQuickActions } from "./service.ts";
