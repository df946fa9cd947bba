export { type AccessTokenRecord, accessTokens } from "./collection.ts";
export { accessTokenOperations } from "./operations.ts";
export {
  createRootAccessToken,
  findAccessToken,
  generateToken,
  invalidToken,
  isExpired,
  recordTokenUse,
} from "./service.ts";
