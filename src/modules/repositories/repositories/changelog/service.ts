import type { Caller, SignedInCaller } from "../../../../domain/caller.ts";
import { Failure, forbidden, notFound, unprocessable } from "../../../../domain/failure.ts";
import { requestPace } from "../../../../domain/work-budget.ts";
import { type Commit, isFilePath, type Repository, type RepositoryWriter } from "../../../../git/index.ts";
import { type DateTime, toDateTime } from "../../../../lib/datetime.ts";
import { projectPathOf } from "../../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { canPush, commitChanges } from "../commits/service-create.ts";
import { resolveCommit } from "../commits/service-read.ts";
import { defaultBranchOf, readRepository, writeRepository } from "../service-repository-access.ts";
import { trailersOf } from "../trailers.ts";
import { categoriesIn } from "./categories.ts";
import { type ChangelogEntry, renderSection, withSection } from "./sections.ts";
import { compareVersions, parseVersion, type Version } from "./versions.ts";

export interface ChangelogRequest {
  readonly version: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly date?: DateTime | undefined;
  readonly trailer?: string | undefined;
  readonly config_file?: string | undefined;
  readonly config_file_ref?: string | undefined;
}

export interface ChangelogChange extends ChangelogRequest {
  readonly branch?: string | undefined;
  readonly file?: string | undefined;
  readonly message?: string | undefined;
}

/** Commits of one section. */
const commitsMax = 15_000;
/** Bytes of a changelog that gets a section, and of a file of settings. */
const [fileBytesMax, configBytesMax] = [4 << 20, 64 << 10];

/** `GET .../changelog`: the section. Throws 400, 403, 404 `Commit Not Found`, 422, and `OverBudget`. */
export function getChangelog(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  request: ChangelogRequest,
): Promise<string> {
  const version = versionOf(request);
  return readRepository(context, caller, project, (repository) =>
    makeSection(context, repository, project, { ...request, parsed: version }),
  );
}

/** `POST .../changelog`: puts the section into a file. Throws 400, 403, 404 `Commit Not Found`, 422, and `OverBudget`. */
export function createChangelog(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  change: ChangelogChange,
  baseUrl: string,
): Promise<void> {
  const parsed = versionOf(change);
  return writeRepository(context, caller, project, async (writer, now) => {
    const branches = await writer.branches();
    const branch = change.branch || (await defaultBranchOf(writer, now)) || "main";
    if (!canPush(context, caller, now, { branch, isEmpty: branches.size === 0 })) {
      throw forbidden("You are not allowed to commit a changelog on this branch");
    }
    const section = await makeSection(context, writer, now, { ...change, parsed, to: change.to || branch });
    const path = change.file || "CHANGELOG.md";
    const before = await textAt(writer, branch, path, fileBytesMax);
    const content = Buffer.from(withSection(before ?? "", section, parsed));
    const actions = [{ kind: before === undefined ? ("create" as const) : ("update" as const), path, content }];
    const message = change.message || `Add changelog for version ${withoutV(change.version)}`;
    const author = { name: undefined, email: undefined };
    const staleText = (_: unknown, stale: string) => `The file has changed since you started editing it: ${stale}`;
    await commitChanges(context, caller, writer, now, { branch, message, author, actions }, { baseUrl, staleText });
  });
}

function withoutV(version: string): string {
  return version.replace(/^v/, "");
}

/** Throws 400. */
function versionOf({ version }: ChangelogRequest): Version {
  const parsed = parseVersion(version);
  if (parsed === undefined) throw new Failure("parameters", { error: "version is invalid" });
  return parsed;
}

async function makeSection(
  { clock, store }: Context,
  repository: Repository | RepositoryWriter,
  project: ProjectRecord,
  request: ChangelogRequest & { readonly parsed: Version },
): Promise<string> {
  const { version, parsed, trailer = "Changelog", date = toDateTime(clock.now()) } = request;
  const branch = await defaultBranchOf(repository, project);
  const to = await resolveCommit(repository, request.to || branch || "HEAD");
  const left = request.from
    ? await resolveCommit(repository, request.from)
    : await findCommitOfVersionBefore(repository, parsed);
  const titles = await titlesOf(repository, request, branch);
  const projectPath = projectPathOf(store, project);
  const categories = new Map<string, ChangelogEntry[]>();
  for (const { oid, message } of await commitsIn(repository, left, to)) {
    const { trailers } = trailersOf(message);
    const value = Object.hasOwn(trailers, trailer) ? trailers[trailer] : undefined;
    if (value === undefined) continue;
    const name = titles.get(value) ?? value;
    const entries = categories.get(name) ?? [];
    entries.push({ title: (message.split("\n", 1)[0] as string).trim(), reference: `${projectPath}@${oid}` });
    categories.set(name, entries);
  }
  return renderSection(withoutV(version), date.slice(0, "2021-11-17".length), categories);
}

function failed(reason: string): Failure {
  return unprocessable(`Failed to generate the changelog: ${reason}`);
}

/** The commit of the newest version before another one, which is no prerelease. Throws 422. */
async function findCommitOfVersionBefore(repository: Repository, version: Version): Promise<Commit> {
  let [newest, found] = [undefined as Version | undefined, undefined as string | undefined];
  for (const [name, oid] of await repository.tags()) {
    const tag = parseVersion(name);
    if (tag === undefined || tag.prerelease !== undefined || tag.build !== undefined) continue;
    if (compareVersions(tag, version) >= 0 || (newest !== undefined && compareVersions(tag, newest) <= 0)) continue;
    [newest, found] = [tag, oid];
  }
  const commit = found === undefined ? undefined : await repository.commitOf(found);
  if (commit !== undefined) return commit;
  throw failed("The commit start range is unspecified, and no previous tag could be found to use instead");
}

const revertText = /^This reverts commit ([0-9a-f]{40})/m;

/** The commits of a range, the newest first, without those that others of them take back, and without these. */
async function commitsIn(repository: Repository, left: Commit, right: Commit): Promise<Commit[]> {
  const options = { pace: requestPace() };
  const within = await repository.range({ left, right, isSymmetric: false });
  if (within.size > commitsMax) throw failed(`The range has more than ${commitsMax} commits`);
  const reverted = new Set<string>();
  const commits: Commit[] = [];
  for await (const commit of repository.history([right], { ...options, within })) {
    if (reverted.has(commit.oid)) continue;
    const [, oid] = revertText.exec(commit.message) ?? [];
    if (oid === undefined) commits.push(commit);
    else reverted.add(oid);
  }
  return commits;
}

/** The titles of categories that the project's settings give to values of the trailer. Throws 422 for settings that are none. */
async function titlesOf(
  repository: Repository,
  { config_file, config_file_ref }: ChangelogRequest,
  branch: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const ref = config_file_ref || branch;
  const path = config_file || ".gitlab/changelog_config.yml";
  const text = ref === undefined ? undefined : await textAt(repository, ref, path, configBytesMax);
  if (text === undefined) return new Map();
  const titles = categoriesIn(text);
  if (titles === undefined) throw failed("The configuration of the changelog is invalid");
  return titles;
}

/** The text of a file; undefined where there is none. Throws 404 `Commit Not Found`, and 422 for a large one. */
async function textAt(
  repository: Repository,
  ref: string,
  path: string,
  bytesMax: number,
): Promise<string | undefined> {
  const commit = await repository.resolve(ref);
  if (commit === undefined) throw notFound("Commit");
  const entry = isFilePath(path) ? await repository.entryAt(commit.tree, path) : undefined;
  if (entry?.type !== "blob") return undefined;
  if ((await repository.blobSize(entry.oid)) > bytesMax) throw failed(`${path} is too large`);
  return Buffer.from(await repository.blob(entry.oid)).toString();
}
