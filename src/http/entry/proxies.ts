import { socketWord, type TrustedProxies } from "../../domain/trusted-proxies.ts";
import { isInRange, parseIpAddress, plainIpAddress } from "../../lib/ip-address.ts";

/** The address, scheme and host with which the client made a request, before proxies forwarded it. */
export interface ForwardedRequest {
  readonly ipAddress: string | null;
  /** undefined means that of the connection, as for the host. */
  readonly scheme: "http" | "https" | undefined;
  /** The host with its port, as in a URL. */
  readonly host: string | undefined;
}

/** The statement of one proxy: its client's address, and the scheme and host of the request. */
interface Hop {
  readonly from: string | undefined;
  readonly scheme: string | undefined;
  readonly host: string | undefined;
}

const hostPattern = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * Reads the headers of trusted proxies, in a request from the address `peer` or from `unix`. Returns undefined if the peer
 * is not trusted or has disconnected (null). Reads `X-Forwarded-*` if present, otherwise `Forwarded`: a proxy that sets one
 * family forwards the other unchecked.
 */
export function readForwarded(
  { ranges, isSocketTrusted }: TrustedProxies,
  peer: string | null,
  headers: Headers,
): ForwardedRequest | undefined {
  const isTrusted = (address: string) => {
    if (address === socketWord) return isSocketTrusted;
    const number = parseIpAddress(address);
    return number !== undefined && ranges.some((range) => isInRange(number, range));
  };
  if (peer === null || !isTrusted(peer)) return undefined;
  const forwarded = headers.get("forwarded");
  const isOlderFamily = forwarded === null || hasOlderFamily(headers);
  const hops = isOlderFamily ? olderHops(headers) : standardHops(forwarded);
  let ipAddress = peer === socketWord ? null : peer;
  let asked: Hop | undefined;
  // Starts with the nearest proxy: entries before an untrusted address may be forged.
  for (const hop of hops.reverse()) {
    asked = hop;
    const from = hop.from === undefined ? undefined : addressOf(hop.from);
    if (from === undefined) break;
    ipAddress = from;
    if (!isTrusted(from)) break;
  }
  const scheme = asked?.scheme?.toLowerCase();
  return {
    ipAddress,
    scheme: scheme === "http" || scheme === "https" ? scheme : undefined,
    host: asked?.host !== undefined && hostPattern.test(asked.host) ? asked.host.toLowerCase() : undefined,
  };
}

/** Returns the scheme, host and port that the client requested, for a request to the server's own `origin`. */
export function forwardedOrigin(origin: string, { scheme, host }: ForwardedRequest): string {
  const hostStart = origin.indexOf("://") + 3;
  return `${scheme ?? origin.slice(0, hostStart - 3)}://${host ?? origin.slice(hostStart)}`;
}

function hasOlderFamily(headers: Headers): boolean {
  return ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"].some((name) => headers.has(name));
}

/** Reads `X-Forwarded-*`. Scheme and host are those of the nearest proxy, for every hop. */
function olderHops(headers: Headers): Hop[] {
  const last = (name: string) => listOf(headers.get(name)).at(-1);
  const [scheme, host] = [last("x-forwarded-proto"), last("x-forwarded-host")];
  const from = listOf(headers.get("x-forwarded-for") ?? headers.get("x-real-ip"));
  return (from.length === 0 ? [undefined] : from).map((each) => ({ from: each, scheme, host }));
}

/** Reads `Forwarded` (RFC 7239). Ignores invalid elements. */
function standardHops(header: string): Hop[] {
  return listOf(header).map((element) => {
    const pairs = element.split(";").map((pair) => /^(\w+)=(?:"([^"]*)"|(.*))$/.exec(pair.trim()));
    const value = (name: string) => {
      const pair = pairs.find((each) => each?.[1]?.toLowerCase() === name);
      return pair?.[2] ?? pair?.[3];
    };
    return { from: value("for"), scheme: value("proto"), host: value("host") };
  });
}

function listOf(header: string | null): string[] {
  return (header ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Returns an address without its port; undefined for a name (`unknown`, `_hidden`) and for invalid text. */
function addressOf(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return parseIpAddress(bare) === undefined ? undefined : plainIpAddress(bare.toLowerCase());
}
