import type { Samples } from "../scene.ts";

export function issueStatisticsSamples(): Samples {
  return {
    "GET /issues_statistics": () => ({ path: "/issues_statistics" }),
    "GET /groups/:id/issues_statistics": (_, { groupId }) => ({ path: `/groups/${groupId}/issues_statistics` }),
    "GET /projects/:id/issues_statistics": (_, { projectId }) => ({ path: `/projects/${projectId}/issues_statistics` }),
  };
}
