import { Type } from "@sinclair/typebox";
import { Failure } from "../../domain/failure.ts";
import { text } from "../../domain/parameters.ts";
import { findProjectByPath } from "../namespaces/index.ts";
import { type Call, ok, operation } from "../operation.ts";
import { type Endpoint, payloadBytesMax, receiveAlerts, unusable } from "./receive.ts";
import { ReceivedAlerts } from "./schema.ts";

const inProjectPath = { project_path: text({ description: "full path of the project, with plain slashes" }) };

/** What all receivers are. */
const receiver = {
  method: "POST",
  root: true,
  who: "anyone",
  isReceiver: true,
  body: { sizeBytesMax: payloadBytesMax, isDrained: true, refuseSize: unusable, refuseUnreadable: unusable },
  answer: ok(ReceivedAlerts),
} as const;

/** Where monitoring tools send alerts to (alerts A). */
export const receiverOperations = [
  operation({
    ...receiver,
    path: "/*project_path/alerts/notify/:name/:endpoint_identifier",
    summary: "Receive alerts",
    params: Type.Object({
      ...inProjectPath,
      name: text({ description: "for people; any text" }),
      endpoint_identifier: text({ description: "of the integration; may end in .json" }),
    }),
    handle(call) {
      const identifier = call.params.endpoint_identifier.replace(/\.json$/, "");
      if (!/^[A-Za-z0-9]+$/.test(identifier)) throw new Failure("not_found", {});
      return receive(call, call.params.project_path, { identifier });
    },
  }),

  operation({
    ...receiver,
    path: "/*project_path/alerts/notify",
    summary: "Receive alerts for the integration of type http that has the key",
    params: Type.Object(inProjectPath),
    handle: (call) => receive(call, call.params.project_path, { type: "http" }),
  }),

  operation({
    ...receiver,
    path: "/*project_path/prometheus/alerts/notify",
    summary: "Receive alerts for the integration of type prometheus that has the key",
    params: Type.Object(inProjectPath),
    handle(call) {
      const { project_path } = call.params;
      // A project may be called "prometheus" itself.
      const itself = `${project_path}/prometheus`;
      const isItself = findProjectByPath(call.context.store, itself) !== undefined;
      if (isItself && findProjectByPath(call.context.store, project_path) === undefined) {
        return receive(call, itself, { type: "http" });
      }
      return receive(call, project_path, { type: "prometheus" });
    },
  }),
];

function receive({ context, raw, baseUrl }: Call<unknown, "anyone">, path: string, endpoint: Endpoint) {
  return receiveAlerts(context, path, endpoint, raw, baseUrl);
}
