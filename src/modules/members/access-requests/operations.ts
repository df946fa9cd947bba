import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { forGroupsAndProjects } from "../../core/access/index.ts";
import { created, noContent, operation, pageOf } from "../../kernel/operation.ts";
import { Member, managingLevels, memberView, presentMember } from "../members/index.ts";
import { presentNewRequest, presentRequest } from "./present.ts";
import { AccessRequest, ApproveRequest, NewAccessRequest, Requester } from "./schema.ts";
import { approveRequest, deleteRequest, listRequests, requestAccess } from "./service.ts";

export const accessRequestOperations = [
  ...forGroupsAndProjects(({ path, id, noun, who }) =>
    operation({
      method: "GET",
      path: `${path}/access_requests`,
      summary: `List the access requests of a ${noun}`,
      who: who(managingLevels),
      params: Type.Object({ id }),
      answer: pageOf(AccessRequest),
      handle(call) {
        const { context, page, ...source } = call;
        return mapPage(listRequests(context, source, page), (request) => presentRequest(request, call));
      },
    }),
  ),

  ...forGroupsAndProjects(({ path, id, noun, who }) =>
    operation({
      method: "POST",
      path: `${path}/access_requests`,
      summary: `Request access to a ${noun}`,
      who: who({ group: accessLevels.none, project: accessLevels.none }),
      params: Type.Object({ id }),
      answer: created(NewAccessRequest),
      handle(call) {
        const { context, caller, ...source } = call;
        return presentNewRequest(requestAccess(context, caller, source), call);
      },
    }),
  ),

  ...forGroupsAndProjects(({ path, id, noun, who }) =>
    operation({
      method: "PUT",
      path: `${path}/access_requests/:user_id/approve`,
      summary: `Approve an access request of a ${noun}`,
      who: who(managingLevels, { late: true }),
      params: Type.Object({ id, ...ApproveRequest.properties }),
      answer: created(Member),
      handle(call) {
        const { context, caller, params, ...source } = call;
        const row = approveRequest(context, caller, source, params.user_id, params.access_level);
        return presentMember(row, memberView(call, source));
      },
    }),
  ),

  ...forGroupsAndProjects(({ path, id, noun, who }) =>
    operation({
      method: "DELETE",
      path: `${path}/access_requests/:user_id`,
      summary: `Deny an access request of a ${noun}`,
      who: who(managingLevels, { late: true }),
      params: Type.Object({ id, ...Requester.properties }),
      answer: noContent(),
      handle(call) {
        const { context, caller, params, unmodifiedSince, ...source } = call;
        deleteRequest(context, caller, source, params.user_id, unmodifiedSince);
      },
    }),
  ),
];
