import { withoutUserinfo } from "../../lib/web-address.ts";
import type { CollectionDeclaration, IndexDeclarations, StoredDocument } from "../../store/index.ts";
import { accessTokens } from "../accounts/access-tokens/index.ts";
import { ciJobs, pipelines } from "../ci/pipelines/index.ts";
import { runnerRegistrations, runners } from "../ci/runners/index.ts";
import { triggers } from "../ci/triggers/index.ts";
import { groups, projects } from "../core/namespaces/index.ts";
import { users } from "../core/users/index.ts";
import { alertIntegrations } from "../monitoring/alerts/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What of a collection's documents lets somebody in, or was meant for one reader. */
interface SecretFields {
  /** Shown as null; whoever brings such a document back gets a new one that nobody knows. */
  readonly renewed: readonly string[];
  /** What stands in their place; undefined: nothing. */
  readonly replaced: Fields;
  /** Addresses, which are shown and taken without user and password. */
  readonly addresses: readonly string[];
}

const none: SecretFields = { renewed: [], replaced: {}, addresses: [] };

/** tsc refuses a field that the documents do not have, or that cannot be what takes its place. */
function secretsOf<T extends StoredDocument, D extends IndexDeclarations<T>>(
  { name }: CollectionDeclaration<T, D>,
  secrets: NoInfer<{
    readonly renewed?: readonly (keyof T & string)[];
    readonly replaced?: { readonly [K in keyof T]?: T[K] | undefined };
    readonly addresses?: readonly (keyof T & string)[];
  }>,
): readonly [collection: string, fields: SecretFields] {
  const { renewed = [], replaced = {}, addresses = [] } = secrets;
  return [name, { renewed, replaced, addresses }];
}

const secretFields: ReadonlyMap<string, SecretFields> = new Map([
  secretsOf(users, { replaced: { password_digest: null, reset_password_digest: undefined } }),
  secretsOf(accessTokens, { renewed: ["digest"] }),
  secretsOf(runners, { renewed: ["digest"] }),
  secretsOf(runnerRegistrations, { renewed: ["digest"] }),
  secretsOf(groups, { renewed: ["runners_token"] }),
  secretsOf(projects, { renewed: ["runners_token"], addresses: ["import_url"] }),
  secretsOf(triggers, { renewed: ["token"] }),
  secretsOf(alertIntegrations, { renewed: ["token"] }),
  secretsOf(ciJobs, { replaced: { token_digest: undefined, played_variables: [] } }),
  secretsOf(pipelines, { replaced: { variables: [] } }),
]);

/** Mails hold links that let somebody in, and who has had which is nobody's matter without them. */
export const secretCollections: readonly string[] = ["mails", "unsent-mails", "mail-deliveries"];

const secretSettings = ["akismet_api_key", "recaptcha_private_key"];

/** A document as somebody may read it who is to get in nowhere by it. */
export function withoutSecrets(collection: string, document: StoredDocument): StoredDocument {
  if (collection === "application-settings") return withoutSecretSettings(document);
  const { renewed, replaced } = secretFields.get(collection) ?? none;
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
  const { renewed } = secretFields.get(collection) ?? none;
  const fields = document as unknown as Fields;
  const missing = renewed.filter((name) => fields[name] === null);
  const secrets = Object.fromEntries(missing.map((name) => [name, makeSecret()]));
  return { ...withCleanAddresses(collection, document), ...secrets };
}

function withCleanAddresses(collection: string, document: StoredDocument): StoredDocument {
  const fields = document as unknown as Fields;
  const cleaned = (secretFields.get(collection) ?? none).addresses.flatMap((name) => {
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
