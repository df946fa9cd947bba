import type { Static } from "@sinclair/typebox";
import type { FaultRule } from "./records.ts";
import type { FaultEntity } from "./schema.ts";

type Match = Static<typeof FaultEntity>["match"];

export function presentFault({ match, ...rule }: FaultRule): Static<typeof FaultEntity> {
  return { ...rule, match: match as Match };
}
