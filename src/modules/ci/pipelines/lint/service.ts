import type { SignedInCaller } from "../../../../domain/caller.ts";
import { Failure, forbidden, notFound } from "../../../../domain/failure.ts";
import { type Commit, noOid, type Repository } from "../../../../git/index.ts";
import type { OneAtATime } from "../../../../lib/one-at-a-time.ts";
import { canReadCode } from "../../../core/access/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { placeOf } from "../../../repositories/repositories/index.ts";
import {
  Budget,
  type CiFile,
  type CiFiles,
  type Comparison,
  faultsOf,
  Includes,
  mergedText,
  readMapping,
  warningsOf,
} from "../../ci-config/index.ts";
import { ciFilesOf, findCiFile } from "../creation/ci-files.ts";
import type { PlannedJobs } from "../creation/plan.ts";
import { CiFileWork, planInTurn } from "../creation/plan-queue.ts";
import { PredefinedVariables } from "../creation/predefined-variables.ts";
import { type FoundRef, findRef } from "../creation/refs.ts";
import { type PipelineRequest, planPipeline, predefinedSourceOf } from "../creation/service-create.ts";

/** A file that a CI file includes. */
export interface IncludedFile {
  readonly path: string;
  /** The other project that it is of, and the ref there. */
  readonly elsewhere?: { readonly project: string; readonly ref: string | undefined };
  /** The component that it describes, and the commit that it is of. */
  readonly component?: { readonly address: string; readonly sha: string };
}

/** The result of a check of a CI file. */
export interface LintResult {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The file with all that it includes, extends and refers to; null where that was not read. */
  readonly merged: string | null;
  readonly includes: readonly IncludedFile[] | null;
  /** The commit that included files are of. */
  readonly commit: Commit | undefined;
  /** Jobs of the file, or of the pipeline that was planned. */
  readonly jobs: CiFile | PlannedJobs | undefined;
}

/** A text to check: where it stands, and for whom. */
interface Linting {
  readonly project: ProjectRecord;
  readonly caller: SignedInCaller;
  readonly baseUrl: string;
  readonly isDryRun: boolean;
  /** The branch or tag of the planned pipeline. */
  readonly ref: string | undefined;
}

/** Checks the CI file of a project. Throws 403 for those who may not read the code, and 404 without a repository or commit. */
export async function lintProject(
  context: Context,
  linting: Linting,
  contentRef: string | undefined,
): Promise<LintResult> {
  const { project, caller } = linting;
  if (!canReadCode(context, caller.user, project)) throw forbidden();
  if (project.default_branch === null) throw notFound("Repository");
  const content = await planInTurn(context, caller.user, () =>
    context.repositories.read(placeOf(project), async (repository) => {
      const commit = await repository.resolve(contentRef ?? project.default_branch ?? "");
      if (commit === undefined) throw notFound("Commit");
      return { commit, text: (await findCiFile(repository, project, { name: "", tag: false, commit })) ?? "" };
    }),
  );
  return lint(context, linting, content.text, content.commit);
}

/** Checks the text of a CI file, as if it were in the default branch of a project. */
export async function lintContent(context: Context, linting: Linting, text: string): Promise<LintResult> {
  return lint(context, linting, text, undefined);
}

const empty = { warnings: [], merged: null, includes: null, commit: undefined, jobs: undefined };

async function lint(context: Context, linting: Linting, text: string, at: Commit | undefined): Promise<LintResult> {
  if (text.trim() === "") return { ...empty, errors: ["Please provide content of .gitlab-ci.yml"] };
  const read = await readAlone(context, linting, text, at);
  return linting.isDryRun ? plan(context, linting, text, read) : read;
}

/** Plans a pipeline of the text, and tells what a request for one is told. */
async function plan(context: Context, linting: Linting, text: string, read: LintResult): Promise<LintResult> {
  const { project, caller, baseUrl, ref = project.default_branch ?? "" } = linting;
  try {
    const request = { project, user: caller.user, ref, source: "push", variables: [], baseUrl, content: text } as const;
    const { outcome } = await planPipeline(context, request);
    return "yamlError" in outcome ? { ...read, errors: [outcome.yamlError] } : { ...read, jobs: outcome };
  } catch (error) {
    if (!(error instanceof Failure && error.kind === "invalid")) throw error;
    return { ...empty, errors: baseErrorsOf(error) };
  }
}

function baseErrorsOf({ body }: Failure): string[] {
  const { message } = body as { readonly message?: { readonly base?: readonly string[] } };
  return [...(message?.base ?? [])];
}

/** Reads the text with what it includes, without a pipeline. */
function readAlone(context: Context, linting: Linting, text: string, at: Commit | undefined): Promise<LintResult> {
  const { project, caller } = linting;
  const work = context.get(CiFileWork);
  if (project.default_branch === null) return readWith(work, new RecordedFiles(undefined), new Map(), text, undefined);
  return planInTurn(context, caller.user, () =>
    context.repositories.read(placeOf(project), async (repository) => {
      const found = await foundFor(linting, repository, at);
      if (found === undefined) return readWith(work, new RecordedFiles(undefined), new Map(), text, undefined);
      const { files, predefined } = sourcesOf(context, linting, repository, found);
      return readWith(work, new RecordedFiles(files), predefined, text, found.commit);
    }),
  );
}

/** A planned pipeline includes files of its own ref, and a mere check those of the commit that the text is of. */
async function foundFor(
  { project, isDryRun, ref }: Linting,
  repository: Repository,
  at: Commit | undefined,
): Promise<FoundRef | undefined> {
  const name = project.default_branch ?? "";
  if (isDryRun) {
    const found = await findRef(repository, ref ?? name);
    return typeof found === "string" ? undefined : found;
  }
  const commit = at ?? (await repository.resolve(name));
  return commit === undefined ? undefined : { name, tag: false, commit };
}

function sourcesOf(context: Context, { project, caller, baseUrl }: Linting, repository: Repository, found: FoundRef) {
  const { name: ref, commit } = found;
  const request: PipelineRequest = { project, user: caller.user, ref, source: "push", variables: [], baseUrl };
  return {
    files: ciFilesOf(context, request, repository, commit),
    predefined: new PredefinedVariables(predefinedSourceOf(context, request, found, noOid, { value: 0 }), "include"),
  };
}

async function readWith(
  work: OneAtATime,
  files: RecordedFiles,
  predefined: Pick<ReadonlyMap<string, string>, "get">,
  text: string,
  commit: Commit | undefined,
): Promise<LintResult> {
  const budget = new Budget();
  let merged: string | null = null;
  const told = (errors: readonly string[]) => ({ ...empty, errors, merged, includes: files.included, commit });
  try {
    const mapping = await new Includes(new Map(), predefined, work, budget).read(text, files);
    merged = await work.run(() => mergedText(mapping, budget));
    const file = await work.run(() => readMapping(mapping, budget, text));
    return { ...told([]), warnings: warningsOf(file), jobs: file };
  } catch (error) {
    const faults = faultsOf(error);
    if (faults === undefined) throw error;
    return told(faults);
  }
}

/** The files of a commit, which remembers those that are read. */
class RecordedFiles implements CiFiles {
  readonly included: IncludedFile[];
  readonly #files: CiFiles | undefined;
  readonly #elsewhere: IncludedFile["elsewhere"];

  constructor(files: CiFiles | undefined, elsewhere?: IncludedFile["elsewhere"], included: IncludedFile[] = []) {
    this.#files = files;
    this.#elsewhere = elsewhere;
    this.included = included;
  }

  get sha(): string {
    return this.#files?.sha ?? "";
  }

  get tag(): string | undefined {
    return this.#files?.tag;
  }

  async read(path: string, address?: string): Promise<string | undefined> {
    const text = await this.#files?.read(path);
    const elsewhere = this.#elsewhere;
    const component = address === undefined ? undefined : { address, sha: this.sha };
    if (text !== undefined) {
      this.included.push({
        path,
        ...(elsewhere === undefined ? {} : { elsewhere }),
        ...(component === undefined ? {} : { component }),
      });
    }
    return text;
  }

  async files() {
    return (await this.#files?.files()) ?? { all: [], changed: undefined };
  }

  async changedSince(ref: string): Promise<Comparison> {
    return this.#files?.changedSince?.(ref);
  }

  async of(project: string, ref: string | undefined): ReturnType<CiFiles["of"]> {
    const found = (await this.#files?.of(project, ref)) ?? "no project";
    return typeof found === "string" ? found : new RecordedFiles(found, { project, ref }, this.included);
  }
}
