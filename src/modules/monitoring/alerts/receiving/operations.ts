import { type TObject, Type } from "@sinclair/typebox";
import { Failure } from "../../../../domain/failure.ts";
import { pathText, text } from "../../../../domain/parameters.ts";
import { findProjectByPath } from "../../../core/namespaces/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { type Operation, ok, operation } from "../../../kernel/operation.ts";
import { payloadBytesMax } from "../payload/index.ts";
import { ReceivedAlerts } from "../schema.ts";
import { type Endpoint, isKeySent, receiveAlerts, unusable } from "./service-receive.ts";

const inProjectPath = { project_path: pathText({ description: "full path of the project, with plain slashes" }) };

/** The properties that all receivers share. */
const receiver = {
  method: "POST",
  root: true,
  who: "anyone",
  body: { sizeBytesMax: payloadBytesMax, isDrained: true, refuseSize: unusable, refuseUnreadable: unusable },
  answer: ok(ReceivedAlerts),
} as const;

/** The operations that monitoring tools send alerts to (alerts A). */
export const receiverOperations = [
  receiverOperation({
    path: "/*project_path/alerts/notify/:name/:endpoint_identifier",
    summary: "Receive alerts",
    params: Type.Object({
      ...inProjectPath,
      name: text({ description: "for people; any text" }),
      endpoint_identifier: text({ description: "of the integration; may end in .json" }),
    }),
    targetOf(_, { project_path, endpoint_identifier = "" }) {
      const identifier = endpoint_identifier.replace(/\.json$/, "");
      return /^[A-Za-z0-9]+$/.test(identifier) ? { projectPath: project_path, endpoint: { identifier } } : undefined;
    },
  }),

  receiverOperation({
    path: "/*project_path/alerts/notify",
    summary: "Receive alerts (HTTP integration)",
    params: Type.Object(inProjectPath),
    targetOf: (_, { project_path }) => ({ projectPath: project_path, endpoint: { type: "http" } }),
  }),

  receiverOperation({
    path: "/*project_path/prometheus/alerts/notify",
    summary: "Receive alerts (Prometheus integration)",
    params: Type.Object(inProjectPath),
    targetOf({ store }, { project_path }) {
      // A project may be called "prometheus" itself.
      const itself = `${project_path}/prometheus`;
      const isItself = findProjectByPath(store, itself) !== undefined;
      if (isItself && findProjectByPath(store, project_path) === undefined) {
        return { projectPath: itself, endpoint: { type: "http" } };
      }
      return { projectPath: project_path, endpoint: { type: "prometheus" } };
    },
  }),
];

interface InPath {
  readonly project_path: string;
  readonly endpoint_identifier?: string;
}

interface Receiver {
  readonly path: string;
  readonly summary: string;
  readonly params: TObject;
  /** The project and integration that a request addresses; undefined where no integration can be meant. */
  targetOf(context: Context, path: InPath): { readonly projectPath: string; readonly endpoint: Endpoint } | undefined;
}

function receiverOperation({ path, summary, params, targetOf }: Receiver): Operation {
  return operation({
    ...receiver,
    path,
    summary,
    params,
    http: {
      isReceiver: true,
      knowsSender(context, head) {
        const target = targetOf(context, head.path as unknown as InPath);
        return target !== undefined && isKeySent(context, target.projectPath, target.endpoint, head);
      },
    },
    handle({ context, params: given, raw, baseUrl }) {
      const target = targetOf(context, given as unknown as InPath);
      if (target === undefined) throw new Failure("not_found", {});
      return receiveAlerts(context, target.projectPath, target.endpoint, raw, baseUrl);
    },
  });
}
