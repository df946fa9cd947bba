import type { Static } from "@sinclair/typebox";
import { toDateTime } from "../../../lib/datetime.ts";
import type { SunkCall } from "../../kernel/context.ts";
import type { OutgoingCall } from "./schema.ts";

export function presentOutgoingCall({ sentMs, ...call }: SunkCall): Static<typeof OutgoingCall> {
  return { ...call, sent_at: toDateTime(sentMs) };
}
