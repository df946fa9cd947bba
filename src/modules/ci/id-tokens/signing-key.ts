/** The key that signs ID tokens. */

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import { signingKeys } from "./records.ts";

/** The public half of a key, as RFC 7517 shows it. */
export interface PublicKey {
  readonly kty: string;
  readonly kid: string;
  readonly e: string;
  readonly n: string;
  readonly use: "sig";
  readonly alg: "RS256";
}

interface LoadedKey {
  readonly privateKey: KeyObject;
  readonly publicKey: PublicKey;
}

/** Makes the key at its first use in a store, which takes a tenth of a second, and keeps it in memory. */
class SigningKeyRing {
  readonly #context: Pick<Context, "store" | "clock">;
  #loaded: { readonly text: string; readonly key: LoadedKey } | undefined;

  constructor(context: Pick<Context, "store" | "clock">) {
    this.#context = context;
  }

  get publicKey(): PublicKey {
    return this.#key().publicKey;
  }

  /** A JSON Web Token with these claims, signed with RS256. */
  sign(claims: Readonly<Record<string, unknown>>): string {
    const { privateKey, publicKey } = this.#key();
    const parts = [{ kid: publicKey.kid, typ: "JWT", alg: publicKey.alg }, claims];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    return `${text}.${sign("RSA-SHA256", Buffer.from(text), privateKey).toString("base64url")}`;
  }

  #key(): LoadedKey {
    const text = this.#context.store.of(signingKeys).get(1)?.private_key ?? this.#make();
    if (this.#loaded?.text !== text) this.#loaded = { text, key: load(text) };
    return this.#loaded.key;
  }

  #make(): string {
    const { store, clock } = this.#context;
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const private_key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const key = { id: 1, private_key, created_at: toDateTime(clock.now()) } as const;
    store.transact((tx) => {
      if (store.of(signingKeys).get(1) === undefined) tx.insert(signingKeys, key);
      else tx.update(signingKeys, key);
    });
    return private_key;
  }
}

export const SigningKey = serviceKey("signing-key", (context) => new SigningKeyRing(context));

/** The id of a key is the hash of its parts (RFC 7638). */
function load(text: string): LoadedKey {
  const privateKey = createPrivateKey(text);
  const { e = "", kty = "", n = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const kid = createHash("sha256").update(JSON.stringify({ e, kty, n })).digest("base64url");
  return { privateKey, publicKey: { kty, kid, e, n, use: "sig", alg: "RS256" } };
}
