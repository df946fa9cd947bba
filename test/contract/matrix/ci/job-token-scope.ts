import { putGroupLink, putProjectLink } from "../../../support/ci/job-token-links.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import type { MakeSample, Place, Samples, Scene } from "../scene.ts";

export function jobTokenScopeSamples({ world }: Scene): Samples {
  const { group, project } = placesOf(world);
  const base = ({ projectId }: Place) => `/projects/${projectId}/job_token_scope`;
  const newGroup = () => group({ visibility: "public" });
  const newProject = () => project(newGroup().id, { visibility: "public" });
  const listed = (list: string, link: typeof putProjectLink, target: () => { id: number }): MakeSample => {
    return (_, place) => {
      for (let count = 0; count < 2; count += 1) link(world, { id: place.projectId }, target());
      return { path: `${base(place)}/${list}` };
    };
  };
  const unlisted = (list: string, link: typeof putProjectLink, target: () => { id: number }): MakeSample => {
    return (_, place) => {
      const { id } = target();
      link(world, { id: place.projectId }, { id });
      return { path: `${base(place)}/${list}/${id}` };
    };
  };
  return {
    "GET /projects/:id/job_token_scope": (_, place) => ({ path: base(place) }),
    "PATCH /projects/:id/job_token_scope": (_, place) => ({ path: base(place), options: { json: { enabled: true } } }),
    "GET /projects/:id/job_token_scope/allowlist": listed("allowlist", putProjectLink, newProject),
    "POST /projects/:id/job_token_scope/allowlist": (_, place) => ({
      path: `${base(place)}/allowlist`,
      options: { json: { target_project_id: newProject().id } },
    }),
    "DELETE /projects/:id/job_token_scope/allowlist/:target_project_id": unlisted(
      "allowlist",
      putProjectLink,
      newProject,
    ),
    "GET /projects/:id/job_token_scope/groups_allowlist": listed("groups_allowlist", putGroupLink, newGroup),
    "POST /projects/:id/job_token_scope/groups_allowlist": (_, place) => ({
      path: `${base(place)}/groups_allowlist`,
      options: { json: { target_group_id: newGroup().id } },
    }),
    "DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id": unlisted(
      "groups_allowlist",
      putGroupLink,
      newGroup,
    ),
  };
}
