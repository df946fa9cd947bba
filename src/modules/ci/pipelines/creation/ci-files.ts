/** The files of a repository that a CI file includes. */

import { requestPace } from "../../../../domain/work-budget.ts";
import {
  branchPrefix,
  type Commit,
  mergeBase,
  noOid,
  type Repository,
  type TreeEntry,
  tagPrefix,
} from "../../../../git/index.ts";
import { sorting } from "../../../../lib/sorting.ts";
import { compareText } from "../../../../lib/text/unicode.ts";
import { takeSteps } from "../../../../lib/yield.ts";
import { Access, canReadCode } from "../../../core/access/index.ts";
import { findProjectByPath } from "../../../core/namespaces/index.ts";
import { type ProjectRecord, projectSettingOf } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { placeOf } from "../../../repositories/repositories/index.ts";
import type { CiFiles, Comparison, RepositoryFiles } from "../../ci-config/index.ts";
import { artifactReaderOf } from "./artifact-files.ts";
import type { FoundRef } from "./refs.ts";
import type { PipelineRequest } from "./service-create.ts";

/** The size limit of a CI file. */
const ciFileBytesMax = 1024 * 1024;
/** The user who asks for included files, and the pipeline. */
type Asking = Pick<PipelineRequest, "user" | "project" | "source" | "ref" | "upstreamJobId">;
/** Stands for such a file: it is no YAML. */
const tooBig = "too big: [";
/** Entries of folders that are listed for one pipeline; of larger repositories the answer is not known. */
const entriesMax = 50_000;
/** Characters of their paths: all are sorted, compared with patterns, and held until the pipeline is planned. */
const pathCharactersMax = 4_000_000;

/** The files that the plan of one pipeline has looked at. */
interface Plan {
  readonly request: Asking;
  readonly commit: Commit;
  /** Of other projects, by project and commit: a file may include the same ones a hundred times. */
  readonly places: Map<string, CiFiles>;
  /** The entries and characters that may still be listed. */
  readonly room: { entries: number; characters: number };
  readonly artifact: CiFiles["artifact"];
}

/** The text of a file that describes pipelines; undefined when there is none. */
async function fileAt(repository: Repository, commit: Commit, path: string): Promise<string | undefined> {
  const entry = await repository.entryAt(commit.tree, path);
  if (entry?.type !== "blob") return undefined;
  if ((await repository.blobSize(entry.oid)) > ciFileBytesMax) return tooBig;
  return new TextDecoder().decode(await repository.blob(entry.oid));
}

/** The text of the CI file of a commit; undefined when there is none. */
export function findCiFile(
  repository: Repository,
  project: ProjectRecord,
  { commit }: FoundRef,
): Promise<string | undefined> {
  return fileAt(repository, commit, ciFilePathOf(project));
}

/** The path of the CI file of a project. */
export function ciFilePathOf(project: ProjectRecord): string {
  return projectSettingOf(project, "ci_config_path") || ".gitlab-ci.yml";
}

/** The files of a commit, for the CI file among them; `beforeSha` is what a push moved the branch from. */
export function ciFilesOf(
  context: Context,
  request: Asking,
  repository: Repository,
  commit: Commit,
  beforeSha = noOid,
): CiFiles {
  const room = { entries: entriesMax, characters: pathCharactersMax };
  const artifact = artifactReaderOf(context, request);
  const plan: Plan = { request, commit, places: new Map(), room, artifact };
  return {
    sha: commit.oid,
    tag: undefined,
    read: (path) => fileAt(repository, commit, path),
    files: once(() => filesOf(repository, commit, beforeSha, plan)),
    changedSince: (ref) => changedSince(repository, commit, ref, plan),
    artifact,
    of: (project, ref) => filesElsewhere(context, plan, project, ref),
  };
}

/** Returns the files of a project, if the user may read its code. */
async function filesElsewhere(
  context: Context,
  plan: Plan,
  path: string,
  ref: string | undefined,
): Promise<CiFiles | "no project" | "no ref"> {
  const { store, repositories } = context;
  const { request } = plan;
  const access = context.get(Access);
  const project = findProjectByPath(store, path);
  const isSeen =
    project !== undefined && access.canSeeProject(request.user, project) && canReadCode(context, request.user, project);
  if (!isSeen) return "no project";
  const wanted = ref ?? project.default_branch ?? "";
  const read = <R>(work: (repository: Repository) => Promise<R>) => repositories.read(placeOf(project), work);
  const isPushed = request.source === "push" && project.id === request.project.id;
  const commit = await read(async (repository) => {
    // The ref is switched only after the pipeline of the push is planned.
    if (isPushed && [wanted, `${tagPrefix}${wanted}`].includes(request.ref)) return plan.commit;
    if (isPushed && request.ref === `${branchPrefix}${wanted}` && !(await repository.tag(wanted))) return plan.commit;
    return repository.resolve(wanted);
  });
  if (commit === undefined) return "no ref";
  const key = `${project.id} ${commit.oid} ${wanted}`;
  const found = plan.places.get(key) ?? {
    sha: commit.oid,
    tag: (await read((repository) => repository.tag(wanted))) === undefined ? undefined : wanted,
    read: (file) => read((repository) => fileAt(repository, commit, file)),
    files: once(() => read((repository) => filesOf(repository, commit, noOid, plan))),
    changedSince: (since) => read((repository) => changedSince(repository, commit, since, plan)),
    artifact: plan.artifact,
    of: (next, nextRef) => filesElsewhere(context, plan, next, nextRef),
  };
  plan.places.set(key, found);
  return found;
}

/** The list of files is read once, for all rules. */
function once<R>(work: () => Promise<R>): () => Promise<R> {
  let answer: Promise<R> | undefined;
  return () => {
    answer ??= work();
    return answer;
  };
}

async function filesOf(
  repository: Repository,
  { tree }: Commit,
  beforeSha: string,
  { room }: Plan,
): Promise<RepositoryFiles> {
  const before = beforeSha === noOid ? undefined : await repository.commitOf(beforeSha);
  return {
    all: await pathsIn(repository, undefined, tree, room),
    changed: before === undefined ? undefined : await pathsIn(repository, before.tree, tree, room),
  };
}

/** Paths of the files that were changed since the commit where a branch left another one. */
async function changedSince(repository: Repository, commit: Commit, ref: string, { room }: Plan): Promise<Comparison> {
  const other = ref === "" ? undefined : await repository.resolve(ref);
  if (other === undefined) return "no ref";
  const base = await mergeBase(repository, other, commit);
  return base === undefined ? undefined : pathsIn(repository, base.tree, commit.tree, room);
}

/** Paths of the files that two trees do not have in common; of all files without a first tree. undefined: too many. */
async function pathsIn(
  repository: Repository,
  before: string | undefined,
  after: string,
  room: Plan["room"],
): Promise<string[] | undefined> {
  const open = [{ at: "", before, after: after as string | undefined }];
  const paths: string[] = [];
  const pace = requestPace();
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const [old, now] = await Promise.all([folder.before, folder.after].map((oid) => entriesOf(repository, oid)));
    for (const name of namesIn(old, now)) {
      await pace();
      room.entries -= 1;
      room.characters -= folder.at.length + name.length;
      if (room.entries < 0 || room.characters < 0) return undefined;
      const [one, other] = [old?.get(name), now?.get(name)];
      if (one?.oid === other?.oid && one?.mode === other?.mode) continue;
      const trees = [one, other].map((entry) => (entry?.type === "tree" ? entry.oid : undefined));
      if (trees.some(Boolean)) open.push({ at: `${folder.at}${name}/`, before: trees[0], after: trees[1] });
      if ([one, other].some((entry) => entry !== undefined && entry.type !== "tree")) paths.push(folder.at + name);
    }
  }
  return takeSteps(sorting(paths, compareText), pace);
}

type Entries = ReadonlyMap<string, TreeEntry>;

async function entriesOf(repository: Repository, oid: string | undefined): Promise<Entries> {
  const entries = new Map<string, TreeEntry>();
  if (oid !== undefined) await repository.visitTree(oid, (entry) => entries.set(entry.path, entry));
  return entries;
}

/** Each name in one of two folders. */
function* namesIn(old: Entries | undefined, now: Entries | undefined): Generator<string> {
  yield* old?.keys() ?? [];
  for (const name of now?.keys() ?? []) if (old?.has(name) !== true) yield name;
}
