import { join, relative } from "node:path";
import { consoleFilesInside } from "../../console/build/embedding.ts";
import { examplesInside } from "./api-examples.ts";

const root = join(import.meta.dir, "../../..");
const outfile = join(root, "dist/outpost");

/**
 * Builds the one executable. It must not read what lies in the folder it is started from: by default it would take
 * variables from a `.env` there and run the `preload` of a `bunfig.toml`. Names are kept, since Elysia reads the
 * source text of handlers. The header limit lets a long request line reach our own answer to it.
 */
async function build(): Promise<void> {
  const startedMs = performance.now();
  const { outputs } = await Bun.build({
    // A worker is a program of its own, found by where it lies beside the main one.
    entrypoints: ["main.ts", "git/copying/worker.ts", "cli/log/thread/worker.ts"].map((path) =>
      join(root, "src", path),
    ),
    root: join(root, "src"),
    target: "bun",
    format: "esm",
    bytecode: true,
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: "linked",
    plugins: await Promise.all([
      consoleFilesInside(join(root, "dist/console")),
      examplesInside(join(root, "dist/api-examples.json")),
    ]),
    define: { OUTPOST_REVISION: JSON.stringify(await currentRevision()) },
    compile: {
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      execArgv: ["--max-http-header-size=131072"],
    },
    throw: true,
  });
  const executable = outputs.find(({ path }) => path === outfile);
  if (executable === undefined) throw new Error(`the build left no ${outfile}`);
  const sizeMb = (Bun.file(outfile).size / 1e6).toFixed(1);
  const tookS = ((performance.now() - startedMs) / 1000).toFixed(2);
  console.log(`${relative(process.cwd(), outfile)}: ${sizeMb} MB in ${tookS} s`);
}

/** Sources without their history, from an archive, build as revision zero. */
async function currentRevision(): Promise<string> {
  const { stdout, exitCode } = await Bun.$`git rev-parse --short=8 HEAD`.cwd(root).nothrow().quiet();
  return exitCode === 0 ? stdout.toString().trim() : "00000000";
}

await build();
