import { join, relative } from "node:path";
import { compile, prepare, root } from "./compile.ts";

const outfile = join(root, "dist/outpost");

/** Builds the executable for this machine. */
async function build(): Promise<void> {
  const startedMs = performance.now();
  await compile(await prepare(), outfile);
  const sizeMb = (Bun.file(outfile).size / 1e6).toFixed(1);
  const tookS = ((performance.now() - startedMs) / 1000).toFixed(2);
  console.log(`${relative(process.cwd(), outfile)}: ${sizeMb} MB in ${tookS} s`);
}

await build();
