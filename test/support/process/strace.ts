import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { installTool, type Missing } from "./system-tool.ts";
import { createTempFolder } from "./temp-folder.ts";

/** Installs strace when it is missing, and tries whether this machine lets one process trace another. */
export const installStrace = (): Promise<Missing> => installTool(["strace", "-f", "-o", "/dev/null", "true"], "strace");

/** The syncs and answers of a server, in order. */
type TraceEvent = "synced" | "answered";

export interface Trace {
  /** Ends the tracing, not the server, and reads what was seen. */
  finish(): Promise<readonly TraceEvent[]>;
}

/** A sync that has ended well, whether strace shows it on one line or on two. */
const syncedLine = /\b(?:fdatasync|fsync|sync_file_range)\b.*= 0$/;
/** The begin of a successful answer on its way into a socket. */
const answeredLine = /"HTTP\/1\.1 2\d\d/;

/** Watches the syncs and the answers of a running server, in the order of the kernel. */
export async function traceServer(pid: number): Promise<Trace> {
  const folder = await createTempFolder();
  const file = join(folder.path, "trace");
  const calls = "trace=fdatasync,fsync,sync_file_range,sendto,sendmsg,write,writev";
  const command = ["strace", "-f", "-p", String(pid), "-s", "16", "-e", calls, "-o", file];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  await untilAttached(child.stderr);
  return {
    async finish() {
      child.kill("SIGINT");
      await child.exited;
      const lines = (await readFile(file, "utf8")).split("\n");
      await folder.remove();
      return lines.flatMap((line): TraceEvent[] => {
        if (syncedLine.test(line)) return ["synced"];
        return answeredLine.test(line) ? ["answered"] : [];
      });
    },
  };
}

/** Makes every sync of a running server fail from now on. Disposing ends that, if the server has not ended itself. */
export function breakSyncs(pid: number): Promise<Disposable> {
  return injectInto(pid, ["-f", "-e", "inject=fdatasync,fsync:error=EIO:when=1+"]);
}

/** Makes the first thread of a running server, and no other, wait for so long whenever it opens a file. */
export function delayOpening(pid: number, path: string, ms: number): Promise<Disposable> {
  return injectInto(pid, ["-P", path, "-e", `inject=openat:delay_enter=${ms * 1000}`]);
}

async function injectInto(pid: number, flags: readonly string[]): Promise<Disposable> {
  const child = Bun.spawn(["strace", "-p", String(pid), ...flags, "-o", "/dev/null"], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  await untilAttached(child.stderr);
  return { [Symbol.dispose]: () => child.kill("SIGINT") };
}

async function untilAttached(stderr: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stderr.getReader();
  const decoder = new TextDecoder();
  let said = "";
  while (!said.includes("attached")) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`strace could not be attached: ${said}`);
    said += decoder.decode(value, { stream: true });
  }
  // Goes on reading, so that strace never waits for a full pipe.
  void (async () => {
    while (!(await reader.read()).done);
  })();
}
