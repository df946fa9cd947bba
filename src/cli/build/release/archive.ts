import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";

/** A file in a release's archive. */
export interface ArchivedFile {
  /** Its path in the archive. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** Returns a gzipped tar archive. The same files always give the same bytes. */
export async function archiveOf(files: readonly ArchivedFile[]): Promise<Uint8Array<ArrayBuffer>> {
  const tar = pack();
  for (const { name, bytes, isExecutable } of files) {
    const mode = isExecutable ? 0o755 : 0o644;
    tar.entry({ name, mode, uid: 0, gid: 0, mtime: new Date(0) }, Buffer.from(bytes));
  }
  tar.finalize();
  const pieces: Uint8Array[] = [];
  for await (const piece of tar) pieces.push(piece);
  return new Uint8Array(gzipSync(Buffer.concat(pieces), { level: 9 }));
}

/** Returns the content of `SHA256SUMS`, as `sha256sum --check` reads it. */
export function checksumsOf(files: ReadonlyMap<string, Uint8Array>): string {
  return [...files]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, bytes]) => `${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}  ${name}\n`)
    .join("");
}
