/** A system that a release is built for. */
export interface ReleaseTarget {
  readonly os: "linux" | "macos" | "windows";
  readonly arch: "x64" | "arm64";
  /** True for systems with musl as their C library, such as Alpine Linux. */
  readonly isMusl: boolean;
}

export const releaseTargets: readonly ReleaseTarget[] = [
  { os: "linux", arch: "x64", isMusl: false },
  { os: "linux", arch: "arm64", isMusl: false },
  { os: "linux", arch: "x64", isMusl: true },
  { os: "linux", arch: "arm64", isMusl: true },
  { os: "macos", arch: "arm64", isMusl: false },
  { os: "macos", arch: "x64", isMusl: false },
  { os: "windows", arch: "x64", isMusl: false },
];

/** Returns a name such as `outpost-1.2.0-linux-x64-musl`, for an archive without its extension and for the folder in it. */
export function releaseName(version: string, { os, arch, isMusl }: ReleaseTarget): string {
  return `outpost-${version}-${os}-${arch}${isMusl ? "-musl" : ""}`;
}

export function executableName({ os }: ReleaseTarget): string {
  return os === "windows" ? "outpost.exe" : "outpost";
}

/** Returns the package with the runtime for a system, and the path of its executable in it. */
export function runtimePackage({ os, arch, isMusl }: ReleaseTarget): { name: string; executable: string } {
  const system = os === "macos" ? "darwin" : os;
  const cpu = arch === "arm64" ? "aarch64" : "x64";
  const executable = os === "windows" ? "bin/bun.exe" : "bin/bun";
  return { name: `@oven/bun-${system}-${cpu}${isMusl ? "-musl" : ""}`, executable };
}

/** Returns the bundler's name of a system. */
export function compileTarget({ os, arch, isMusl }: ReleaseTarget): Bun.Build.CompileTarget {
  if (os === "linux") return isMusl ? `bun-linux-${arch}-musl` : `bun-linux-${arch}`;
  return os === "macos" ? `bun-darwin-${arch}` : `bun-windows-${arch}`;
}
