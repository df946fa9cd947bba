import { invalid, requireUnmodified } from "../../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../../lib/datetime.ts";
import { exceedsLength } from "../../../../lib/text/text.ts";
import { withoutUserinfo } from "../../../../lib/web-address.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { alertSettingsOf, upsertAlertSettings } from "./service.ts";

const urlLengthMax = 255;

interface OnCall {
  readonly active: boolean;
  readonly api_url: string | null;
}

/** The product that takes the alerts instead; nothing is sent there (alerts E). */
export function onCallOf(context: Context, project: ProjectRecord): OnCall {
  const { active = false, api_url = null } = alertSettingsOf(context, project).on_call ?? {};
  return { active, api_url };
}

/** Keeps no user and password of the address: nothing is sent there. Throws 400 for no address, or one that is lacking. */
export function updateOnCall(
  context: Context,
  project: ProjectRecord,
  { active, api_url: given }: { readonly active: boolean; readonly api_url?: string | null },
): OnCall {
  return context.store.transact((tx) => {
    const api_url = given === undefined ? onCallOf(context, project).api_url : given?.trim() || null;
    if (api_url === null && active) throw invalid({ api_url: ["can't be blank"] });
    const problem = api_url === null ? undefined : urlProblem(api_url);
    if (problem !== undefined) throw invalid({ api_url: [problem] });
    const updated_at = toDateTime(context.clock.now());
    const onCall = { active, api_url: api_url === null ? null : withoutUserinfo(api_url) };
    upsertAlertSettings(tx, context, project, { on_call: { ...onCall, updated_at } });
    return onCall;
  });
}

/** Each integration has its own `active` again. Throws 412. */
export function deleteOnCall(context: Context, project: ProjectRecord, unmodifiedSince: DateTime | undefined): void {
  context.store.transact((tx) => {
    const { on_call } = alertSettingsOf(context, project);
    if (on_call === null) return;
    requireUnmodified(on_call, unmodifiedSince);
    upsertAlertSettings(tx, context, project, { on_call: null });
  });
}

function urlProblem(url: string): string | undefined {
  if (exceedsLength(url, urlLengthMax)) return `is too long (maximum is ${urlLengthMax} characters)`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || !/^https?:\/\/[^/]/i.test(url)) {
    return "must be a valid URL with scheme http or https";
  }
  return undefined;
}
