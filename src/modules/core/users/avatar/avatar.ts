/** The drawn avatar of users without a picture. */

import type { FileContent } from "../../../kernel/operation.ts";
import type { UserRecord } from "../records.ts";

/** The picture of a user who has uploaded none: the initials on a colour of their own (users-and-auth 4.1). */
export function drawAvatar({ id, name }: Pick<UserRecord, "id" | "name">): FileContent {
  // Neighbouring ids get colours far apart.
  const hue = (id * 137) % 360;
  const content =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">` +
    `<rect width="64" height="64" fill="hsl(${hue},45%,42%)"/>` +
    `<text x="32" y="32" dy=".35em" text-anchor="middle" font-family="sans-serif" font-size="26" fill="#fff">` +
    `${initialsOf(name)}</text></svg>`;
  return { contentType: "image/svg+xml", content };
}

/** One of the first word and one of the last. Letters and digits only, so that there is nothing to escape. */
function initialsOf(name: string): string {
  const initials = name.split(/\s+/).flatMap((word) => word.match(/[\p{L}\p{N}]/u) ?? []);
  const [first = "?", ...others] = initials;
  return `${first}${others.at(-1) ?? ""}`.toUpperCase();
}
