import { join, resolve } from "node:path";
import { type CodedFile, inMemory } from "../coded-file.ts";

/** One file that the document loads. */
export interface ConsoleFile extends CodedFile {
  /** Carries a hash of the content. */
  readonly name: string;
  /** `script`, `style` and `icon` are named by the document, a `part` is imported by the script. */
  readonly role: "script" | "style" | "icon" | "part";
}

/** One file that the API page loads. */
export interface PageFile extends CodedFile {
  /** Carries a hash of the content. */
  readonly name: string;
  /** The name of the file in the template of the page. */
  readonly role: string;
}

/** A file without its codings. */
export interface BundledFile<F extends ConsoleFile | PageFile> {
  readonly name: F["name"];
  readonly role: F["role"];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const iconFile = join(import.meta.dir, "../icon.svg");
const entrypoint = join(import.meta.dir, "../app/main.tsx");
const pageFolder = join(import.meta.dir, "../api-page");

/** The roles of the files of the API page, and where they are. */
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

/** The files of the sources and packages whose code is in the console and the API page. */
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

/** Collects scripts and styles of the API page. Swagger UI comes as its package has it. */
export function collectPageFiles(): Promise<BundledFile<PageFile>[]> {
  return Promise.all(
    pageSources.map(async ([role, path]): Promise<BundledFile<PageFile>> => {
      const bytes = await Bun.file(path).bytes();
      return { name: role.replace(".", `-${Bun.hash(bytes).toString(36)}.`), role, bytes };
    }),
  );
}

/** The console of a server that runs from source: bundled for the first request. */
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
