import { pipelines } from "../../../../src/modules/ci/pipelines/records.ts";
import { makePipeline, putCiFile } from "../../../support/ci/pipelines.ts";
import { type Json, rootToken, type World } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { makeProject } from "./setting.ts";

export const oneJob = "job: {script: x}";
/** A CI file with nothing but a job that makes a pipeline of a project. */
export const bridgeTo = (path: string, more = "") => `bridge: {trigger: {project: ${path}${more}}}`;

export interface Place {
  readonly id: number;
  readonly path: string;
}

/** Projects whose jobs make pipelines, and dora, who is a developer in them unless said. */
export async function downstreamOf(world: World) {
  const dora = await world.user({ username: "dora" });
  const bridgesOf = async ({ id }: Place, pipelineId: number, token = rootToken): Promise<Json[]> =>
    (await world.call("GET", `/projects/${id}/pipelines/${pipelineId}/bridges`, { token })).body;
  const make = ({ id }: Place, json: object = {}) => makePipeline(world, id, json, dora.token);
  const show = async ({ id }: Place, pipelineId: number): Promise<Json> =>
    (await world.get(`/projects/${id}/pipelines/${pipelineId}`)).body;
  return {
    dora,
    bridgesOf,
    make,
    show,
    /** A project with a CI file. */
    async place(ci: string, role: "developer" | "reporter" | null = "developer"): Promise<Place> {
      const { id, path_with_namespace } = await makeProject(world);
      if (role !== null) addMember(world, { id }, dora, role, "project");
      await putCiFile(world, id, ci);
      return { id, path: path_with_namespace };
    },
    async newest({ id }: Place): Promise<Json> {
      const [own, child] = await Promise.all(
        ["", "&source=parent_pipeline"].map((more) => world.get(`/projects/${id}/pipelines?per_page=1${more}`)),
      );
      return [own?.body[0], child?.body[0]].sort((one, other) => (other?.id ?? 0) - (one?.id ?? 0))[0];
    },
    count: () => world.store.of(pipelines).size,
    /** The state of the only bridge of a pipeline that dora creates. */
    async outcome(at: Place): Promise<Json> {
      const { id } = await make(at);
      const [bridge] = await bridgesOf(at, id);
      const { status } = await show(at, id);
      return {
        status: bridge.status,
        reason: bridge.failure_reason,
        pipeline: status,
        made: bridge.downstream_pipeline,
      };
    },
  };
}
