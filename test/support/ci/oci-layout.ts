import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** The parts of a small image, each with its bytes by their digest. */
export interface Image {
  readonly manifest: Descriptor;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly bytes: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

export const manifestType = "application/vnd.oci.image.manifest.v1+json";
export const indexType = "application/vnd.oci.image.index.v1+json";

export function digestOf(bytes: string | Uint8Array): string {
  return `sha256:${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`;
}

/** An image with one layer for each text; the same texts make the same image. */
export function makeImage(texts: readonly string[]): Image {
  const bytes = new Map<string, Uint8Array<ArrayBuffer>>();
  const keep = (content: Uint8Array<ArrayBuffer>, mediaType: string): Descriptor => {
    const digest = digestOf(content);
    bytes.set(digest, content);
    return { mediaType, digest, size: content.byteLength };
  };
  const json = (value: unknown) => new Uint8Array(Buffer.from(JSON.stringify(value)));
  const tars = texts.map(tarOf);
  const layers = tars.map((tar) => keep(Bun.gzipSync(tar), "application/vnd.oci.image.layer.v1.tar+gzip"));
  const diff_ids = tars.map(digestOf);
  const rootfs = { type: "layers", diff_ids };
  const config = keep(
    json({ architecture: "amd64", os: "linux", config: {}, rootfs }),
    "application/vnd.oci.image.config.v1+json",
  );
  const manifest = keep(json({ schemaVersion: 2, mediaType: manifestType, config, layers }), manifestType);
  return { manifest, config, layers, bytes };
}

/** Writes an image as a folder that `oci:FOLDER:TAG` names. */
export async function writeLayout(folder: string, image: Image, tag: string): Promise<void> {
  await mkdir(join(folder, "blobs/sha256"), { recursive: true });
  for (const [digest, content] of image.bytes) {
    await writeFile(join(folder, "blobs/sha256", digest.replace("sha256:", "")), content);
  }
  const annotations = { "org.opencontainers.image.ref.name": tag };
  const index = { schemaVersion: 2, manifests: [{ ...image.manifest, annotations }] };
  await writeFile(join(folder, "index.json"), JSON.stringify(index));
  await writeFile(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
}

/** A tar archive with one file. */
function tarOf(text: string): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(512);
  const content = Buffer.from(text);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  header.write("text.txt", 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(content.length, 12), 124);
  header.write(octal(0, 12), 136);
  header.write("        ", 148);
  header.write("0ustar\0", 156);
  header.write("00", 263);
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    148,
  );
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return new Uint8Array(Buffer.concat([header, content, padding, Buffer.alloc(1024)]));
}
