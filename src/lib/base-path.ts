/**
 * Returns the path of the external address, such as `/outpost`, without repeated or trailing slashes; `""` when it has none.
 */
export function basePathOf(externalUrl: string | undefined): string {
  if (externalUrl === undefined) return "";
  return new URL(externalUrl).pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "");
}

interface Host {
  /** The host with its port, unless that is the default of the scheme. */
  readonly host: string;
  readonly hostname: string;
}

/** The last result: the entries of a list all have the same base URL. */
let last: Host & { readonly baseUrl: string } = { baseUrl: "", host: "", hostname: "" };

/** Returns the host of a base URL. */
export function hostOf(baseUrl: string): Host {
  if (last.baseUrl !== baseUrl) {
    const { host, hostname } = new URL(baseUrl);
    last = { baseUrl, host, hostname };
  }
  return last;
}
