import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { encoded } from "../coded-file.ts";
import { type BundledFile, bundleConsole, type ConsoleFile, collectPageFiles, type PageFile } from "./bundle.ts";

/**
 * Bundles and compresses the console and the API page into `folder`, and returns the plugin that puts the files into an
 * executable.
 */
export async function consoleFilesInside(folder: string): Promise<BunPlugin> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const imports: string[] = [];
  const listed = async (files: readonly BundledFile<ConsoleFile | PageFile>[]) => {
    const entries = await Promise.all(files.map((file) => embed(file, folder, imports)));
    return `[${entries.join(", ")}]`;
  };
  const built = await listed(await bundleConsole());
  const builtPage = await listed(await collectPageFiles());
  const exports = `export const builtFiles = ${built};\nexport const builtPageFiles = ${builtPage};\n`;
  const contents = `${imports.join("\n")}\n${exports}`;
  return {
    name: "files of the console",
    setup(build) {
      build.onLoad({ filter: /[\\/]console[\\/]built-files\.ts$/ }, () => ({ contents, loader: "ts" }));
    },
  };
}

async function embed(
  { name, role, bytes }: BundledFile<ConsoleFile | PageFile>,
  folder: string,
  imports: string[],
): Promise<string> {
  const coded = await embedCoded(name, bytes, folder, imports);
  return `{ name: ${JSON.stringify(name)}, role: ${JSON.stringify(role)}, ...${coded} }`;
}

/**
 * Writes the content codings of a file into `folder`, adds their `imports`, and returns the source text of the `CodedFile`.
 */
export async function embedCoded(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  folder: string,
  imports: string[],
): Promise<string> {
  const coded = encoded(bytes, 11);
  const entries = (["br", "gzip"] as const).map(async (coding) => {
    const path = join(folder, `${name}.${coding}`);
    const variable = `file${imports.length}`;
    imports.push(`import ${variable} from ${JSON.stringify(path)} with { type: "file" };`);
    await Bun.write(path, coded[coding]);
    return `${coding}: () => Bun.file(${variable}).bytes()`;
  });
  return `{ ${(await Promise.all(entries)).join(", ")} }`;
}
