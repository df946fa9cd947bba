import { accessLevels } from "../../../domain/access-level.ts";
import { deleteNewest, type SampleScene, type SampleStatus, type Samples } from "../../kernel/sample.ts";

/** Lint is asked for because its sample makes the CI file. */
const create = async (scene: SampleScene) => {
  const { call, fresh } = scene;
  await deleteNewest(scene, {
    list: "GET /projects/:id/pipeline_schedules",
    remove: "DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id",
    ...{ parameter: "pipeline_schedule_id", field: "id", keep: 5 },
  });
  await call("GET /projects/:id/ci/lint");
  return { json: { description: fresh(), ref: "refs/heads/main", cron: "0 1 * * *" } };
};
const variable = ({ fresh }: SampleScene) => ({ json: { key: `KEY_${fresh().replaceAll(/\W/g, "_")}`, value: "x" } });

/** The caller is the owner where they may create one. */
const fromDevelopers: SampleStatus = ({ level, isAdministrator }, visibility) => {
  if (isAdministrator || level >= accessLevels.developer) return undefined;
  return visibility === "private" && level < accessLevels.reporter ? 404 : 403;
};
const fromReportersOr =
  (status: number): SampleStatus =>
  (member, visibility) =>
    visibility === "private" && member.level < accessLevels.reporter && !member.isAdministrator ? status : undefined;
const shared = async ({ call, once }: SampleScene) => {
  const make = async () => (await call("POST /projects/:id/pipeline_schedules")).get("id");
  return { path: { pipeline_schedule_id: await once("schedule", make) } };
};
const one = "/projects/:id/pipeline_schedules/:pipeline_schedule_id";

export const scheduleSamples: Samples = {
  "GET /projects/:id/pipeline_schedules": { status: fromReportersOr(403) },
  "POST /projects/:id/pipeline_schedules": { make: create, isMadeByCaller: true },
  [`GET ${one}`]: { make: shared, status: fromReportersOr(404) },
  [`GET ${one}/pipelines`]: { make: shared, status: fromReportersOr(404) },
  [`PUT ${one}`]: { json: { description: "Each night" }, status: fromDevelopers },
  [`DELETE ${one}`]: { status: fromDevelopers },
  [`POST ${one}/take_ownership`]: {
    unsuited: "the caller owns the schedule already",
    status: (member, visibility) => fromDevelopers(member, visibility) ?? (member.isAdministrator ? undefined : 403),
  },
  [`GET ${one}/variables`]: {
    make: shared,
    status: ({ level, isAdministrator }, visibility) => {
      if (isAdministrator || level >= accessLevels.maintainer) return undefined;
      return visibility === "private" && level < accessLevels.reporter ? 404 : 403;
    },
  },
  [`POST ${one}/variables`]: { make: variable, isMadeByCaller: true, status: fromDevelopers },
  [`PUT ${one}/variables/:key`]: { json: { value: "y" }, status: fromDevelopers },
  [`DELETE ${one}/variables/:key`]: { status: fromDevelopers },
};
