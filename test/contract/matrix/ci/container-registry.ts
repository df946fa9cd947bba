import { accessLevels } from "../../../../src/domain/access-level.ts";
import { projectPathOf } from "../../../../src/modules/core/namespaces/index.ts";
import { users } from "../../../../src/modules/core/users/records.ts";
import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { containerRepositories } from "../../../../src/modules/registries/container-registry/records.ts";
import { digestOf, makeImage } from "../../../support/ci/oci-layout.ts";
import { registryOf } from "../../../support/ci/registry.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type CallOptions, type Person, rootToken } from "../../../support/fixtures/world.ts";
import type { MadeSamples, MakeSample, Place, Scene } from "../scene.ts";

export function containerRegistrySamples({ world, fresh }: Scene): MadeSamples {
  const { group, project, member } = placesOf(world);
  const registry = registryOf(world);
  const namespace = group({ path: "images" });
  const pathOf = ({ projectId }: Place) => {
    const found = world.store.of(projects).get(projectId);
    if (found === undefined) throw new Error(`no project ${projectId}`);
    return projectPathOf(world.store, found);
  };
  const repositoryIn = (projectId: number, path: string) => {
    const documents = world.store.of(containerRepositories);
    return documents.by.place.find(`${projectId} ${path.split("/").at(-1)}`);
  };
  /** An image in a repository of its own, below a place's project. */
  const pushed = async (place: Place, tags: readonly string[] = ["v1"]) => {
    const name = `${pathOf(place)}/${fresh()}`;
    for (const tag of tags) await registry.push(name, tag);
    return repositoryIn(place.projectId, name);
  };
  const onRepository = (end = "", tags = ["v1"]): MakeSample => {
    return async (_, place) => ({
      path: `/projects/${place.projectId}/registry/repositories/${await pushed(place, tags)}${end}`,
    });
  };
  /** The caller is a developer of the image's project: of one of their own, unless they are an administrator. */
  const own = (caller: Person, place: Place) => {
    if (caller.record.is_admin) return `${pathOf(place)}/app`;
    const made = project(namespace.id, { path: fresh() });
    member(made, caller.id, accessLevels.developer);
    return `images/${made.path}/app`;
  };
  const image = makeImage(["v1"]);
  const onImage = (end: string, options: CallOptions = {}): MakeSample => {
    return async (caller, place) => {
      const name = own(caller, place);
      await registry.push(name, "v1", image);
      return { path: `/v2/${name}/${end}`, options };
    };
  };
  const onUpload = (end = "", options: CallOptions = {}): MakeSample => {
    return async (caller, place) => {
      const isBlocked = world.store.of(users).get(caller.id)?.state === "blocked";
      const pusher = registryOf(world, isBlocked ? rootToken : caller.token);
      const upload = await pusher.begin(own(caller, place));
      return { path: `/v2/${upload}${end}`, options };
    };
  };
  const layer = image.layers[0]?.digest ?? "";
  const list = "/registry/repositories";
  const one = `${list}/:repository_id`;
  return {
    [`GET /projects/:id${list}`]: async (_, place) => {
      await pushed(place);
      return { path: `/projects/${place.projectId}${list}` };
    },
    [`GET /groups/:id${list}`]: async (_, place) => {
      await pushed(place);
      return { path: `/groups/${place.groupId}${list}` };
    },
    [`GET ${one}`]: async (caller, place) => {
      const name = own(caller, place);
      await registry.push(name, "v1", image);
      const { body } = await world.get(`/projects/${encodeURIComponent(name.replace("/app", ""))}`);
      return { path: `${list}/${repositoryIn(body.id, name)}` };
    },
    [`DELETE /projects/:id${one}`]: onRepository(),
    [`GET /projects/:id${one}/tags`]: onRepository("/tags", ["v1", "v2", "v3"]),
    [`DELETE /projects/:id${one}/tags`]: onRepository("/tags?name_regex_delete=v9"),
    [`GET /projects/:id${one}/tags/:tag_name`]: onRepository("/tags/v1"),
    [`DELETE /projects/:id${one}/tags/:tag_name`]: onRepository("/tags/v1"),
    "GET /v2": () => ({ path: "/v2/" }),
    "GET /v2/*name/tags/list": onImage("tags/list"),
    "GET /v2/*name/manifests/:reference": onImage("manifests/v1"),
    "PUT /v2/*name/manifests/:reference": onImage("manifests/v2", {
      raw: image.bytes.get(image.manifest.digest) ?? "",
      headers: { "Content-Type": image.manifest.mediaType },
    }),
    "DELETE /v2/*name/manifests/:reference": onImage("manifests/v1"),
    "GET /v2/*name/blobs/:digest": onImage(`blobs/${layer}`),
    "DELETE /v2/*name/blobs/:digest": async (caller, place) => {
      const name = own(caller, place);
      const bytes = fresh();
      await registry.pushBlob(name, bytes);
      return { path: `/v2/${name}/blobs/${digestOf(bytes)}` };
    },
    "GET /v2/*name/referrers/:digest": onImage(`referrers/${image.manifest.digest}`),
    "POST /v2/*name/blobs/uploads": (caller, place) => ({ path: `/v2/${own(caller, place)}/blobs/uploads/` }),
    "GET /v2/*name/blobs/uploads/:uuid": onUpload(),
    "PATCH /v2/*name/blobs/uploads/:uuid": onUpload("", { raw: "some bytes" }),
    "PUT /v2/*name/blobs/uploads/:uuid": onUpload(`?digest=${layer}`, { raw: image.bytes.get(layer) ?? "" }),
    "DELETE /v2/*name/blobs/uploads/:uuid": onUpload(),
  };
}
