import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { forbidden } from "../../../domain/failure.ts";
import { integer, optional } from "../../../domain/parameters.ts";
import { canReadPlans, inProject } from "../../core/access/index.ts";
import { file, type Operation, ok, operation } from "../../kernel/operation.ts";
import { requireCodeReader, requireReleaseWriter } from "./policy.ts";
import { InRelease } from "./schema.ts";
import { getRelease } from "./service.ts";
import { createEvidence, getEvidence } from "./service-evidences.ts";

const path = "/projects/:id/releases/:tag_name/evidence";
const takesJobToken = "releases";

/** releases 5. */
export const releaseEvidenceOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path,
    summary: "Get an evidence of a release",
    who: inProject(accessLevels.none, { anonymous: true }),
    takesJobToken,
    params: Type.Object({ ...InRelease, evidence_id: optional(integer({ description: "the newest without it" })) }),
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden"],
    handle({ context, caller, project, params }) {
      requireCodeReader(context, caller, project);
      // It names milestones.
      if (!canReadPlans(context, caller.user, { project })) throw forbidden();
      const release = getRelease(context.store, project, params.tag_name);
      const { summary } = getEvidence(context.store, release, params.evidence_id);
      return { contentType: "application/json", content: summary };
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Collect an evidence of a release",
    who: inProject(accessLevels.developer),
    tier: "premium",
    isUnknownBelowTier: true,
    takesJobToken,
    params: Type.Object(InRelease),
    answer: ok(Type.Integer({ description: "200" })),
    failures: ["invalid"],
    handle({ context, caller, project, params }) {
      requireReleaseWriter(context, caller, project, params.tag_name);
      createEvidence(context, project, params.tag_name);
      return 200;
    },
  }),
];
