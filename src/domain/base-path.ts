/** The path of the external address, `/outpost`, without a trailing slash; `""` where it has none. */
export function basePathOf(externalUrl: string | undefined): string {
  return externalUrl === undefined ? "" : new URL(externalUrl).pathname.replace(/\/+$/, "");
}
