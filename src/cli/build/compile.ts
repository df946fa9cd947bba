import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BunPlugin } from "bun";
import { consoleFilesInside } from "../../console/build/embedding.ts";
import { modules } from "../../modules/index.ts";
import { requireNoFaults, verifyOperations, verifySamples } from "../../modules/kernel/module-faults.ts";
import { documentsInside } from "./openapi-documents.ts";

export const root = join(import.meta.dir, "../../..");

/** The parts that all executables of one build share. */
export interface Prepared {
  readonly plugins: readonly BunPlugin[];
  readonly revision: string;
}

/** The runtime for another system. */
export interface Runtime {
  readonly target: Bun.Build.CompileTarget;
  /** The path of its executable. */
  readonly path: string;
}

export async function prepare(): Promise<Prepared> {
  requireNoFaults(modules);
  await verifyOperations(modules);
  await verifySamples(modules);
  const plugins = await Promise.all([
    consoleFilesInside(join(root, "dist/console")),
    documentsInside(join(root, "dist/openapi")),
  ]);
  return { plugins, revision: await currentRevision() };
}

/**
 * Builds one executable, and returns the source and package files in it. The executable must not read files of the folder
 * that it starts in: by default it would load a `.env` and run the `preload` of a `bunfig.toml`. Names are kept, since
 * Elysia reads the source text of handlers. The header limit lets long request lines reach Outpost's own error.
 */
export async function compile({ plugins, revision }: Prepared, outfile: string, runtime?: Runtime): Promise<string[]> {
  const { outputs, metafile } = await Bun.build({
    // The runtime finds a worker by its path relative to the main program.
    entrypoints: ["main.ts", "git/copying/worker.ts", "git/work/worker.ts", "cli/log/thread/worker.ts"].map((path) =>
      join(root, "src", path),
    ),
    root: join(root, "src"),
    target: "bun",
    format: "esm",
    bytecode: true,
    // Each command then loads only its own code.
    splitting: true,
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: "linked",
    metafile: true,
    plugins: [...plugins],
    define: { OUTPOST_REVISION: JSON.stringify(revision) },
    compile: {
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      execArgv: ["--max-http-header-size=131072"],
      ...(runtime === undefined ? {} : { target: runtime.target, executablePath: runtime.path }),
    },
    throw: true,
  });
  if (!outputs.some(({ path }) => path === outfile)) throw new Error(`the build left no ${outfile}`);
  // The executable contains the source maps. These are copies, and two may have the same name.
  const maps = outputs.filter(({ kind }) => kind === "sourcemap");
  await Promise.all(maps.map(({ path }) => rm(path, { force: true })));
  return inputsOf(metafile);
}

/** Returns the absolute paths of the source files in a build. The bundler names them relative to the working folder. */
function inputsOf(metafile: Bun.BuildMetafile | undefined): string[] {
  return Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => resolve(path)),
  );
}

/** Returns the current commit; zeros for sources without git history. */
async function currentRevision(): Promise<string> {
  const { stdout, exitCode } = await Bun.$`git rev-parse --short=8 HEAD`.cwd(root).nothrow().quiet();
  return exitCode === 0 ? stdout.toString().trim() : "00000000";
}
