import type { SignedInCaller } from "../../../domain/caller.ts";
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
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { createRef, deleteRef, type Push, pushCommit, recordActivity, updateOtherRef } from "../repositories/index.ts";
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

/** Installs the objects of a push, when one of its refs is to name some, and switches the refs. Returns the reasons of those that failed, by command. */
export async function updateRefs(
  context: Context,
  scene: Scene,
  writer: RepositoryWriter,
  { request, received, faults, install }: Checked,
): Promise<(string | undefined)[]> {
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
    return refusals.map((refusal) => refusal ?? "atomic push failure");
  }
  const first = (await writer.branches()).size === 0 ? await firstBranch(writer, commands, refusals) : undefined;
  const pipelines = pipelinesOf(commands, request.options);
  if (commands.some(({ after }, at) => after !== noOid && refusals[at] === undefined)) await install();
  const refCount = commands.filter(({ ref }, at) => refusals[at] === undefined && isBranchOrTag(ref)).length;
  for (const at of inOrder(commands, first)) {
    if (refusals[at] !== undefined) continue;
    const command = commands[at] as RefCommand;
    const how = { isFirst: command.ref === first, pipeline: pipelines[at], refCount };
    await updateRef(context, scene, writer, command, received.refs[at], how);
  }
  return refusals;
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

async function updateRef(
  context: Context,
  { caller, project, baseUrl }: Scene,
  writer: RepositoryWriter,
  { ref, before, after }: RefCommand,
  received: ReceivedRef | undefined,
  how: { readonly isFirst: boolean; readonly pipeline: Push["pipeline"]; readonly refCount: number },
): Promise<void> {
  const now = context.store.of(projects).get(project.id) ?? project;
  if (after === noOid) {
    if (isBranchOrTag(ref)) {
      return deleteRef(context, caller, writer, now, { ref, before, refCount: how.refCount }, baseUrl);
    }
    await writer.delete(ref);
    recordActivity(context, now);
    return;
  }
  if (received?.commit === undefined || received.tree === undefined || !isBranchOrTag(ref)) {
    return updateOtherRef(context, writer, now, ref, after);
  }
  const { commit, tree, commitCount } = received;
  if (ref.startsWith(branchPrefix)) {
    const branch = ref.slice(branchPrefix.length);
    const old = before === noOid ? undefined : before;
    return pushCommit(
      context,
      caller,
      writer,
      now,
      { branch, before: old, oid: commit, tree, commitCount, ...how },
      baseUrl,
    );
  }
  await createRef(
    context,
    caller,
    writer,
    now,
    { ref, before, commit, object: after, refCount: how.refCount, pipeline: how.pipeline },
    baseUrl,
  );
}
