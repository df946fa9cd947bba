import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { bundleConsole, encoded } from "./bundle.ts";

/** Bundles and codes the console into `folder`, and returns what puts the files into an executable that is built. */
export async function consoleFilesInside(folder: string): Promise<BunPlugin> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const imports: string[] = [];
  const entries: string[] = [];
  for (const { name, role, bytes } of await bundleConsole()) {
    const coded = encoded(bytes);
    const read = await Promise.all(
      (["br", "gzip"] as const).map(async (coding) => {
        const path = join(folder, `${name}.${coding}`);
        await Bun.write(path, coded[coding]);
        imports.push(`import file${imports.length} from ${JSON.stringify(path)} with { type: "file" };`);
        return `${coding}: () => Bun.file(file${imports.length - 1}).bytes()`;
      }),
    );
    entries.push(`{ name: ${JSON.stringify(name)}, role: ${JSON.stringify(role)}, ${read.join(", ")} }`);
  }
  const contents = `${imports.join("\n")}\nexport const builtFiles = [${entries.join(", ")}];\n`;
  return {
    name: "files of the console",
    setup(build) {
      build.onLoad({ filter: /[\\/]console[\\/]built-files\.ts$/ }, () => ({ contents, loader: "ts" }));
    },
  };
}
