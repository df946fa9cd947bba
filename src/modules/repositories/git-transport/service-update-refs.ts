import type { SignedInCaller } from "../../../domain/caller.ts";
import { Failure } from "../../../domain/failure.ts";
import {
  branchPrefix,
  noOid,
  type PushRequest,
  type Received,
  type ReceivedRef,
  type RefCommand,
  type RepositoryWriter,
} from "../../../git/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import {
  type Push,
  prepareCommit,
  prepareDeletion,
  prepareOtherRef,
  prepareRef,
  recordActivity,
  recordPutBack,
} from "../repositories/index.ts";
import { pipelinesOf } from "./push-options.ts";

const failed = "failed to update ref";

interface Scene {
  readonly caller: SignedInCaller;
  readonly project: ProjectRecord;
  readonly baseUrl: string;
}

interface Checked {
  readonly request: PushRequest;
  readonly received: Received;
  /** By command, why it cannot be carried out. */
  readonly faults: readonly (string | undefined)[];
  /** Makes the received objects a part of the repository. */
  install(): Promise<void>;
}

/** The outcome of the commands of a push. */
interface Updated {
  /** By command, why it was not carried out. */
  readonly refusals: readonly (string | undefined)[];
  /** Sentences about them for the user. */
  readonly texts: readonly string[];
}

/**
 * Installs the objects of a push, when one of its refs is to name some, prepares all commands, and switches the refs. Throws where one
 * cannot be prepared: then no ref has changed.
 */
export async function updateRefs(
  context: Context,
  scene: Scene,
  writer: RepositoryWriter,
  { request, received, faults, install }: Checked,
): Promise<Updated> {
  const { commands, capabilities } = request;
  const refusals: (string | undefined)[] = [...faults];
  const refs = await writer.refs();
  const named = Map.groupBy(commands, ({ ref }) => ref);
  for (const [at, command] of commands.entries()) {
    refusals[at] ??= named.get(command.ref)?.length === 1 ? oldFault(refs, command) : failed;
  }
  const isBlocked = blockedAfter(
    refs,
    commands.filter((_, at) => refusals[at] === undefined),
  );
  for (const [at, { ref, after }] of commands.entries()) {
    if (after !== noOid && refusals[at] === undefined && isBlocked(ref)) refusals[at] = failed;
  }
  if (capabilities.has("atomic") && refusals.some((refusal) => refusal !== undefined)) {
    return { refusals: refusals.map((refusal) => refusal ?? "atomic push failure"), texts: [] };
  }
  const first = (await writer.branches()).size === 0 ? await firstBranch(writer, commands, refusals) : undefined;
  const pipelines = pipelinesOf(commands, request.options);
  if (commands.some(({ after }, at) => after !== noOid && refusals[at] === undefined)) await install();
  const refCount = commands.filter(({ ref }, at) => refusals[at] === undefined && isBranchOrTag(ref)).length;
  const changes: Change[] = [];
  for (const at of inOrder(commands, first)) {
    if (refusals[at] !== undefined) continue;
    const command = commands[at] as RefCommand;
    const how = { first, pipeline: pipelines[at], refCount };
    changes.push({ at, command, apply: await changeOf(context, scene, writer, command, received.refs[at], how) });
  }
  const failures = await applyAll(context, scene.project, writer, changes, capabilities.has("atomic"));
  return {
    refusals: refusals.map((refusal, at) => refusal ?? (failures.has(at) ? failed : undefined)),
    texts: [...new Set(failures.values())],
  };
}

/** A command that is prepared, and whose ref is not switched yet. */
interface Change {
  readonly at: number;
  readonly command: RefCommand;
  apply(): Promise<void>;
}

/**
 * Switches refs one after the other. Returns the reasons of those that failed, by the places of their commands. Of an atomic push
 * the first failure puts all back, and is thrown.
 */
async function applyAll(
  context: Context,
  project: ProjectRecord,
  writer: RepositoryWriter,
  changes: readonly Change[],
  isAtomic: boolean,
): Promise<ReadonlyMap<number, string>> {
  const failures = new Map<number, string>();
  const applied: RefCommand[] = [];
  for (const { at, command, apply } of changes) {
    try {
      await apply();
      applied.push(command);
    } catch (error) {
      if (isAtomic) {
        for (const { ref, before } of applied.reverse()) {
          await writer.restore(ref, before === noOid ? undefined : before);
        }
        if (applied.length > 0) recordPutBack(context, project);
        throw error;
      }
      if (!(error instanceof Failure)) throw error;
      failures.set(at, error.message);
    }
  }
  return failures;
}

function isBranchOrTag(ref: string): boolean {
  return /^refs\/(heads|tags)\//.test(ref);
}

type ListedRefs = Awaited<ReturnType<RepositoryWriter["refs"]>>;

/** Whether `a` would be beside `a/b` after the commands. Looks through all refs only where one in the way goes. */
function blockedAfter(refs: ListedRefs, commands: readonly RefCommand[]): (ref: string) => boolean {
  const gone = new Set(commands.filter(({ after }) => after === noOid).map(({ ref }) => ref));
  const made = commands.filter(({ after }) => after !== noOid).map(({ ref }) => ref);
  const beside = new RefNames(made);
  let all: RefNames | undefined;
  return (ref) => {
    const other = refs.inTheWayOf(ref);
    if (other === undefined) return beside.areInTheWayOf(ref);
    if (!gone.has(other)) return true;
    all ??= new RefNames([...refs.keys(), ...made].filter((name) => !gone.has(name)));
    return all.areInTheWayOf(ref);
  };
}

/** Names of refs, and of the folders above them. */
class RefNames {
  readonly #names: ReadonlySet<string>;
  readonly #folders: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
    this.#folders = new Set(names.flatMap(foldersOf));
  }

  areInTheWayOf(ref: string): boolean {
    return this.#folders.has(ref) || foldersOf(ref).some((folder) => this.#names.has(folder));
  }
}

function foldersOf(ref: string): string[] {
  return Array.from(ref.matchAll(/\//g), ({ index }) => ref.slice(0, index));
}

/** Why a command does not begin at what its ref is now. */
function oldFault(refs: ListedRefs, { ref, before, after }: RefCommand): string | undefined {
  const isThere = (refs.get(ref) ?? noOid) === before;
  return isThere && (before !== noOid || after !== noOid) ? undefined : failed;
}

/** The branch that clones begin with from the first push on. */
async function firstBranch(
  writer: RepositoryWriter,
  commands: readonly RefCommand[],
  refusals: readonly (string | undefined)[],
): Promise<string | undefined> {
  const branches = commands.filter(
    ({ ref, after }, at) => refusals[at] === undefined && after !== noOid && ref.startsWith(branchPrefix),
  );
  const head = `${branchPrefix}${(await writer.namedHead()) ?? "main"}`;
  return (branches.find(({ ref }) => ref === head) ?? branches[0])?.ref;
}

/** Deletions come first: a name may be in the way of another one. */
function inOrder(commands: readonly RefCommand[], first: string | undefined): number[] {
  const rank = ({ ref, after }: RefCommand) => (after === noOid ? 0 : ref === first ? 1 : 2);
  const places = commands.map((command, at) => ({ at, rank: rank(command) }));
  return places.sort((one, other) => one.rank - other.rank).map(({ at }) => at);
}

/** Prepares a command. Nothing has changed until the function is called that it returns. */
async function changeOf(
  context: Context,
  { caller, project, baseUrl }: Scene,
  writer: RepositoryWriter,
  { ref, before, after }: RefCommand,
  received: ReceivedRef | undefined,
  how: { readonly first: string | undefined; readonly pipeline: Push["pipeline"]; readonly refCount: number },
): Promise<() => Promise<void>> {
  const { first, ...others } = how;
  if (after === noOid) {
    if (isBranchOrTag(ref)) {
      return prepareDeletion(context, caller, writer, project, { ref, before, refCount: how.refCount }, baseUrl);
    }
    return async () => {
      await writer.delete(ref);
      recordActivity(context, project);
    };
  }
  if (received?.commit === undefined || received.tree === undefined || !isBranchOrTag(ref)) {
    return prepareOtherRef(context, writer, project, ref, after);
  }
  const { commit, tree, commitCount } = received;
  const now = first === undefined ? project : { ...project, default_branch: first.slice(branchPrefix.length) };
  if (ref.startsWith(branchPrefix)) {
    const branch = ref.slice(branchPrefix.length);
    const old = before === noOid ? undefined : before;
    const head = { branch, before: old, oid: commit, tree, isFirst: ref === first, commitCount, ...others };
    return prepareCommit(context, caller, writer, now, head, baseUrl);
  }
  return prepareRef(context, caller, writer, now, { ref, before, commit, object: after, ...others }, baseUrl);
}
