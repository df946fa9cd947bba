/** An object of which the type and the size are known, and nothing is unpacked yet. */

import type { BlobStream } from "./blob-stream.ts";
import type { ObjectType } from "./limits.ts";

export interface FoundObject {
  readonly oid: string;
  readonly type: ObjectType;
  /** Bytes of the content. */
  readonly size: number;
  /** Bytes in memory while it is read whole. */
  readonly roomBytes: number;
  /** True for a delta of another object, which cannot be read in pieces. */
  readonly isDelta: boolean;
  /** The content. The caller has checked `size`. Throws for an object that is damaged, and `ObjectTooLarge`. */
  read(): Promise<Buffer>;
  /** The content in pieces; undefined for a delta. */
  stream(): Promise<BlobStream | undefined>;
}
