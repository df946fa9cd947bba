import { join, resolve } from "node:path";
import { type CodedFile, inMemory } from "../coded-file.ts";

/** A file of the console. */
export interface ConsoleFile extends CodedFile {
  /** The name contains a hash of the content. */
  readonly name: string;
  /** The document refers to `script`, `style` and `icon`; the script imports a `part`. */
  readonly role: "script" | "style" | "icon" | "part";
}

/** A file of the API page. */
export interface PageFile extends CodedFile {
  /** The name contains a hash of the content. */
  readonly name: string;
  /** The name of the file in the template of the page. */
  readonly role: string;
}

/** A file before its content coding. */
export interface BundledFile<F extends ConsoleFile | PageFile> {
  readonly name: F["name"];
  readonly role: F["role"];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const iconFile = join(import.meta.dir, "../icon.svg");
const entrypoint = join(import.meta.dir, "../app/main.tsx");
const pageFolder = join(import.meta.dir, "../api-page");

/** The files of the API page by role, and their sources. */
const pageSources = [
  ["swagger-ui.js", Bun.fileURLToPath(import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"))],
  ["swagger-ui.css", Bun.fileURLToPath(import.meta.resolve("swagger-ui-dist/swagger-ui.css"))],
  ["page.js", join(pageFolder, "page.js")],
  ["page.css", join(pageFolder, "page.css")],
] as const;

/** Bundles scripts and styles of the console for browsers. */
export async function bundleConsole(): Promise<BundledFile<ConsoleFile>[]> {
  const { outputs } = await buildConsole();
  const icon = await Bun.file(iconFile).bytes();
  const bundled = await Promise.all(
    outputs.map(async (output): Promise<BundledFile<ConsoleFile>> => {
      const name = output.path.slice(output.path.lastIndexOf("/") + 1);
      const role = name.endsWith(".css") ? "style" : output.kind === "entry-point" ? "script" : "part";
      return { name, role, bytes: new Uint8Array(await output.arrayBuffer()) };
    }),
  );
  return [...bundled, { name: `icon-${Bun.hash(icon).toString(36)}.svg`, role: "icon", bytes: icon }];
}

/** Returns the source and package files in the console and the API page. */
export async function consoleInputs(): Promise<string[]> {
  const { metafile } = await buildConsole();
  return [...Object.keys(metafile?.inputs ?? {}).map((path) => resolve(path)), ...pageSources.map(([, path]) => path)];
}

function buildConsole(): Promise<Bun.BuildOutput> {
  return Bun.build({
    entrypoints: [entrypoint],
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
    throw: true,
  });
}

/** Collects scripts and styles of the API page. Those of Swagger UI come unchanged from its package. */
export function collectPageFiles(): Promise<BundledFile<PageFile>[]> {
  return Promise.all(
    pageSources.map(async ([role, path]): Promise<BundledFile<PageFile>> => {
      const bytes = await Bun.file(path).bytes();
      return { name: role.replace(".", `-${Bun.hash(bytes).toString(36)}.`), role, bytes };
    }),
  );
}

/** Returns the console for a server that runs from source, bundled at the first request. */
export async function bundledFiles(): Promise<ConsoleFile[]> {
  return (await bundleConsole()).map(codedInMemory);
}

/** Does what `bundledFiles` does, for the API page. */
export async function pageFiles(): Promise<PageFile[]> {
  return (await collectPageFiles()).map(codedInMemory);
}

function codedInMemory<F extends ConsoleFile | PageFile>({ name, role, bytes }: BundledFile<F>) {
  return { name, role, ...inMemory(bytes) };
}
