import { Type } from "@sinclair/typebox";
import { ok, operation } from "../../kernel/operation.ts";
import { claimNames } from "./claims.ts";
import { SigningKey } from "./signing-key.ts";

const text = (description: string) => Type.String({ description });
const texts = (description: string) => Type.Array(Type.String(), { description });
const keysPath = "/oauth/discovery/keys";

const PublicKeys = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: text("kind of the key: RSA"),
        kid: text("id of the key, which tokens name"),
        e: text("public exponent, base64url"),
        n: text("modulus, base64url"),
        use: text("what the key is for: sig"),
        alg: text("algorithm of its signatures: RS256"),
      }),
      { description: "keys that verify ID tokens" },
    ),
  },
  { $id: "PublicKeys" },
);

const OpenIdConfiguration = Type.Object(
  {
    issuer: text("`iss` of the tokens"),
    jwks_uri: text("address of the public keys"),
    response_types_supported: texts("kinds of answers: id_token"),
    subject_types_supported: texts("kinds of `sub`: public"),
    id_token_signing_alg_values_supported: texts("algorithms of signatures: RS256"),
    claims_supported: texts("names of the claims"),
  },
  { $id: "OpenIdConfiguration" },
);

/** The calls of services that trust the ID tokens of jobs (runner-protocol 7). */
export const idTokenOperations = [
  operation({
    method: "GET",
    path: keysPath,
    root: true,
    summary: "Get the public keys of ID tokens",
    who: "anyone",
    scopes: "any",
    params: Type.Object({}),
    answer: ok(PublicKeys),
    handle: ({ context }) => ({ keys: [context.get(SigningKey).publicKey] }),
  }),

  operation({
    method: "GET",
    path: "/.well-known/openid-configuration",
    root: true,
    summary: "Get the OpenID configuration of ID tokens",
    who: "anyone",
    scopes: "any",
    params: Type.Object({}),
    answer: ok(OpenIdConfiguration),
    handle: ({ context, baseUrl }) => ({
      issuer: context.issuer,
      jwks_uri: `${baseUrl}${keysPath}`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      claims_supported: claimNames,
    }),
  }),
];
