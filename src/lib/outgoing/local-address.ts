import { type IpNumber, type IpRange, isInRange, parseIpAddress, parseIpRange } from "../ip-address.ts";

/** The part of the local network with an address, as errors name it. */
export type Locality = "localhost" | "the local network" | "the link local network";

const ranges: readonly (readonly [Locality, readonly IpRange[]])[] = [
  ["localhost", rangesOf("127.0.0.0/8", "0.0.0.0/8", "::1/128", "::/128")],
  ["the link local network", rangesOf("169.254.0.0/16", "fe80::/10")],
  [
    "the local network",
    rangesOf(
      ...["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10"],
      // Multicast, broadcast, and ranges reserved for tests and future use.
      ...["224.0.0.0/4", "240.0.0.0/4", "192.0.0.0/24", "198.18.0.0/15", "ff00::/8"],
    ),
  ],
];

function rangesOf(...texts: readonly string[]): readonly IpRange[] {
  return texts.map((text) => parseIpRange(text) as IpRange);
}

const v4Bits = 0xffff_ffffn;
const mappedPrefix = 0xffffn << 32n;

/** IPv6 ranges that embed an IPv4 address, with the position of its lowest bit. Teredo inverts the address. */
const embeddings: readonly (readonly [range: IpRange, shift: bigint, isInverted?: true])[] = [
  ["::/96", 0n],
  ["64:ff9b::/96", 0n],
  ["64:ff9b:1::/48", 0n],
  ["2002::/16", 80n],
  ["2001::/32", 64n],
  ["2001::/32", 0n, true],
].map(([text, ...rest]) => [parseIpRange(text as string) as IpRange, ...rest] as [IpRange, bigint, true?]);

/** The interface ids of ISATAP, which precede the IPv4 address. */
const isatap: readonly bigint[] = [0x5efen, 0x0200_5efen];

/** Yields every address at which packets may arrive: the address itself, and embedded IPv4 addresses. */
function* formsOf(address: IpNumber): Generator<IpNumber> {
  yield address;
  if (address >> 32n === 0xffffn) return;
  for (const [range, shift, isInverted] of embeddings) {
    if (!isInRange(address, range)) continue;
    const inner = (address >> shift) & v4Bits;
    yield mappedPrefix | (isInverted ? inner ^ v4Bits : inner);
  }
  if (isatap.includes((address >> 32n) & v4Bits)) yield mappedPrefix | (address & v4Bits);
}

/**
 * Returns the locality of an address, also of an IPv4 address embedded in IPv6; undefined when it is public. `own` are the
 * addresses of this machine. Invalid text counts as local, so that no connection is made.
 */
export function localityOf(text: string, own: readonly string[] = []): Locality | undefined {
  const address = parseIpAddress(text.split("%", 1)[0] as string);
  if (address === undefined) return "the local network";
  const ownNumbers = own.map((each) => parseIpAddress(each.split("%", 1)[0] as string));
  for (const form of formsOf(address)) {
    for (const [locality, within] of ranges) if (within.some((range) => isInRange(form, range))) return locality;
    if (ownNumbers.includes(form)) return "localhost";
  }
  return undefined;
}
