/** The owner of a repository: a project, a snippet, or a group with a wiki. */
export type RepositoryKind = "project" | "snippet" | "group_wiki";

/** A repository on any storage. */
export interface RepositoryRef {
  readonly kind: RepositoryKind;
  /** The id of the project, snippet or group. */
  readonly id: number;
}

/** A repository on the storage that it is on now. */
export interface RepositoryPlace extends RepositoryRef {
  /** Name of the storage. */
  readonly storage: string;
}

/**
 * The folder of a repository below its storage, without `.git` (groups-and-projects 3.1, "storage"). It is made of the id,
 * so renaming and moving a project touches no files; two levels of 256 folders keep each of them small.
 */
export function diskPathOf({ kind, id }: RepositoryRef): string {
  const hash = Bun.CryptoHasher.hash("sha256", hashed[kind](id), "hex");
  return `${kind === "snippet" ? "@snippets" : "@hashed"}/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}${kind === "group_wiki" ? ".wiki" : ""}`;
}

/** The text that is hashed: groups have a number space of their own below the same folder. */
const hashed: Readonly<Record<RepositoryKind, (id: number) => string>> = {
  project: (id) => String(id),
  snippet: (id) => String(id),
  group_wiki: (id) => `group-${id}`,
};

/** The folder beside a received pack, whose path has no ending, for its objects that are files of their own. */
export function ownFilesOf(received: string): string {
  return `${received}.objects`;
}
