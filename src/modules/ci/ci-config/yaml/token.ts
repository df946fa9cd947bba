/** The tokens of YAML. */

import type { Mark } from "./cursor.ts";

export interface Token {
  readonly kind:
    | ("block-end" | "block-entry" | "block-mapping" | "block-sequence" | "document-end" | "document-start" | "end")
    | ("flow-end-mapping" | "flow-end-sequence" | "flow-entry" | "flow-mapping" | "flow-sequence" | "key" | "value")
    | ("alias" | "anchor" | "directive" | "scalar" | "tag");
  readonly mark: Mark;
  /** The text of a scalar; the name of an alias, an anchor or a tag. */
  readonly text: string;
  /** Whether a scalar stands without quotes. */
  readonly isPlain: boolean;
}
