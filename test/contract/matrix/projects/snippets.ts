import { accessLevels } from "../../../../src/domain/access-level.ts";
import { rootToken } from "../../../support/fixtures/world.ts";
import { putSnippet } from "../../repositories/snippets/setting.ts";
import type { MakeSample, Place, Samples, Scene, SpecialSample } from "../scene.ts";

const content = { title: "A snippet", file_name: "a.txt", content: "text" };

export function snippetSamples({ world }: Scene): Samples {
  const publicOne = async (path: string) => {
    const json = { ...content, visibility: "public" };
    const { body, status, text } = await world.call("POST", path, { token: rootToken, json });
    if (status !== 201) throw new Error(`no snippet: ${status} ${text}`);
    return `${path}/${body.id}`;
  };
  const of = ({ projectId }: Place) => `/projects/${projectId}/snippets`;
  const inProject = (end = ""): MakeSample => {
    return async (_, place) => ({ path: `${await publicOne(of(place))}${end}` });
  };
  const change = { options: { json: { title: "Changed" } } };
  const fromMaintainers = (make: MakeSample): SpecialSample => ({
    make,
    expected: ({ level }) => (level < accessLevels.maintainer ? 403 : undefined),
  });
  return {
    "POST /snippets": () => ({ path: "/snippets", options: { json: content } }),
    "GET /snippets": () => ({ path: "/snippets" }),
    "GET /snippets/public": async () => {
      await publicOne("/snippets");
      return { path: "/snippets/public" };
    },
    "GET /snippets/all": async () => {
      await publicOne("/snippets");
      return { path: "/snippets/all" };
    },
    "GET /snippets/:id/user_agent_detail": async () => ({ path: `${await publicOne("/snippets")}/user_agent_detail` }),
    "GET /projects/:id/snippets/:snippet_id/user_agent_detail": {
      make: inProject("/user_agent_detail"),
      expected: ({ isAdministrator }) => (isAdministrator ? undefined : 403),
    },
    "GET /snippets/:id": async () => ({ path: await publicOne("/snippets") }),
    "GET /snippets/:id/raw": async () => ({ path: `${await publicOne("/snippets")}/raw` }),
    "PUT /snippets/:id": ({ id }) => ({ path: `/snippets/${putSnippet(world, { author_id: id }).id}`, ...change }),
    "DELETE /snippets/:id": ({ id }) => ({ path: `/snippets/${putSnippet(world, { author_id: id }).id}` }),
    "POST /projects/:id/snippets": (_, place) => ({ path: of(place), options: { json: content } }),
    "GET /projects/:id/snippets": (_, place) => ({ path: of(place) }),
    "GET /projects/:id/snippets/:snippet_id": inProject(),
    "GET /projects/:id/snippets/:snippet_id/raw": inProject("/raw"),
    "PUT /projects/:id/snippets/:snippet_id": fromMaintainers(async (_, place) => ({
      path: await publicOne(of(place)),
      ...change,
    })),
    "DELETE /projects/:id/snippets/:snippet_id": fromMaintainers(inProject()),
  };
}
