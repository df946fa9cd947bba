import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { notFound } from "../../../domain/failure.ts";
import { pathText, projectId } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import { type Operation, operation, redirect } from "../../kernel/operation.ts";
import type { RawRequest } from "../../kernel/raw-request.ts";
import type { View } from "../../kernel/view.ts";
import { requireCodeReader } from "./policy.ts";
import { InRelease } from "./schema.ts";
import { getRelease } from "./service.ts";
import { getLatestRelease } from "./service-list.ts";

const path = "/projects/:id/releases";
const whoeverSees = inProject(accessLevels.none, { anonymous: true });

type LatestCall = View & { readonly project: ProjectRecord; readonly raw: RawRequest };

/** The address of the latest release, with what follows it in that of the request. Throws 403 and 404. */
function latestAddress({ context, caller, project, baseUrl, raw }: LatestCall, suffix = ""): string {
  requireCodeReader(context, caller, project);
  const { tag } = getLatestRelease(context, project);
  const query = raw.search.split("&").filter((each) => each !== "" && !/^order_by(=|$)/.test(each));
  const behind = suffix.split("/").map(encodeURIComponent).join("/");
  const release = `${baseUrl}/api/v4/projects/${project.id}/releases/${encodeURIComponent(tag)}`;
  return `${release}${suffix === "" ? "" : `/${behind}`}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

/** Addresses that lead to others (releases 1). */
export const releaseAddressOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path: `${path}/permalink/latest`,
    summary: "Go to the latest release of a project",
    who: whoeverSees,
    takesJobToken: "releases",
    params: Type.Object({ id: projectId() }),
    answer: redirect(),
    failures: ["forbidden"],
    handle: (call) => latestAddress(call),
  }),

  operation({
    method: "GET",
    path: `${path}/permalink/latest/*suffix_path`,
    summary: "Go to what is below the latest release of a project",
    who: whoeverSees,
    takesJobToken: "releases",
    params: Type.Object({ id: projectId(), suffix_path: pathText({ description: "downloads/bin/linux" }) }),
    answer: redirect(),
    failures: ["forbidden"],
    handle: (call) => latestAddress(call, call.params.suffix_path),
  }),

  operation({
    method: "GET",
    path: `${path}/:tag_name/downloads/*direct_asset_path`,
    summary: "Go to an asset of a release",
    who: whoeverSees,
    takesJobToken: "releases",
    params: Type.Object({ ...InRelease, direct_asset_path: pathText({ description: "bin/linux" }) }),
    answer: redirect(),
    failures: ["forbidden"],
    handle({ context, caller, project, params }) {
      requireCodeReader(context, caller, project);
      const { links } = getRelease(context.store, project, params.tag_name);
      const link = links.find(({ filepath }) => filepath === `/${params.direct_asset_path}`);
      if (link === undefined) throw notFound();
      return new URL(link.url).href;
    },
  }),
];
