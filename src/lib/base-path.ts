/** The path of the external address, `/outpost`, without repeated or trailing slashes; `""` where it has none. */
export function basePathOf(externalUrl: string | undefined): string {
  if (externalUrl === undefined) return "";
  return new URL(externalUrl).pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "");
}

interface Host {
  /** With the port, where it is not that of the scheme. */
  readonly host: string;
  readonly hostname: string;
}

/** The host of the base URL that was asked for last: each entry of a list asks for the same. */
let last: Host & { readonly baseUrl: string } = { baseUrl: "", host: "", hostname: "" };

/** The host of a base URL. */
export function hostOf(baseUrl: string): Host {
  if (last.baseUrl !== baseUrl) {
    const { host, hostname } = new URL(baseUrl);
    last = { baseUrl, host, hostname };
  }
  return last;
}
