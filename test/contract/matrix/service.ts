import { RecentRequests } from "../../../src/modules/admin/recent-requests/index.ts";
import { at, type Samples, type Scene } from "./scene.ts";

export function serviceSamples({ world }: Scene): Samples {
  return {
    "GET /version": at("/version"),
    "GET /metadata": at("/metadata"),
    "GET /-/health": at("/-/health"),
    "GET /-/readiness": at("/-/readiness"),
    "GET /-/liveness": at("/-/liveness"),
    "GET /-/metrics": at("/-/metrics"),
    "GET /-/outbox": at("/-/outbox"),
    "GET /-/jobs": at("/-/jobs"),
    "GET /-/audit-events/export": at("/-/audit-events/export"),
    "GET /-/explanation": at("/-/explanation?method=GET&path=/version"),
    "GET /-/unknown-calls": at("/-/unknown-calls"),
    "GET /-/console/events": at("/-/console/events?seconds=0"),
    "GET /-/figures": at("/-/figures"),
    "GET /-/requests": at("/-/requests"),
    "GET /-/requests/:id": () => Promise.resolve({ path: `/-/requests/${world.context.get(RecentRequests).last}` }),
    "POST /-/backup": at("/-/backup"),
    "GET /-/openapi.json": at("/-/openapi.json"),
    "GET /-/api": at("/-/api"),
    "GET /-/api/:file": async () => {
      const { text } = await world.call("GET", "/-/api");
      return { path: text.match(/\/-\/api\/page-\w+\.js/)?.[0] ?? "" };
    },
    "GET /-/console": at("/-/console"),
    "GET /-/console/*page": at("/-/console/people/1"),
    "GET /-/console/assets/:file": async () => {
      const { text } = await world.call("GET", "/-/console");
      return { path: text.match(/\/-\/console\/assets\/main-\w+\.js/)?.[0] ?? "" };
    },
    "GET /application/settings": at("/application/settings"),
    "PUT /application/settings": at("/application/settings", { json: { signup_enabled: true } }),
  };
}
