import { dlopen, FFIType, ptr } from "bun:ffi";
import { readdirSync, readlinkSync } from "node:fs";

const descriptorFolder = "/proc/self/fd";
const solSocket = 1;
const attachReuseportCbpf = 51;
/** `BPF_RET | BPF_K`: the whole program is "the socket of this number". */
const returnConstant = 0x06;

/** The sockets of this process; none where the system does not tell. */
export function socketDescriptors(): Set<number> {
  if (process.platform !== "linux") return new Set();
  return new Set(
    readdirSync(descriptorFolder)
      .filter((name) => isSocket(`${descriptorFolder}/${name}`))
      .map(Number),
  );
}

/**
 * Of the sockets that listen on one port, leads all new connections to the `place`-th (from 0, in the order in which they
 * came). Any of `members` may be one of them. Left to itself, the kernel deals connections out to all of them, and those
 * which it gave to a socket that is closed then are lost.
 */
export function leadTo(members: ReadonlySet<number>, place: number): void {
  if (members.size === 0) return;
  const instruction = new DataView(new ArrayBuffer(8));
  instruction.setUint16(0, returnConstant, true);
  instruction.setUint32(4, place, true);
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, 1, true);
  program.setBigUint64(8, BigInt(ptr(instruction)), true);
  const { setsockopt } = libc();
  for (const descriptor of members) {
    setsockopt(descriptor, solSocket, attachReuseportCbpf, ptr(program), program.byteLength);
  }
}

function isSocket(link: string): boolean {
  try {
    return readlinkSync(link).startsWith("socket:");
  } catch {
    // The descriptor that the folder was read with is closed by now.
    return false;
  }
}

function libc() {
  return dlopen("libc.so.6", {
    setsockopt: {
      args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.u32],
      returns: FFIType.i32,
    },
  }).symbols;
}
