import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { archiveOf, checksumsOf } from "../../../src/cli/build/release/archive.ts";
import runtimes from "../../../src/cli/build/release/runtimes/package.json" with { type: "json" };
import { bomOf, packagesOf } from "../../../src/cli/build/release/sbom.ts";
import {
  compileTarget,
  executableName,
  releaseName,
  releaseTargets,
  runtimePackage,
} from "../../../src/cli/build/release/targets.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const root = join(import.meta.dir, "../../..");
const content = [
  { name: "made/outpost", bytes: Buffer.from("#!/bin/sh\necho started\n"), isExecutable: true },
  { name: "made/LICENSE", bytes: Buffer.from("MIT\n"), isExecutable: false },
];

test("a release has seven systems, each with a name, a runtime and a target of its own", () => {
  expect(releaseTargets.map((target) => releaseName("1.2.0", target))).toEqual([
    "outpost-1.2.0-linux-x64",
    "outpost-1.2.0-linux-arm64",
    "outpost-1.2.0-linux-x64-musl",
    "outpost-1.2.0-linux-arm64-musl",
    "outpost-1.2.0-macos-arm64",
    "outpost-1.2.0-macos-x64",
    "outpost-1.2.0-windows-x64",
  ]);
  expect(new Set(releaseTargets.map(compileTarget)).size).toBe(7);
  expect(releaseTargets.map(executableName).filter((name) => name.endsWith(".exe"))).toHaveLength(1);
});

test("the runtimes are those of the systems, of the version that builds, and the lock has a digest of each", () => {
  const names = releaseTargets.map((target) => runtimePackage(target).name);
  expect(Object.keys(runtimes.dependencies).toSorted()).toEqual(names.toSorted());
  expect(new Set(Object.values(runtimes.dependencies).map((version) => `bun@${version}`))).toEqual(
    new Set([packageFile.packageManager]),
  );
  const lock = readFileSync(join(root, "src/cli/build/release/runtimes/bun.lock"), "utf8");
  const version = packageFile.packageManager.replace("bun@", "");
  for (const name of names) {
    const line = lock.split("\n").find((each) => each.includes(`["${name}@${version}"`));
    expect(line).toContain('"sha512-');
  }
});

test("an archive unpacks to an executable that starts, and has the same bytes each time", async () => {
  await using folder = await createTempFolder();
  const bytes = await archiveOf(content);
  expect(Bun.hash(await archiveOf(content))).toBe(Bun.hash(bytes));
  await Bun.write(join(folder.path, "made.tar.gz"), bytes);
  await Bun.$`tar -xzf made.tar.gz`.cwd(folder.path);
  expect(await Bun.$`./made/outpost`.cwd(folder.path).text()).toBe("started\n");
  expect(await Bun.$`test -x made/LICENSE`.cwd(folder.path).nothrow().quiet()).toMatchObject({ exitCode: 1 });
});

test("sha256sum accepts the checksums, and refuses a changed file", async () => {
  await using folder = await createTempFolder();
  const files = new Map(["b.tar.gz", "a.json"].map((name) => [name, Buffer.from(name)]));
  for (const [name, bytes] of files) await Bun.write(join(folder.path, name), bytes);
  await Bun.write(join(folder.path, "SHA256SUMS"), checksumsOf(files));
  const check = () => Bun.$`sha256sum --check SHA256SUMS`.cwd(folder.path).nothrow().quiet();
  expect((await check()).stdout.toString()).toBe("a.json: OK\nb.tar.gz: OK\n");
  await Bun.write(join(folder.path, "a.json"), "changed");
  expect((await check()).exitCode).toBe(1);
});

test("a bill of materials names the packages that the files come from, nested ones too, each once", async () => {
  await using folder = await createTempFolder();
  const add = async (path: string, facts: object) => {
    await Bun.write(join(folder.path, path, "package.json"), JSON.stringify(facts));
    return join(folder.path, path, "dist/index.js");
  };
  const files = [
    await add("node_modules/plain", { name: "plain", version: "1.0.0", license: "MIT" }),
    await add("node_modules/plain/node_modules/@scope/inner", {
      ...{ name: "@scope/inner", version: "2.0.0", license: "(MIT AND Zlib)" },
    }),
    await add("node_modules/old", { name: "old", version: "0.1.0", licenses: [{ type: "MIT" }] }),
    join(folder.path, "src/main.ts"),
  ];
  const packages = packagesOf([...files, files[0] ?? ""]);
  const text = bomOf("1.2.0", "1.4.5", packages);
  expect(bomOf("1.2.0", "1.4.5", packages)).toBe(text);
  const bom = JSON.parse(text);
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
  expect(bom.metadata.component).toMatchObject({ type: "application", name: "outpost", version: "1.2.0" });
  expect(bom.components).toMatchObject([
    { name: "@scope/inner", purl: "pkg:npm/%40scope/inner@2.0.0", licenses: [{ expression: "(MIT AND Zlib)" }] },
    { name: "bun", type: "platform", version: "1.4.5", purl: "pkg:npm/bun@1.4.5" },
    { name: "old", purl: "pkg:npm/old@0.1.0" },
    { name: "plain", purl: "pkg:npm/plain@1.0.0", licenses: [{ license: { id: "MIT" } }] },
  ]);
  expect(bom.components).toHaveLength(4);
});
