import { CallFailed, type OutgoingAnswer, type OutgoingCall } from "../../../lib/outgoing/http-call.ts";
import type { Context } from "../../kernel/context.ts";
import { settingsOf } from "../application-settings/index.ts";

/** A request to an address that a user has chosen. */
export type ReceiverCall = Omit<OutgoingCall, "allowsLocal">;

/**
 * Calls the receiver of a webhook (webhooks 7 and 8). Throws `CallFailed`; for an address of the local network, its message names
 * the setting that allows it.
 */
export async function callReceiver(context: Context, call: ReceiverCall): Promise<OutgoingAnswer> {
  const allowsLocal = settingsOf(context).allow_local_requests_from_web_hooks_and_services;
  try {
    return await context.callHttp({ ...call, allowsLocal });
  } catch (error) {
    if (!(error instanceof CallFailed) || !error.message.startsWith("URL is blocked")) throw error;
    throw new CallFailed(`${error.message} (setting allow_local_requests_from_web_hooks_and_services)`);
  }
}
