import { copyFile, mkdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { version } from "../../../../package.json" with { type: "json" };
import { consoleInputs } from "../../../console/build/bundle.ts";
import { compile, type Prepared, prepare, root } from "../compile.ts";
import { archiveOf, checksumsOf } from "./archive.ts";
import { bomOf, packagesOf } from "./sbom.ts";
import {
  compileTarget,
  executableName,
  type ReleaseTarget,
  releaseName,
  releaseTargets,
  runtimePackage,
} from "./targets.ts";

const folder = join(root, "dist/release");
const runtimes = join(root, "dist/runtimes");
const texts = ["LICENSE", "README.md", "CHANGELOG.md"];

/**
 * Writes an archive for each system to `dist/release`, with checksums and a bill of materials. Script arguments select
 * systems by parts of their names, such as `musl`.
 */
async function release(words: readonly string[]): Promise<void> {
  const targets = releaseTargets.filter((target) => {
    const name = releaseName(version, target);
    return words.length === 0 || words.some((word) => name.includes(word));
  });
  if (targets.length === 0) throw new Error(`no system has one of these in its name: ${words.join(", ")}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await installRuntimes();
  const prepared = await prepare();
  const sums = new Map<string, Uint8Array>();
  const write = async (name: string, bytes: Uint8Array) => {
    await Bun.write(join(folder, name), bytes);
    sums.set(name, bytes);
    console.log(`${relative(process.cwd(), join(folder, name))}: ${(bytes.length / 1e6).toFixed(1)} MB`);
  };
  const inputs = new Set(await consoleInputs());
  for (const target of targets) {
    const { bytes, files } = await build(prepared, target);
    for (const file of files) inputs.add(file);
    await write(`${releaseName(version, target)}.tar.gz`, bytes);
  }
  const bom = bomOf(version, Bun.version, packagesOf(inputs));
  await write(`outpost-${version}.cdx.json`, Buffer.from(bom));
  await Bun.write(join(folder, "SHA256SUMS"), checksumsOf(sums));
}

/** Installs Bun for all systems from the package registry. The lock file has a digest of each. */
async function installRuntimes(): Promise<void> {
  await mkdir(runtimes, { recursive: true });
  for (const name of ["package.json", "bun.lock"]) {
    await copyFile(join(import.meta.dir, "runtimes", name), join(runtimes, name));
  }
  await Bun.$`${process.execPath} install --frozen-lockfile ${"--os=*"} ${"--cpu=*"}`.cwd(runtimes).quiet();
}

/** Returns the archive for one system, and the source files of its executable. */
async function build(prepared: Prepared, target: ReleaseTarget) {
  const { name, executable } = runtimePackage(target);
  const path = join(runtimes, "node_modules", name, executable);
  const made = join(root, "dist/cross", releaseName(version, target), executableName(target));
  const files = await compile(prepared, made, { target: compileTarget(target), path });
  const base = releaseName(version, target);
  const archived = [
    { name: `${base}/${executableName(target)}`, bytes: await Bun.file(made).bytes(), isExecutable: true },
    ...(await Promise.all(
      texts.map(async (text) => ({
        ...{ name: `${base}/${text}`, isExecutable: false },
        bytes: await Bun.file(join(root, text)).bytes(),
      })),
    )),
  ];
  return { bytes: await archiveOf(archived), files };
}

await release(process.argv.slice(2));
