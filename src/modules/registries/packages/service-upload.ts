import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { StoredBlob, Transaction } from "../../../store/index.ts";
import { ciJobs } from "../../ci/pipelines/records-jobs.ts";
import { getProject, requireLevel } from "../../core/access/index.ts";
import { addToStatistics, Quotas } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, updateRecord } from "../../kernel/record-events.ts";
import { packageEvents } from "./events.ts";
import { requirePackagesEnabled } from "./policy.ts";
import {
  identityKey,
  type PackageFileRecord,
  type PackageRecord,
  packageFiles,
  packagePipelines,
  packages,
  pairKey,
} from "./records.ts";
import type { FileAddress } from "./schema.ts";

/** A new file and its package. */
export interface NewFile {
  readonly address: FileAddress;
  /** The new status of the package; undefined: unchanged. */
  readonly status: "default" | "hidden" | undefined;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Keeps a file; it joins the package of its name and version, which is made where there is none. */
export async function uploadFile(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { address, status, content }: NewFile,
): Promise<PackageFileRecord> {
  const { store } = context;
  const md5 = new Bun.CryptoHasher("md5");
  const sha1 = new Bun.CryptoHasher("sha1");
  const stored = await context.get(Quotas).writeBlob(`project ${project.id}`, through(content, [md5, sha1]));
  try {
    const hashes = { md5: md5.digest("hex"), sha1: sha1.digest("hex") };
    return store.transact((tx) => {
      // A large file takes long enough to lose a role in.
      const now = getProject(context, caller, project.id);
      requireLevel(context, caller, { project: now }, accessLevels.developer);
      requirePackagesEnabled(now);
      return insertFile(tx, context, caller, now, { address, status, stored, hashes });
    });
  } finally {
    stored.release();
  }
}

/** Returns the name that the real system gives to files in folders. */
export function storedName({ path, file_name }: FileAddress): string {
  const whole = path === undefined ? file_name : `${path}/${file_name}`;
  return whole.includes("/") ? encodeURIComponent(whole) : whole;
}

async function* through(
  chunks: NewFile["content"],
  hashers: readonly Bun.CryptoHasher[],
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    for (const hasher of hashers) hasher.update(chunk);
    yield chunk;
  }
}

interface StoredFile extends Omit<NewFile, "content"> {
  readonly stored: StoredBlob;
  readonly hashes: { readonly md5: string; readonly sha1: string };
}

/** Adds a file whose content is stored already; the caller has checked the right. */
export function insertFile(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { address, status, stored, hashes }: StoredFile,
): PackageFileRecord {
  const { store, clock } = context;
  const { job } = caller;
  const found = packageFor(tx, context, caller, project, address, status);
  const pipelineId = job === undefined ? undefined : store.of(ciJobs).get(job.id)?.pipeline_id;
  if (pipelineId !== undefined) linkPipeline(tx, context, found, pipelineId);
  addToStatistics(tx, context, project.id, { packages_size: stored.size });
  return tx.insert(packageFiles, {
    id: tx.nextId("package_files"),
    package_id: found.id,
    project_id: project.id,
    file_name: storedName(address),
    size: stored.size,
    sha256: stored.hash,
    ...hashes,
    created_at: toDateTime(clock.now()),
    ...(pipelineId === undefined ? {} : { pipeline_id: pipelineId }),
  });
}

function packageFor(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  { id: project_id }: ProjectRecord,
  { package_name: name, package_version: version }: FileAddress,
  status: NewFile["status"],
): PackageRecord {
  const { store, clock } = context;
  const now = toDateTime(clock.now());
  const known = store.of(packages).by.identity.find(identityKey({ project_id, name, version }));
  const before = known === undefined ? undefined : store.of(packages).get(known);
  if (before !== undefined) {
    const changed = { ...before, status: status ?? before.status, updated_at: now };
    return updateRecord(tx, context, caller, packageEvents, changed);
  }
  return insertRecord(tx, context, caller, packageEvents, {
    id: tx.nextId("packages"),
    project_id,
    name,
    version,
    package_type: "generic",
    status: status ?? "default",
    created_at: now,
    updated_at: now,
    last_downloaded_at: null,
  });
}

function linkPipeline(
  tx: Transaction,
  { store }: Context,
  { id: package_id, project_id }: PackageRecord,
  pipeline_id: number,
): void {
  if (store.of(packagePipelines).by.pair.find(pairKey({ package_id, pipeline_id })) !== undefined) return;
  tx.insert(packagePipelines, { id: tx.nextId("package_pipelines"), package_id, project_id, pipeline_id });
}
