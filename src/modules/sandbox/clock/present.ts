import type { Static } from "@sinclair/typebox";
import { toDateTime } from "../../../lib/datetime.ts";
import type { SandboxClock } from "../../kernel/context.ts";
import type { ClockEntity } from "./schema.ts";

export function presentClock(clock: SandboxClock): Static<typeof ClockEntity> {
  const { is_frozen, rate } = clock.state;
  const now = clock.now();
  return { now: toDateTime(now), frozen: is_frozen, offset_ms: now - clock.real.now(), rate };
}
