/** Returns the key of `Bearer KEY`; undefined for other schemes. The scheme is case-insensitive. */
export function bearerOf(authorization: string | null): string | undefined {
  return credentialsOf(authorization, "bearer");
}

/** Returns the password of `Basic` credentials, with any user name. */
export function passwordOf(authorization: string | null): string | undefined {
  const credentials = credentialsOf(authorization, "basic");
  if (credentials === undefined) return undefined;
  const text = Buffer.from(credentials, "base64").toString();
  const colon = text.indexOf(":");
  return colon === -1 ? undefined : text.slice(colon + 1);
}

/** Returns the text after the scheme; undefined when there is none, or for another scheme. */
function credentialsOf(authorization: string | null, scheme: string): string | undefined {
  if (authorization?.slice(0, scheme.length).toLowerCase() !== scheme) return undefined;
  const rest = authorization.slice(scheme.length);
  const credentials = rest.trim();
  return credentials === "" || !/^\s/.test(rest) ? undefined : credentials;
}
