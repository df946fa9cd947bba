import { readFileSync } from "node:fs";
import { Enums, Models, Serialize, SPDX, Spec } from "@cyclonedx/cyclonedx-library";

/** A package whose code is in the executable. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The license in its `package.json`; undefined if that has none. */
  readonly license: string | undefined;
}

/** Returns the packages of a bundle's files, each version once, sorted by name. */
export function packagesOf(inputs: Iterable<string>): BundledPackage[] {
  const folders = new Set([...inputs].map(packageFolderOf).filter((folder) => folder !== undefined));
  const packages = new Map<string, BundledPackage>();
  for (const folder of folders) {
    const text = readFileSync(`${folder}/package.json`, "utf8");
    const { name, version, license } = JSON.parse(text) as { name: string; version: string; license?: unknown };
    packages.set(`${name}@${version}`, {
      ...{ name, version },
      license: typeof license === "string" ? license : undefined,
    });
  }
  return [...packages].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

/**
 * Returns the package folder of a file, such as `/…/node_modules/a/node_modules/@b/c`; undefined for a file of no package.
 */
function packageFolderOf(path: string): string | undefined {
  return /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replaceAll("\\", "/"))?.[0];
}

/**
 * Returns a CycloneDX bill of materials as JSON: the runtime and the packages. It has no timestamp and no serial number, so
 * it is reproducible.
 */
export function bomOf(version: string, runtimeVersion: string, packages: readonly BundledPackage[]): string {
  const own = componentOf(Enums.ComponentType.Application, { name: "outpost", version, license: "MIT" });
  const runtime = componentOf(Enums.ComponentType.Platform, { name: "bun", version: runtimeVersion, license: "MIT" });
  runtime.purl = purlOf({ name: "bun", version: runtimeVersion });
  const libraries = packages.map((each) => {
    const library = componentOf(Enums.ComponentType.Library, each);
    library.purl = purlOf(each);
    return library;
  });
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: own }) });
  for (const each of [runtime, ...libraries]) bom.components.add(each);
  for (const each of bom.components) own.dependencies.add(each.bomRef);
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function componentOf(type: Enums.ComponentType, { name, version, license }: BundledPackage): Models.Component {
  const component = new Models.Component(type, name, { version, bomRef: `${name}@${version}` });
  if (license !== undefined) component.licenses.add(licenseOf(license));
  return component;
}

function licenseOf(text: string): Models.License {
  const id = SPDX.fixupSpdxId(text);
  if (id !== undefined) return new Models.SpdxLicense(id);
  return / (?:AND|OR|WITH) /.test(text) ? new Models.LicenseExpression(text) : new Models.NamedLicense(text);
}

/** Returns the package URL of an npm package. */
function purlOf({ name, version }: Pick<BundledPackage, "name" | "version">): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
