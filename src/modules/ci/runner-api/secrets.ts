/** The `secrets:` of a job as runners read them: where each is, and how to sign in there. */

type Mapping = Readonly<Record<string, unknown>>;

/** The variables of a job that say where its secrets are. */
type Known = ReadonlyMap<string, string>;

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** undefined for a job without any. */
export function secretsOf(secrets: unknown, known: Known): Record<string, unknown> | undefined {
  if (!isMapping(secrets)) return undefined;
  return Object.fromEntries(
    Object.entries(secrets).flatMap(([name, secret]) => (isMapping(secret) ? [[name, secretOf(secret, known)]] : [])),
  );
}

function secretOf(secret: Mapping, known: Known): Mapping {
  const { vault, token, file = true, ...others } = secret;
  if (vault === undefined) return { ...others, file, ...(token === undefined ? {} : { token }) };
  return { ...others, vault: { ...vaultPathOf(vault), server: vaultServerOf(token, known) }, file };
}

/** `production/db/password@ops`, or the same in parts. */
function vaultPathOf(vault: unknown): Mapping {
  if (isMapping(vault)) return vault;
  const text = typeof vault === "string" ? vault : "";
  const at = text.lastIndexOf("@");
  const [place, engine] = at === -1 ? [text, "kv-v2"] : [text.slice(0, at), text.slice(at + 1)];
  const slash = place.lastIndexOf("/");
  return {
    engine: { name: "kv-v2", path: engine },
    path: place.slice(0, Math.max(slash, 0)),
    field: place.slice(slash + 1),
  };
}

function vaultServerOf(token: unknown, known: Known): Mapping {
  const role = known.get("VAULT_AUTH_ROLE");
  return {
    url: known.get("VAULT_SERVER_URL") ?? null,
    namespace: known.get("VAULT_NAMESPACE") ?? null,
    auth: {
      name: "jwt",
      path: known.get("VAULT_AUTH_PATH") ?? "jwt",
      data: { jwt: typeof token === "string" ? token : "", ...(role === undefined ? {} : { role }) },
    },
  };
}
