/** The path of the external address, `/outpost`, without repeated or trailing slashes; `""` where it has none. */
export function basePathOf(externalUrl: string | undefined): string {
  if (externalUrl === undefined) return "";
  return new URL(externalUrl).pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "");
}
