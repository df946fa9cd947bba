export { type AccessTokenRecord, accessTokens } from "./collection.ts";
export { accessTokenOperations } from "./operations.ts";
export { revokeFamily } from "./rotation.ts";
export {
  createRootAccessToken,
  findAccessToken,
  generateToken,
  invalidToken,
  isExpired,
  noteTokenUse,
} from "./service.ts";
