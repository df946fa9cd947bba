/** An address as a 128-bit number. IPv4 addresses are in `::ffff:0:0/96`, so that both spellings are equal. */
export type IpNumber = bigint;

/** A range of addresses with the same first bits. */
export interface IpRange {
  readonly first: IpNumber;
  /** The number of leading bits, of 128, that must be equal. */
  readonly bits: number;
  /** The address as it was written. */
  readonly text: string;
}

const mappedPrefix = 0xffffn << 32n;

/** Parses an IPv4 or IPv6 address without brackets, port or zone. Returns undefined for anything else. */
export function parseIpAddress(text: string): IpNumber | undefined {
  if (!text.includes(":")) {
    const number = parseDotted(text);
    return number === undefined ? undefined : mappedPrefix | number;
  }
  const dotted = /^([^.]*:)(\d*\.[\d.]*)$/.exec(text);
  if (dotted === null) return parseColons(text);
  const last = parseDotted(dotted[2] as string);
  if (last === undefined) return undefined;
  return parseColons(`${dotted[1]}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`);
}

/** Parses `10.0.0.0/8`, `fd00::/8`, or one address. */
export function parseIpRange(text: string): IpRange | undefined {
  const [, base = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const first = parseIpAddress(base);
  if (first === undefined) return undefined;
  const longest = base.includes(":") ? 128 : 32;
  const given = length === undefined ? longest : Number(length);
  return given > longest ? undefined : { first, bits: 128 - longest + given, text };
}

export function isInRange(address: IpNumber, { first, bits }: IpRange): boolean {
  const others = BigInt(128 - bits);
  return address >> others === first >> others;
}

/** Converts `::ffff:192.0.2.1`, the form of dual-stack sockets, into `192.0.2.1`. Returns other addresses unchanged. */
export function plainIpAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** Returns the network of one subscriber: the IPv4 address itself, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  const plain = plainIpAddress(address);
  const number = plain.includes(":") ? parseIpAddress(plain.split("%", 1)[0] as string) : undefined;
  return number === undefined ? plain : `${(number >> 64n).toString(16)}::/64`;
}

/** True for a loopback address. */
export function isLoopback(address: string | null): boolean {
  return address !== null && /^(127\.|::1$|::ffff:127\.)/.test(address);
}

function parseDotted(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) {
    return undefined;
  }
  return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

function parseColons(text: string): bigint | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const left = 8 - head.length - tail.length;
  if (halves.length === 1 ? left !== 0 : left < 1) return undefined;
  const groups = [...head, ...Array.from({ length: left }, () => "0"), ...tail];
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}
