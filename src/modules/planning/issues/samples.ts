import { accessLevels } from "../../../domain/access-level.ts";
import type { Sample, SampleStatus, Samples } from "../../kernel/sample.ts";

const { planner, owner } = accessLevels;

const fromPlanners: SampleStatus = ({ level }) => (level < planner ? 403 : undefined);
const time = (json?: object): Sample => ({ ...(json === undefined ? {} : { json }), status: fromPlanners });
const one = "/projects/:id/issues/:issue_iid";

export const issueSamples: Samples = {
  "GET /issues": { query: { scope: "all" } },
  "POST /projects/:id/issues": { json: { title: "The roof leaks" } },
  [`PUT ${one}`]: { json: { title: "The roof leaked" }, status: fromPlanners },
  [`DELETE ${one}`]: { status: ({ level }) => (level === planner || level === owner ? undefined : 403) },
  "GET /issues/:id": async ({ call }) => ({ path: { id: (await call("POST /projects/:id/issues")).get("id") } }),
  [`POST ${one}/move`]: {
    make: async ({ add }) => ({ json: { to_project_id: await add("projects") } }),
    status: ({ level }) => (level < planner ? 400 : undefined),
  },
  [`PUT ${one}/reorder`]: {
    make: async ({ call }) => ({ json: { move_after_id: (await call("POST /projects/:id/issues")).get("id") } }),
    status: fromPlanners,
  },
  [`POST ${one}/subscribe`]: { isMadeByCaller: true },
  [`POST ${one}/unsubscribe`]: { after: [`POST ${one}/subscribe`] },
  [`POST ${one}/time_estimate`]: time({ duration: "3h30m" }),
  [`POST ${one}/add_spent_time`]: time({ duration: "1h" }),
  [`POST ${one}/reset_time_estimate`]: time(),
  [`POST ${one}/reset_spent_time`]: time(),
};
