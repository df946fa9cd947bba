import { projects } from "../../modules/groups-and-projects/projects/records.ts";
import { insertFile } from "../../modules/registries/packages/index.ts";
import type { StoredBlob } from "../../store/index.ts";
import type { History, Organisation, SeededProject } from "../organisation.ts";
import { packageOf } from "../vocabulary/packages.ts";

type Tag = History["tags"][number];

interface Planned {
  readonly project: SeededProject;
  readonly tag: Tag;
  readonly bytes: Uint8Array;
  readonly file: string;
  readonly stored: StoredBlob;
}

/** The time from the tag to the end of its pipeline. */
const buildMs = 14 * 60_000;

/**
 * Publishes versions of the busier projects as packages. Their number does not depend on the scale, like that of
 * repositories.
 */
export async function seedPackages(organisation: Organisation): Promise<void> {
  const { context, writing } = organisation;
  const planned = await Promise.all(
    organisation.projects.flatMap((project) => versionsOf(project).map((tag) => plan(organisation, project, tag))),
  );
  await writing.runOne(context.store, () => {
    for (const { project, tag, bytes, file, stored } of planned) {
      const { record, founder } = project;
      organisation.exactly(tag.commit.committer.timestamp * 1000 + buildMs);
      insertFile(writing, context, founder.caller, record, {
        address: { package_name: record.path, package_version: tag.name.slice(1), file_name: file },
        status: undefined,
        stored,
        hashes: { md5: hashOf("md5", bytes), sha1: hashOf("sha1", bytes) },
      });
      // The project's sizes have grown.
      project.record = context.store.of(projects).get(record.id) ?? record;
    }
  });
  for (const { stored } of planned) stored.release();
}

function versionsOf({ weight, isArchived, history }: SeededProject): readonly Tag[] {
  return weight >= 4 && !isArchived ? (history?.tags ?? []) : [];
}

async function plan({ context }: Organisation, project: SeededProject, tag: Tag): Promise<Planned> {
  const { path } = project.record;
  const { file, text } = packageOf(project.topic, path, tag.name.slice(1));
  const bytes = new TextEncoder().encode(text);
  return { project, tag, bytes, file, stored: await context.store.blobs.put([bytes]) };
}

function hashOf(algorithm: "md5" | "sha1", bytes: Uint8Array): string {
  return new Bun.CryptoHasher(algorithm).update(bytes).digest("hex");
}
