import pLimit from "p-limit";
import { accessLevels } from "../../domain/access-level.ts";
import {
  branchPrefix,
  type Commit,
  type RepositoryWriter,
  type Signature,
  type TreeEntry,
  tagPrefix,
  writeFileTree,
} from "../../git/index.ts";
import { dayMs } from "../../lib/datetime.ts";
import { projects } from "../../modules/groups-and-projects/projects/records.ts";
import { insertDefaultRule } from "../../modules/repositories/protected-branches/index.ts";
import { placeOf } from "../../modules/repositories/repositories/index.ts";
import { type Organisation, type Person, randomMember, type SeededProject } from "../organisation.ts";
import { histories, type PlannedCommit } from "../vocabulary/files.ts";

/** The number of repositories with files at every scale, since a history needs some dozens of synced files. */
const repositoriesMax = 40;
/** The number of histories that are written at once, since each mostly waits for the disk. */
const atOnce = 6;

/** True when the project has commits. Some quiet ones have none yet. */
export function hasHistory({ isEmpty, weight, topic, company }: SeededProject): boolean {
  return !isEmpty && (weight >= 2 || topic === "design" || company === "weathervane");
}

/** Writes the histories of the busiest projects. The others stay empty. */
export async function seedRepositories(organisation: Organisation): Promise<void> {
  const { context, writing } = organisation;
  const filled = organisation.projects.filter(hasHistory).slice(0, repositoriesMax);
  const limit = pLimit(atOnce);
  const begun = filled.map((project) =>
    limit(async () => {
      const history = await writeHistory(organisation, project);
      return { project, ...history };
    }),
  );
  // On a full disk each of them fails. None may still be writing when the seed ends.
  await Promise.allSettled(begun);
  const written = await Promise.all(begun);
  await writing.runOne(context.store, () => {
    for (const { project, history, bytes } of written) {
      const sizes = { commit_count: history.commits.length, repository_size: bytes, storage_size: bytes };
      const changed = { ...project.record, default_branch: "main", readme: "README.md", statistics: sizes };
      project.record = writing.update(projects, changed);
      insertDefaultRule(writing, context, project.record, "main", project.record.created_at);
      project.history = history;
      const last = history.commits.at(-1) as Commit;
      project.lastActivity = Math.max(project.lastActivity, last.committer.timestamp * 1000);
    }
  });
}

function writeHistory(organisation: Organisation, project: SeededProject) {
  const { context, until } = organisation;
  const random = organisation.random(`repository ${project.path}`);
  const plan = histories[project.topic];
  const end = project.isArchived ? project.since + 0.5 * (until - project.since) : until - 3 * dayMs;
  const times = plan.main.map((_, at) => {
    const share = (at + 0.8 * random.fraction()) / plan.main.length;
    return project.since + dayMs + share * (end - project.since - dayMs);
  });
  const authors = times.map((time) => randomMember(random, project, time, accessLevels.developer));
  const signatureOf = ({ user: { name, email } }: Person, time: number): Signature => {
    return { name, email, timestamp: Math.floor(organisation.shown(time) / 1000) };
  };
  const place = placeOf(project.record);
  return context.repositories.write(
    place,
    () => place,
    async (writer) => {
      const draft = new Draft(writer, project);
      for (const [at, planned] of plan.main.entries()) {
        await draft.commit(planned, signatureOf(authors[at] as Person, times[at] as number));
      }
      const main = [...draft.oids];
      const branches: [string, string][] = [];
      const tip = times.at(-1) as number;
      for (const [name, planned] of Object.entries(plan.branches)) {
        const author = randomMember(random, project, tip, accessLevels.developer);
        branches.push([name, await draft.aside(planned, signatureOf(author, tip + random.integer(1, 40) * 3_600_000))]);
      }
      const tags: [string, string, string][] = [];
      for (const [name, at] of tagsOf(main.length)) {
        const time = (times[at] as number) + 2 * 3_600_000;
        const oid = main[at] as string;
        const tagger = signatureOf(project.founder, time);
        tags.push([name, await writer.writeTag(name, oid, `Version ${name.slice(1)}`, tagger), oid]);
      }
      const bytes = await writer.update(`${branchPrefix}main`, main.at(-1) as string, "main");
      for (const [name, oid] of branches) await writer.update(`${branchPrefix}${name}`, oid);
      for (const [name, oid] of tags) await writer.update(`${tagPrefix}${name}`, oid);
      const commitAt = async (oid: string) => (await writer.commitOf(oid)) as Commit;
      const ciFile = plan.main.map(({ files }) => files[".gitlab-ci.yml"]).findLast((text) => text !== undefined);
      const history = {
        commits: await Promise.all(main.map(commitAt)),
        branches: await Promise.all(branches.map(async ([name, oid]) => ({ name, commit: await commitAt(oid) }))),
        tags: await Promise.all(tags.map(async ([name, , oid]) => ({ name, commit: await commitAt(oid) }))),
        ciFile,
        ciSince: plan.main.findIndex(({ files }) => files[".gitlab-ci.yml"] !== undefined),
      };
      return { history, bytes };
    },
  );
}

/** Returns the tags, each with the number of its commit. */
function tagsOf(commits: number): [string, number][] {
  if (commits < 4) return [];
  return commits < 6
    ? [["v0.1.0", commits - 2]]
    : [
        ["v0.1.0", 2],
        ["v0.2.0", 3],
        ["v1.0.0", commits - 1],
      ];
}

/** Commits one after another. It keeps the files in memory, since unsaved objects cannot be read. */
class Draft {
  readonly oids: string[] = [];
  readonly #writer: RepositoryWriter;
  readonly #name: string;
  readonly #about: string;
  readonly #files = new Map<string, TreeEntry>();

  constructor(writer: RepositoryWriter, { record }: SeededProject) {
    this.#writer = writer;
    this.#name = record.name;
    this.#about = record.description === null ? "" : `${record.description}.\n\n`;
  }

  async commit(planned: PlannedCommit, author: Signature): Promise<void> {
    for (const [path, entry] of await this.#write(planned)) this.#files.set(path, entry);
    this.oids.push(await this.#commit(this.#files, planned.message, author));
  }

  /** Adds a commit of a branch, on which later commits do not build. */
  async aside(planned: PlannedCommit, author: Signature): Promise<string> {
    return this.#commit(new Map([...this.#files, ...(await this.#write(planned))]), planned.message, author);
  }

  async #write({ files }: PlannedCommit): Promise<[string, TreeEntry][]> {
    const written: [string, TreeEntry][] = [];
    for (const [path, text] of Object.entries(files)) {
      const filled = text.replaceAll("{name}", this.#name).replaceAll("{about}", this.#about);
      const oid = await this.#writer.writeBlob(new TextEncoder().encode(filled));
      written.push([path, { mode: "100644", path, oid, type: "blob" }]);
    }
    return written;
  }

  async #commit(files: ReadonlyMap<string, TreeEntry>, message: string, author: Signature): Promise<string> {
    const tree = await writeFileTree(this.#writer, files);
    const parents = this.oids.slice(-1);
    return this.#writer.writeCommit({ message, tree, parents, author, committer: author });
  }
}
