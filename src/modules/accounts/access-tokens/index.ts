export { impersonationTokenOperations } from "./impersonation-operations.ts";
export { tokensOf } from "./list.ts";
export { accessTokenOperations } from "./operations.ts";
export { presentAccessToken, presentNewAccessToken } from "./present.ts";
export { type AccessTokenRecord, accessTokens } from "./records.ts";
export { removeTokensOf } from "./removal.ts";
export { revokeFamily, rotateToken } from "./rotation.ts";
export {
  createAccessToken,
  createRootAccessToken,
  findAccessToken,
  generateToken,
  getOwnAccessToken,
  insertAccessToken,
  invalidToken,
  isActive,
  isExpired,
  type NewAccessToken,
  noteTokenUse,
  revokeToken,
} from "./service.ts";
