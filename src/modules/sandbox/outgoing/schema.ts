import { Type } from "@sinclair/typebox";

/** A call that the server would have made to a service of others. */
export const OutgoingCall = Type.Object(
  {
    id: Type.Integer({ description: "rises with each call since the start of the server" }),
    sent_at: Type.String({ format: "date-time", description: "by the clock of the sandbox" }),
    method: Type.String({ description: "method of the call" }),
    url: Type.String({ description: "address of the service" }),
    body: Type.String({ description: "the first 64 KiB, without secrets" }),
  },
  { $id: "SandboxOutgoingCall" },
);
