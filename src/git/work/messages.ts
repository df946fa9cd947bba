/** Messages between the server and the threads of its pool. */

import type { FailureBody, FailureKind } from "../../domain/failure.ts";
import type { Answer, QuestionOrder } from "./computing.ts";
import type { Received, ReceiveOrder } from "./receive.ts";
import type { Repacked, RepackOrder } from "./repack.ts";

export type Order =
  | { readonly kind: "fetch"; readonly folder: string; readonly body: Uint8Array; readonly isVersion2: boolean }
  | {
      readonly kind: "advertise";
      readonly folder: string;
      readonly service: "fetch" | "push";
      readonly version: 0 | 1 | 2;
      readonly agent: string;
    }
  | ({ readonly kind: "receive" } & ReceiveOrder)
  | ({ readonly kind: "repack" } & RepackOrder)
  | { readonly kind: "compute"; readonly question: QuestionOrder };

/** The result of an order that is done as a whole. */
export type Result = Received | Repacked | Answer;

/** An order whose answer comes in pieces. */
export type StreamOrder = Extract<Order, { readonly kind: "fetch" | "advertise" }>;

export type ToThread =
  | { readonly kind: "order"; readonly order: Order }
  /** The reader has taken a piece. */
  | { readonly kind: "taken" };

export type FromThread =
  | { readonly kind: "piece"; readonly piece: Uint8Array }
  | { readonly kind: "done"; readonly result: Result | undefined }
  /** `failure`: the client asked for what is refused; `protocol`: for what is no request of git's protocol; `told`: the pieces before tell the client of it. */
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly failure?: "protocol" | "told" | { readonly kind: FailureKind; readonly body: FailureBody } | undefined;
    };

/** Pieces that a thread makes before the first one is taken. */
export const piecesAhead = 4;
