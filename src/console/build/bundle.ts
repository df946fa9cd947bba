import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** One file that the document loads, by codings of HTTP. The functions read it anew for each request. */
export interface ConsoleFile {
  /** Carries a hash of the content. */
  readonly name: string;
  /** `script`, `style` and `icon` are named by the document, a `part` is imported by the script. */
  readonly role: "script" | "style" | "icon" | "part";
  readonly br: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly gzip: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** As `ConsoleFile`, with its bytes. */
export interface BundledFile extends Pick<ConsoleFile, "name" | "role"> {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const iconFile = join(import.meta.dir, "../icon.svg");
const entrypoint = join(import.meta.dir, "../app/main.tsx");

/** Bundles scripts and styles of the console for browsers. */
export async function bundleConsole(): Promise<BundledFile[]> {
  const { outputs } = await Bun.build({
    entrypoints: [entrypoint],
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
    throw: true,
  });
  const icon = await Bun.file(iconFile).bytes();
  const bundled = await Promise.all(
    outputs.map(async (output): Promise<BundledFile> => {
      const name = output.path.slice(output.path.lastIndexOf("/") + 1);
      const role = name.endsWith(".css") ? "style" : output.kind === "entry-point" ? "script" : "part";
      return { name, role, bytes: new Uint8Array(await output.arrayBuffer()) };
    }),
  );
  return [...bundled, { name: `icon-${Bun.hash(icon).toString(36)}.svg`, role: "icon", bytes: icon }];
}

/** Codes a file for its way. Level 11 of Brotli is slow: for what is built once and sent often. */
export function encoded(bytes: Uint8Array<ArrayBuffer>, brotliLevel = 11) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliLevel };
  return { br: new Uint8Array(brotliCompressSync(bytes, { params })), gzip: Bun.gzipSync(bytes, { level: 9 }) };
}

/** The files as a server that runs from source has them: bundled when somebody first asks. */
export async function bundledFiles(): Promise<ConsoleFile[]> {
  return (await bundleConsole()).map(({ name, role, bytes }) => {
    const { br, gzip } = encoded(bytes, 5);
    return { name, role, br: async () => br, gzip: async () => gzip };
  });
}
