import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BunPlugin } from "bun";
import { consoleFilesInside } from "../../console/build/embedding.ts";
import { modules } from "../../modules/index.ts";
import { requireNoFaults, verifyOperations, verifySamples } from "../../modules/kernel/module-faults.ts";
import { documentsInside } from "./openapi-documents.ts";

export const root = join(import.meta.dir, "../../..");

/** The parts that every executable of one build shares. */
export interface Prepared {
  readonly plugins: readonly BunPlugin[];
  readonly revision: string;
}

/** The runtime of another system. */
export interface Runtime {
  readonly target: Bun.Build.CompileTarget;
  /** Its executable. */
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
 * Builds one executable, and returns the files of the sources and packages that are in it. It must not read what lies in
 * the folder it is started from: by default it would take variables from a `.env` there and run the `preload` of a
 * `bunfig.toml`. Names are kept, since Elysia reads the source text of handlers. The header limit lets a long request
 * line reach our own answer to it.
 */
export async function compile({ plugins, revision }: Prepared, outfile: string, runtime?: Runtime): Promise<string[]> {
  const { outputs, metafile } = await Bun.build({
    // A worker is a program of its own, found by where it lies beside the main one.
    entrypoints: ["main.ts", "git/copying/worker.ts", "git/work/worker.ts", "cli/log/thread/worker.ts"].map((path) =>
      join(root, "src", path),
    ),
    root: join(root, "src"),
    target: "bun",
    format: "esm",
    bytecode: true,
    // Each command loads its own code only.
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
  // The executable holds the source maps. These are copies; two may have one name.
  const maps = outputs.filter(({ kind }) => kind === "sourcemap");
  await Promise.all(maps.map(({ path }) => rm(path, { force: true })));
  return inputsOf(metafile);
}

/** The absolute paths of the files whose code is in the outputs of a build; the bundler names them from the working folder. */
function inputsOf(metafile: Bun.BuildMetafile | undefined): string[] {
  return Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => resolve(path)),
  );
}

/** Sources without their history, from an archive, build as revision zero. */
async function currentRevision(): Promise<string> {
  const { stdout, exitCode } = await Bun.$`git rev-parse --short=8 HEAD`.cwd(root).nothrow().quiet();
  return exitCode === 0 ? stdout.toString().trim() : "00000000";
}
