import { Type } from "@sinclair/typebox";
import { nullable, oneOf, optional, text } from "../../../domain/parameters.ts";
import { availabilities } from "./records.ts";

/** users-and-auth 12. */
export const UserStatus = Type.Object(
  {
    emoji: Type.Union([Type.String(), Type.Null()]),
    message: Type.Union([Type.String(), Type.Null()]),
    availability: Type.Union([...availabilities.map((word) => Type.Literal(word)), Type.Null()]),
    message_html: Type.String(),
    clear_status_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  },
  { $id: "UserStatus" },
);

const hourMs = 3_600_000;

/** Spans after which a status clears itself, in milliseconds. */
export const clearingSpans = {
  "30_minutes": hourMs / 2,
  "3_hours": 3 * hourMs,
  "8_hours": 8 * hourMs,
  "1_day": 24 * hourMs,
  "3_days": 72 * hourMs,
  "7_days": 168 * hourMs,
  "30_days": 720 * hourMs,
} as const;

export const ChangeUserStatus = Type.Object({
  emoji: optional(nullable(text({ description: "name without colons; speech_balloon for a message without one" }))),
  message: optional(nullable(text({ description: "at most 100 characters" }))),
  availability: optional(nullable(oneOf(availabilities))),
  clear_status_after: optional(nullable(oneOf(Object.keys(clearingSpans) as (keyof typeof clearingSpans)[]))),
});
