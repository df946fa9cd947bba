import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage, mapPageInTurns } from "../../../domain/page.ts";
import { inGroup } from "../../core/access/index.ts";
import { operation, pageOf } from "../../kernel/operation.ts";
import { presentBasicRelease, presentRelease } from "./present.ts";
import { BasicRelease, ListGroupReleases, Release } from "./schema.ts";
import { findCommitsOfAll, listGroupReleases } from "./service-group.ts";

export const groupReleaseOperations = [
  operation({
    method: "GET",
    path: "/groups/:id/releases",
    summary: "List the releases of a group's projects",
    who: inGroup(accessLevels.guest),
    params: ListGroupReleases,
    answer: pageOf(Type.Union([Release, BasicRelease])),
    failures: ["too_large"],
    async handle(call) {
      const { context, caller, group, params, page } = call;
      const found = listGroupReleases(context, caller, group, params, page);
      if (params.simple === true) return mapPage(found, (release) => presentBasicRelease(release, call));
      const around = await findCommitsOfAll(context, caller, found.items);
      return mapPageInTurns(found, (release) => presentRelease(release, call, around(release)));
    },
  }),
];
