import { withoutUserinfo } from "../../lib/web-address.ts";
import type { StoredDocument } from "../indexes/index.ts";
import type { RecordDeclaration } from "./declaration.ts";

/**
 * Treatment of a field that grants access, or that only one reader may see, in an export without secrets:
 * - `renew`: the export shows null, and an import makes a new value that it does not show;
 * - `omit`: the export leaves out the field, or these keys of its object; `public` lists keys that only sound secret;
 * - `replace`: the export shows another value;
 * - `withoutUserinfo`: export and import remove user and password from the address.
 *
 * `public` is for a field that sounds secret and is not.
 */
export type Secret<T, K extends keyof T> =
  | "public"
  | { readonly replace: Exclude<T[K], undefined> }
  | (T[K] extends string ? "renew" : never)
  | (T[K] extends string | null ? "withoutUserinfo" : never)
  | (Record<never, never> extends Pick<T, K> ? "omit" : never)
  | (T[K] extends readonly unknown[] ? never : T[K] extends object ? PartlySecret<keyof T[K] & string> : never);

interface PartlySecret<Name> {
  readonly omit: readonly Name[];
  readonly public?: readonly Name[];
}

type AnySecret = "public" | "renew" | "omit" | "withoutUserinfo" | { readonly replace: unknown } | PartlySecret<string>;

/** The secret fields of a record and their treatment. */
export type Secrets<T> = unknown extends T
  ? Readonly<Record<string, AnySecret>>
  : { readonly [K in keyof T]?: Secret<T, K> };

type Declared = Pick<RecordDeclaration, "secrets">;
type Values = Record<string, unknown>;

/** Returns a document without the fields that grant access. */
export function withoutSecrets({ secrets }: Declared, document: StoredDocument): StoredDocument {
  const shown: Values = { ...document };
  for (const [name, secret] of Object.entries(secrets)) {
    if (!(name in shown)) continue;
    if (secret === "renew") shown[name] = null;
    else if (secret === "omit") delete shown[name];
    else if (secret === "withoutUserinfo") shown[name] = cleaned(shown[name]);
    else if (secret !== "public")
      shown[name] = "replace" in secret ? secret.replace : without(shown[name], secret.omit);
  }
  return shown as unknown as StoredDocument;
}

/** Converts a document of `withoutSecrets` for a store. `makeSecret` makes new secrets. */
export function withNewSecrets(
  { secrets }: Declared,
  document: StoredDocument,
  makeSecret: () => string,
): StoredDocument {
  const given: Values = { ...document };
  for (const [name, secret] of Object.entries(secrets)) {
    if (secret === "renew" && given[name] === null) given[name] = makeSecret();
    else if (secret === "withoutUserinfo" && name in given) given[name] = cleaned(given[name]);
  }
  return given as unknown as StoredDocument;
}

function cleaned(address: unknown): unknown {
  return typeof address === "string" ? withoutUserinfo(address) : address;
}

function without(value: unknown, names: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => !names.includes(name)));
}
