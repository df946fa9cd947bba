export { insertLink } from "./changes.ts";
export { shareExpiry } from "./expiry.ts";
export { shareOperations } from "./operations.ts";
