/** `Bearer KEY`, the scheme in any case; undefined for other schemes. */
export function bearerOf(authorization: string | null): string | undefined {
  return authorization === null ? undefined : /^bearer\s+(.+?)\s*$/i.exec(authorization)?.[1];
}

/** The password of `Basic` credentials, whatever the user's name is. */
export function passwordOf(authorization: string | null): string | undefined {
  const credentials = authorization === null ? undefined : /^basic\s+(\S+)\s*$/i.exec(authorization)?.[1];
  if (credentials === undefined) return undefined;
  const text = Buffer.from(credentials, "base64").toString();
  const colon = text.indexOf(":");
  return colon === -1 ? undefined : text.slice(colon + 1);
}
