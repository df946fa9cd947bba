import { dlopen, FFIType } from "bun:ffi";
import { libc, platform } from "../lib/platform/index.ts";

const unixFamily = 1;
const datagramCloseOnExec = 2 | 0o2_000_000;
const noSignal = 0x4000;
const pathBytesMax = 107;

/**
 * Sends a state of sd_notify(3), such as `READY=1`, to systemd. Does nothing without `NOTIFY_SOCKET`, or on a system without
 * it. Calls `warn` with a message when that fails. Uses libc, since the runtime has no datagrams to paths.
 */
export function notifySystemd(state: string, warn: (text: string) => void): void {
  const socketPath = process.env.NOTIFY_SOCKET;
  if (socketPath === undefined || !/^[/@]/.test(socketPath) || !platform.hasSystemd) return;
  const path = Buffer.from(socketPath);
  if (path.length > pathBytesMax || !send(Buffer.from(state), addressOf(path))) {
    warn(`cannot send ${state} to systemd at ${socketPath}`);
  }
}

/** Returns a `sockaddr_un`. A name that begins with `@` is abstract and has a zero there. */
function addressOf(path: Buffer): Buffer {
  const isAbstract = path[0] === "@".charCodeAt(0);
  const address = Buffer.alloc(2 + path.length + (isAbstract ? 0 : 1));
  new Uint16Array(address.buffer, address.byteOffset, 1)[0] = unixFamily;
  path.copy(address, 2);
  if (isAbstract) address[2] = 0;
  return address;
}

function send(message: Buffer, address: Buffer): boolean {
  const { symbols, close } = dlopen(libc, {
    socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    sendto: {
      args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32, FFIType.ptr, FFIType.u32],
      returns: FFIType.i64,
    },
    close: { args: [FFIType.i32], returns: FFIType.i32 },
  });
  const fd = symbols.socket(unixFamily, datagramCloseOnExec, 0);
  try {
    if (fd < 0) return false;
    return Number(symbols.sendto(fd, message, message.length, noSignal, address, address.length)) === message.length;
  } finally {
    if (fd >= 0) symbols.close(fd);
    close();
  }
}
