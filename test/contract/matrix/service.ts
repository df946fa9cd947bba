import { cp } from "node:fs/promises";
import { stagedFolderOf } from "../../../src/git/index.ts";
import { listArchives, RequestedBackup } from "../../../src/modules/admin/backups/index.ts";
import { RunningBackup } from "../../../src/modules/admin/backups/service.ts";
import { enqueueJob } from "../../../src/modules/core/background-jobs/index.ts";
import { jobs } from "../../../src/modules/core/background-jobs/records.ts";
import { enqueueMail } from "../../../src/modules/core/outbox/index.ts";
import { rootToken, type World } from "../../support/fixtures/world.ts";
import { until } from "../../support/process/fault-client.ts";
import type { MadeSamples, Scene } from "./scene.ts";

export function serviceSamples({ world }: Scene): MadeSamples {
  const onFailedJob = (end: string) => () => ({ path: `/-/jobs/${putFailedJob(world)}${end}` });
  const isFree = () =>
    until("no backup is made", () => {
      const { context } = world;
      return context.get(RequestedBackup).running === undefined && context.get(RunningBackup).end === undefined;
    });
  const archive = async () => {
    await isFree();
    const [known] = await listArchives(world.context);
    if (known !== undefined) return known.name;
    world.context.get(RequestedBackup).start();
    await isFree();
    return (await listArchives(world.context))[0]?.name;
  };
  return {
    "POST /-/repository-imports": async () => ({
      path: "/-/repository-imports",
      options: { json: { project: String(await makeProject(world)), stage: await stageRepository(world), commits: 1 } },
    }),
    "POST /-/outbox/:id/resend": () => ({ path: `/-/outbox/${putMail(world)}/resend` }),
    "POST /-/jobs/:id/retry": onFailedJob("/retry"),
    "DELETE /-/jobs/:id": onFailedJob(""),
    "POST /-/backups": async () => {
      await isFree();
      return { path: "/-/backups" };
    },
    "GET /-/backups/:name": async () => ({ path: `/-/backups/${await archive()}` }),
    "POST /-/backups/:name/verify": async () => ({ path: `/-/backups/${await archive()}/verify` }),
    "DELETE /-/backups/:name": async () => {
      await Bun.write(`${world.context.backups.folder}/old.tar.gz`, "old");
      return { path: "/-/backups/old.tar.gz" };
    },
  };
}

const projectsOf = new WeakMap<World, number>();

async function makeProject(world: World, attributes: object = {}): Promise<number> {
  const count = (projectsOf.get(world) ?? 0) + 1;
  projectsOf.set(world, count);
  const json = { name: `staging-${count}`, ...attributes };
  return (await world.call("POST", "/projects", { token: rootToken, json })).body.id;
}

/** Stages a copy of a repository with one commit. */
async function stageRepository(world: World): Promise<string> {
  const id = await makeProject(world, { initialize_with_readme: true });
  const stage = `stage-${id}`;
  const from = world.context.repositories.folderOf({ kind: "project", id, storage: "default" });
  await cp(from, stagedFolderOf(world.folder, stage), { recursive: true });
  return stage;
}

/** Of a kind that no server runs: nothing happens to it once it is started again. */
function putFailedJob(world: World): number {
  return world.store.transact((tx) => {
    const job = enqueueJob(tx, world, { kind: "of_the_matrix", payload: {} });
    tx.update(jobs, { ...job, state: "failed", attempts: 10, last_error: "Error: out of luck" });
    return job.id;
  });
}

function putMail(world: World): number {
  const mail = { to: "ann@people.example", subject: "Hello", text: "Hello, Ann", event: "new_issue" };
  return world.store.transact((tx) => enqueueMail(tx, world.context, mail))?.id ?? 0;
}
