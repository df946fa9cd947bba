import { dlopen, FFIType, ptr } from "bun:ffi";
import * as fs from "node:fs";

/** A TCP connection that another machine or process opened to this process. */
export interface OpenConnection {
  readonly fd: number;
  /** The address and port of the other end. */
  readonly address: string;
  readonly port: number;
  /** The milliseconds since the last byte in either direction; 0 if the system does not report it. */
  readonly idleMs: number;
}

/** The open file descriptors of this process. */
export interface Descriptors {
  /** The limit of open descriptors. */
  readonly max: number;
  /** Counts the open descriptors. */
  count(): number;
  /** Lists the connections to `ownPort`. Takes twenty times as long as `count`. */
  listConnections(ownPort: number): OpenConnection[];
  /** Shuts a connection down in both directions. The runtime notices that and closes it. */
  shutDown(connection: OpenConnection): void;
}

const [getDescriptorFlags, shutBoth, tcp] = [1, 2, 6];
const descriptorsMax = 2 ** 20;
/** The number of descriptors to check if the system does not report the size of their table. */
const unknownTableMax = 65_536;
/** The sizes of `sockaddr_in` and of `sockaddr_in6` in bytes. */
const [addressBytes4, addressBytes6] = [16, 28];

/** Constants of the system: the option with the times of a connection, and the limit of open files. */
const systemNumbers = { linux: { tcpInfo: 11, openFiles: 7 }, others: { tcpInfo: undefined, openFiles: 8 } } as const;
/** Offsets of `tcpi_last_data_sent` and `tcpi_last_data_recv` in Linux's `struct tcp_info`. */
const [lastSentOffset, lastReceivedOffset] = [44, 52];

export function posixDescriptors(libc: string, name: NodeJS.Platform): Descriptors {
  const { tcpInfo, openFiles } = name === "linux" ? systemNumbers.linux : systemNumbers.others;
  const { i32, pointer } = FFIType;
  const { symbols: system } = dlopen(libc, {
    fcntl: { args: [i32, i32], returns: i32 },
    getpeername: { args: [i32, pointer, pointer], returns: i32 },
    getsockname: { args: [i32, pointer, pointer], returns: i32 },
    getsockopt: { args: [i32, i32, i32, pointer, pointer], returns: i32 },
    getrlimit: { args: [i32, pointer], returns: i32 },
    shutdown: { args: [i32, i32], returns: i32 },
  });
  // The runtime moves the memory of a small typed array without an explicit buffer.
  const [memory, lengthMemory] = [new ArrayBuffer(256), new ArrayBuffer(4)];
  const [view, length] = [new DataView(memory), new Uint32Array(lengthMemory)];
  const [bytesAt, lengthAt] = [ptr(memory), ptr(lengthMemory)];
  const hasAddress = (ask: typeof system.getsockname, fd: number) => {
    length[0] = memory.byteLength;
    return ask(fd, bytesAt, lengthAt) === 0 && (length[0] === addressBytes4 || length[0] === addressBytes6);
  };
  const idleMsOf = (fd: number) => {
    length[0] = memory.byteLength;
    if (tcpInfo === undefined || system.getsockopt(fd, tcp, tcpInfo, bytesAt, lengthAt) !== 0) return 0;
    return Math.min(view.getUint32(lastSentOffset, true), view.getUint32(lastReceivedOffset, true));
  };
  const connectionAt = (fd: number, ownPort: number): OpenConnection | undefined => {
    if (!hasAddress(system.getsockname, fd) || view.getUint16(2) !== ownPort) return undefined;
    if (!hasAddress(system.getpeername, fd)) return undefined;
    return { fd, port: view.getUint16(2), address: addressIn(view, length[0] as number), idleMs: idleMsOf(fd) };
  };
  const tableSize = name === "linux" ? linuxTableSize() : () => unknownTableMax;
  const openDescriptors = () => {
    const open: number[] = [];
    for (let fd = 0, end = Math.min(tableSize(), max); fd < end; fd += 1) {
      if (system.fcntl(fd, getDescriptorFlags) >= 0) open.push(fd);
    }
    return open;
  };
  const max = system.getrlimit(openFiles, bytesAt) === 0 ? Number(view.getBigUint64(0, true)) : descriptorsMax;
  return {
    max: Math.min(max, descriptorsMax),
    count: () => openDescriptors().length,
    listConnections: (ownPort) =>
      openDescriptors()
        .map((fd) => connectionAt(fd, ownPort))
        .filter((connection) => connection !== undefined),
    shutDown: ({ fd }) => void system.shutdown(fd, shutBoth),
  };
}

/** Formats an address as the system does: dotted, or eight groups with colons. */
function addressIn(view: DataView, length: number): string {
  if (length === addressBytes4) return dottedAt(view, 4);
  const isMapped = view.getBigUint64(8) === 0n && view.getUint32(16) === 0xffff;
  if (isMapped) return dottedAt(view, 20);
  const word = (at: number) => view.getUint16(8 + 2 * at).toString(16);
  return `${word(0)}:${word(1)}:${word(2)}:${word(3)}:${word(4)}:${word(5)}:${word(6)}:${word(7)}`;
}

function dottedAt(view: DataView, at: number): string {
  return `${view.getUint8(at)}.${view.getUint8(at + 1)}.${view.getUint8(at + 2)}.${view.getUint8(at + 3)}`;
}

/**
 * Returns a function that reads the size of the descriptor table on Linux. The file stays open, so that it works when no
 * descriptor is left.
 */
function linuxTableSize(): () => number {
  const status = fs.openSync("/proc/self/status", "r");
  const text = Buffer.alloc(4_096);
  return () => {
    const end = fs.readSync(status, text, 0, text.length, 0);
    return Number(/^FDSize:\s+(\d+)$/m.exec(text.toString("latin1", 0, end))?.[1] ?? unknownTableMax);
  };
}
