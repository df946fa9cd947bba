export { type AccessTokenRecord, accessTokens } from "./collection.ts";
export { impersonationTokenOperations } from "./impersonation-operations.ts";
export { accessTokenOperations } from "./operations.ts";
export { presentNewAccessToken } from "./present.ts";
export { removeTokensOf } from "./removal.ts";
export { revokeFamily } from "./rotation.ts";
export {
  createAccessToken,
  createRootAccessToken,
  findAccessToken,
  generateToken,
  getOwnAccessToken,
  invalidToken,
  isExpired,
  noteTokenUse,
} from "./service.ts";
