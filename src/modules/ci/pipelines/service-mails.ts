import type { Store, Transaction } from "../../../store/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { notify } from "../../notifications/settings/index.ts";
import { canReadBuilds } from "./policy.ts";
import { type PipelineRecord, pipelines, refKey } from "./records.ts";

/** Mails the result of a pipeline (notification-settings 5). */
export function mailPipeline(tx: Transaction, context: Context, pipeline: PipelineRecord): void {
  const { store } = context;
  const project = store.of(projects).get(pipeline.project_id);
  if (project === undefined || (pipeline.status !== "success" && pipeline.status !== "failed")) return;
  const isFixed = pipeline.status === "success" && endBefore(store, pipeline) === "failed";
  const event = pipeline.status === "failed" ? "failed_pipeline" : isFixed ? "fixed_pipeline" : "success_pipeline";
  const word = { failed_pipeline: "Failed", fixed_pipeline: "Fixed", success_pipeline: "Successful" }[event];
  notify(tx, context, {
    event,
    project,
    actor: undefined,
    participants: [],
    mentioned: [],
    own: pipeline.user_id,
    mayRead: (user) => canReadBuilds(context, user, project),
    topic: { type: "Project", id: project.id },
    subject: `${project.name} | ${word} pipeline for ${pipeline.ref} | ${pipeline.sha.slice(0, 8)}`,
    text: `Pipeline #${pipeline.id} for ${pipeline.ref} of ${project.name}: ${pipeline.status}.\n`,
  });
}

/** The number of earlier pipelines of a ref that are searched for a finished one. */
const lookBack = 20;

/** The final status of the last finished pipeline of the same ref before this one. */
function endBefore(store: Store, { id, project_id, ref }: PipelineRecord): string | undefined {
  const where = [
    { index: "ref", key: refKey(project_id, ref) },
    { index: "id", from: undefined, to: id - 1 },
  ] as const;
  const page = { kind: "keyset", after: undefined, perPage: lookBack } as const;
  const { items } = store.page(pipelines, { where, order: "id", descending: true, page });
  return items.find(({ status }) => status === "success" || status === "failed")?.status;
}
