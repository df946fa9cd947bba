import { dirname } from "node:path";
import type { ImportGraph } from "./import-graph.ts";

/** The folders of `src` and the chapters of `modules`, and what each may import beside itself. `src/README.md` shows the same. */

const base = ["domain", "lib"];

/** By folder. Files beside the folders, such as `main.ts`, are in none. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ["lib"],
  config: base,
  store: base,
  git: base,
  archive: [...base, "store", "git"],
  modules: [...base, "store", "git", "archive"],
  scheduler: [...base, "modules"],
  http: [...base, "modules", "store"],
  console: [...base, "modules", "http"],
  fixtures: [...base, "modules", "http", "store"],
  seed: [...base, "modules", "store", "git"],
  server: [...base, "config", "store", "git", "archive", "modules", "scheduler", "http", "console", "fixtures"],
  cli: [...base, "config", "store", "git", "archive", "modules", "http", "console", "fixtures", "seed", "server"],
};

/** By chapter: those that it builds on. */
export const chapters: Readonly<Record<string, readonly string[]>> = {
  core: [],
  sandbox: [],
  members: ["core"],
  planning: ["core"],
  repositories: ["core"],
  accounts: ["core", "planning"],
  discussions: ["core", "planning", "repositories"],
  releases: ["core", "planning", "repositories"],
  notifications: ["core", "planning", "discussions", "releases"],
  "groups-and-projects": ["core", "members", "notifications", "planning", "repositories"],
  ci: ["core", "groups-and-projects", "notifications", "repositories"],
  "merge-requests": ["core", "ci", "planning", "discussions", "notifications", "repositories"],
  registries: ["core", "ci"],
  monitoring: ["core", "notifications", "planning", "admin"],
  admin: ["core"],
};

/** Folders that others use through their `index.ts`, or through their records. */
const closed = /^(?:store|git|modules\/(?!kernel\/)[^/]+\/[^/]+)(?=\/)/;

/** The files that say what a module stores. They lie below all chapters, so every module may import them. */
const records = /^modules\/(?!kernel\/)[^/]+\/[^/]+\/records(?:-[a-z0-9-]+)?\.ts$/;

/** Files of a module that do something with records, or show them. */
const aboveRecords = /^(?:index|policy|service|present|operations|events)(?:-[a-z0-9-]+)?\.ts$/;

/** The reason why a file of `src` may not import another one; undefined: it may. */
export function importFault(file: string, imported: string): string | undefined {
  const [from = "", to = ""] = [file, imported].map((path) => /^([^/]+)\//.exec(path)?.[1]);
  if (from !== to && layers[from] !== undefined && layers[to] !== undefined && !layers[from].includes(to)) {
    return `${from} does not build on ${to}`;
  }
  if (records.test(imported)) return undefined;
  const [ofChapter = "", toChapter = ""] = chaptersOf(file, imported) ?? [];
  if (chapters[ofChapter]?.includes(toChapter) === false)
    return `the chapter ${ofChapter} does not build on ${toChapter}`;
  const [folder] = closed.exec(imported) ?? [];
  if (folder === undefined || file.startsWith(`${folder}/`) || imported === `${folder}/index.ts`) return undefined;
  return `${folder} is used through its index.ts${folder.startsWith("modules/") ? " and its records" : ""}`;
}

/** The chapter of a file and the other one that it imports more than records of. */
export function chaptersOf(file: string, imported: string): readonly [string, string] | undefined {
  const [from, to] = [file, imported].map((path) => /^modules\/(?!kernel\/)([^/]+)\/[^/]+\//.exec(path)?.[1]);
  return from === undefined || to === undefined || from === to || records.test(imported) ? undefined : [from, to];
}

/**
 * The imports that no records file may have, those of the files of its folder that it imports included: of services, and of
 * other modules anything but records.
 */
export function recordsFaults(graph: ImportGraph, file: string): string[] {
  if (!records.test(file)) return [];
  const folder = `${dirname(file)}/`;
  const reached = new Set([file]);
  const faults: string[] = [];
  for (const each of reached) {
    for (const imported of graph.get(each) ?? []) {
      if (!/^modules\/(?!kernel\/)/.test(imported) || records.test(imported)) continue;
      const isOwn = imported.startsWith(folder);
      if (isOwn && !aboveRecords.test(imported.slice(folder.length))) reached.add(imported);
      else faults.push(`${each} imports ${imported}: records lie below ${isOwn ? "services" : "other modules"}`);
    }
  }
  return faults;
}
