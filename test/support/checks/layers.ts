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
  repositories: ["core", "planning"],
  accounts: ["core", "planning"],
  discussions: ["core", "planning", "repositories"],
  notifications: ["core", "planning", "discussions"],
  "groups-and-projects": ["core", "members", "notifications", "planning", "repositories"],
  ci: ["core", "groups-and-projects", "notifications", "repositories"],
  registries: ["core", "ci"],
  monitoring: ["core", "notifications", "planning", "admin"],
  admin: ["core", "repositories"],
};

/** Folders that others use through their `index.ts` alone. */
const closed = /^(?:store|git|modules\/(?!kernel\/)[^/]+\/[^/]+)(?=\/)/;

/** The reason why a file of `src` may not import another one; undefined: it may. */
export function importFault(file: string, imported: string): string | undefined {
  const [from = "", to = ""] = [file, imported].map((path) => /^([^/]+)\//.exec(path)?.[1]);
  if (from !== to && layers[from] !== undefined && layers[to] !== undefined && !layers[from].includes(to)) {
    return `${from} does not build on ${to}`;
  }
  const [ofChapter, toChapter] = [file, imported].map((path) => /^modules\/([^/]+)\/[^/]+\//.exec(path)?.[1]);
  const known = ofChapter === undefined ? undefined : chapters[ofChapter];
  if (known !== undefined && toChapter !== undefined && toChapter !== "kernel" && toChapter !== ofChapter) {
    if (!known.includes(toChapter)) return `the chapter ${ofChapter} does not build on ${toChapter}`;
  }
  const [folder] = closed.exec(imported) ?? [];
  if (folder === undefined || file.startsWith(`${folder}/`) || imported === `${folder}/index.ts`) return undefined;
  return `${folder} is used through its index.ts`;
}
