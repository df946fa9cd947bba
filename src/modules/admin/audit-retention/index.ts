export { auditRetention } from "./retention.ts";
