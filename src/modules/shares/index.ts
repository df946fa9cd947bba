export { shareExpiry } from "./expiry.ts";
export { shareOperations } from "./operations.ts";
