import { type IpRange, parseIpRange } from "../lib/ip-address.ts";

/** The proxies whose `Forwarded` and `X-Forwarded-*` headers the server trusts. */
export interface TrustedProxies {
  readonly ranges: readonly IpRange[];
  /** True when clients of the server's socket file are trusted. */
  readonly isSocketTrusted: boolean;
}

/** The word for the socket file in a list of addresses. */
export const socketWord = "unix";

/** Parses a comma-separated list of addresses, ranges and `unix`. Returns undefined for anything else. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  const parts = text.split(",").map((part) => part.trim());
  const addresses = parts.filter((part) => part !== socketWord);
  const ranges = addresses.map(parseIpRange).filter((range) => range !== undefined);
  if (ranges.length !== addresses.length) return undefined;
  return { ranges, isSocketTrusted: addresses.length < parts.length };
}

export function describeTrustedProxies({ ranges, isSocketTrusted }: TrustedProxies): string {
  return [...ranges.map(({ text }) => text), ...(isSocketTrusted ? [socketWord] : [])].join(",");
}
