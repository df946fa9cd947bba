import { accessLevels } from "../../domain/access-level.ts";
import { dayMs } from "../../lib/datetime.ts";
import { growStatistics } from "../../modules/core/namespaces/index.ts";
import { type ProjectRecord, projects } from "../../modules/groups-and-projects/projects/records.ts";
import { writeFiles } from "../../modules/repositories/snippets/index.ts";
import { type SnippetRecord, snippets } from "../../modules/repositories/snippets/records.ts";
import { type Organisation, type Person, randomMember, type SeededProject } from "../organisation.ts";
import { snippetTexts } from "../vocabulary/files.ts";
import { insertMove } from "./moves.ts";

interface Planned {
  readonly record: SnippetRecord;
  readonly project: SeededProject | undefined;
  readonly author: Person;
  readonly files: ReadonlyMap<string, string>;
}

/** Creates snippets, the same few at every scale, since each has a repository. */
export async function seedSnippets(organisation: Organisation): Promise<void> {
  const { context, writing } = organisation;
  const planned: Planned[] = [];
  await writing.runOne(context.store, () => {
    planned.push(...snippetTexts.map((text, at) => insertSnippet(organisation, text, at)));
  });
  const sizes: number[] = [];
  for (const { record, author, files } of planned) {
    const place = { kind: "snippet", id: record.id, storage: record.repository_storage } as const;
    const timestamp = Math.floor(Date.parse(record.created_at) / 1000);
    const size = await context.repositories.write(
      place,
      () => place,
      async (writer) => {
        const signature = { name: author.user.name, email: author.user.email, timestamp };
        const { ref, oid, asHead } = await writeFiles(writer, files, signature);
        const bytes = await writer.save();
        await writer.update(ref, oid, asHead);
        return bytes;
      },
    );
    sizes.push(size);
  }
  await writing.runOne(context.store, () => {
    for (const [at, { record, project }] of planned.entries()) {
      const size = sizes[at] as number;
      writing.update(snippets, { ...record, size });
      if (project === undefined) continue;
      growStatistics(writing, context.store, project.record.id, { snippets_size: size });
      project.record = context.store.of(projects).get(project.record.id) as ProjectRecord;
    }
  });
}

function insertSnippet(
  organisation: Organisation,
  [title, file, content]: (typeof snippetTexts)[number],
  at: number,
): Planned {
  const { context, writing, from, until } = organisation;
  const random = organisation.random(`snippet ${at}`);
  const [first = "default", second = first] = context.repositories.storageNames;
  const project = at % 2 === 0 ? undefined : organisation.projects[at + 4];
  const time = from + (0.4 + 0.08 * at) * (until - from);
  const author =
    project === undefined
      ? (organisation.people[at] as Person)
      : randomMember(random, project, time, accessLevels.reporter);
  const isMoved = at === 2;
  const now = organisation.at(time);
  const record = writing.insert(snippets, {
    id: writing.nextId("snippets"),
    project_id: project?.record.id ?? null,
    author_id: author.user.id,
    title,
    description: null,
    visibility: project === undefined ? random.pick(["public", "internal"] as const) : "private",
    files: [file],
    size: 0,
    repository_storage: isMoved ? second : first,
    created_at: now,
    updated_at: now,
  });
  if (isMoved) insertMove(organisation, "snippet", record.id, [first, second], time + 9 * dayMs);
  return { record, project, author, files: new Map([[file, content]]) };
}
