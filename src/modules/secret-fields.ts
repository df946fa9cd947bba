import { withoutUserinfo } from "../domain/web-address.ts";
import type { StoredDocument } from "../store/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What of a collection's documents lets somebody in, or was meant for one reader. */
interface SecretFields {
  /** Shown as null; whoever brings such a document back gets a new one that nobody knows. */
  readonly renewed?: readonly string[];
  /** What stands in their place; undefined: nothing. */
  readonly replaced?: Fields;
  /** Addresses, which are shown and taken without user and password. */
  readonly addresses?: readonly string[];
}

const secretFields: Readonly<Record<string, SecretFields>> = {
  users: { replaced: { password_digest: null, reset_password_digest: undefined } },
  "personal-access-tokens": { renewed: ["digest"] },
  runners: { renewed: ["digest"] },
  "runner-registrations": { renewed: ["digest"] },
  groups: { renewed: ["runners_token"] },
  projects: { renewed: ["runners_token"], addresses: ["import_url"] },
  triggers: { renewed: ["token"] },
  "alert-integrations": { renewed: ["token"] },
  "ci-jobs": { replaced: { token_digest: undefined, variables: {} } },
  pipelines: { replaced: { variables: [] } },
};

/** Mails hold links that let somebody in, and who has had which is nobody's matter without them. */
export const secretCollections: readonly string[] = ["mails", "unsent-mails", "mail-deliveries"];

const secretSettings = ["akismet_api_key", "recaptcha_private_key"];

/** A document as somebody may read it who is to get in nowhere by it. */
export function withoutSecrets(collection: string, document: StoredDocument): StoredDocument {
  if (collection === "application-settings") return withoutSecretSettings(document);
  const { renewed = [], replaced = {} } = secretFields[collection] ?? {};
  const shown: Record<string, unknown> = { ...withCleanAddresses(collection, document) };
  for (const name of renewed) if (name in shown) shown[name] = null;
  for (const [name, value] of Object.entries(replaced)) {
    if (!(name in shown)) continue;
    if (value === undefined) delete shown[name];
    else shown[name] = value;
  }
  return shown as unknown as StoredDocument;
}

/** A document that `withoutSecrets` has shown, as a store takes it: `makeSecret` gives what nobody is to know. */
export function withNewSecrets(collection: string, document: StoredDocument, makeSecret: () => string): StoredDocument {
  const renewed = secretFields[collection]?.renewed ?? [];
  const fields = document as unknown as Fields;
  const missing = renewed.filter((name) => fields[name] === null);
  const secrets = Object.fromEntries(missing.map((name) => [name, makeSecret()]));
  return { ...withCleanAddresses(collection, document), ...secrets };
}

function withCleanAddresses(collection: string, document: StoredDocument): StoredDocument {
  const fields = document as unknown as Fields;
  const cleaned = (secretFields[collection]?.addresses ?? []).flatMap((name) => {
    const address = fields[name];
    return typeof address === "string" ? [[name, withoutUserinfo(address)]] : [];
  });
  return { ...document, ...Object.fromEntries(cleaned) };
}

function withoutSecretSettings(document: StoredDocument): StoredDocument {
  const { values } = document as StoredDocument & { readonly values: Fields };
  const shown = Object.entries(values).filter(([name]) => !secretSettings.includes(name));
  return { ...document, values: Object.fromEntries(shown) } as StoredDocument;
}
