import { socketWord, type TrustedProxies } from "../../domain/trusted-proxies.ts";
import { isInRange, parseIpAddress, plainIpAddress } from "../../lib/ip-address.ts";

/** A request as its client made it, before proxies forwarded it. */
export interface ForwardedRequest {
  readonly ipAddress: string | null;
  /** undefined, as for the host: what the connection says holds. */
  readonly scheme: "http" | "https" | undefined;
  /** The host with its port, as in a URL. */
  readonly host: string | undefined;
}

/** One proxy's statement: the address that it heard from, and the scheme and host of the request. */
interface Hop {
  readonly from: string | undefined;
  readonly scheme: string | undefined;
  readonly host: string | undefined;
}

const hostPattern = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * Reads the headers of trusted proxies in a request that came from the address `peer`, or from `unix`; undefined if the
 * peer is not trusted or already gone (null). Of `X-Forwarded-*` and `Forwarded` one family is read, the former first:
 * a proxy that sets one of them forwards the other as its client wrote it.
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
  // Starts with the nearest: the part before an untrusted address may be forged.
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

/** The scheme, host and port that the client asked for, where the server itself was asked at `origin`. */
export function forwardedOrigin(origin: string, { scheme, host }: ForwardedRequest): string {
  const hostStart = origin.indexOf("://") + 3;
  return `${scheme ?? origin.slice(0, hostStart - 3)}://${host ?? origin.slice(hostStart)}`;
}

function hasOlderFamily(headers: Headers): boolean {
  return ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"].some((name) => headers.has(name));
}

/** Scheme and host are the nearest proxy's word, whichever hop it is about. */
function olderHops(headers: Headers): Hop[] {
  const last = (name: string) => listOf(headers.get(name)).at(-1);
  const [scheme, host] = [last("x-forwarded-proto"), last("x-forwarded-host")];
  const from = listOf(headers.get("x-forwarded-for") ?? headers.get("x-real-ip"));
  return (from.length === 0 ? [undefined] : from).map((each) => ({ from: each, scheme, host }));
}

/** Reads `Forwarded` (RFC 7239); ignores a value that is no valid element. */
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

/** Reads an address without its port; undefined for a name in its place (`unknown`, `_hidden`) and for nonsense. */
function addressOf(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return parseIpAddress(bare) === undefined ? undefined : plainIpAddress(bare.toLowerCase());
}
