export { shareExpiry } from "./expiry.ts";
export { shareOperations } from "./operations.ts";
export { insertLink } from "./share-store.ts";
