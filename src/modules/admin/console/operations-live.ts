import { Type } from "@sinclair/typebox";
import { file, ok, operation } from "../../kernel/operation.ts";
import { RecentRequests } from "../recent-requests/index.ts";
import { listFigures } from "./figures.ts";
import { LiveFeed } from "./live-feed.ts";
import { FollowEvents, RequestFigures } from "./schema.ts";

/** Live figures (console 4). */
export const liveOperations = [
  operation({
    method: "GET",
    path: "/-/figures",
    root: true,
    summary: "List requests per second and durations of the last 15 minutes",
    who: "administrator",
    params: Type.Object({}),
    answer: ok(Type.Array(RequestFigures)),
    handle({ context }) {
      return listFigures(context.get(RecentRequests), context.clock.now());
    },
  }),

  operation({
    method: "GET",
    path: "/-/console/events",
    root: true,
    http: { partOf: "console", longPollSeconds: 30 },
    summary: "Follow figures, background jobs and requests as server-sent events",
    who: "administrator",
    params: FollowEvents,
    answer: file({ maxAgeS: 0 }),
    handle({ context, caller, params: { requests = false, seconds } }) {
      const content = context.get(LiveFeed).open({
        ...{ wantsRequests: requests, seconds },
        confirm: () => caller.confirm?.(),
      });
      // Proxies that gather answers would hold each event back.
      return { contentType: "text/event-stream", content, headers: { "X-Accel-Buffering": "no" } };
    },
  }),
];
