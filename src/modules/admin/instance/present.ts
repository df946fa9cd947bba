import type { Static } from "@sinclair/typebox";
import type { StartSetting as Setting } from "../../kernel/context.ts";
import type { StartSetting } from "./schema.ts";

export function presentStartSetting({ isHidden, ...setting }: Setting): Static<typeof StartSetting> {
  return { ...setting, is_hidden: isHidden };
}
