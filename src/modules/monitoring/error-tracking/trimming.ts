/** Limits on the size of error events. */

import { isObject, type JsonObject } from "./documents.ts";

/** Entries of a list of frames, exceptions or threads that stay: client libraries send at most some hundred. */
const [firstMax, lastMax] = [50, 200];
/** Lines on each side of a frame's own that stay: client libraries send five. */
const linesMax = 100;

type Change = (value: unknown) => unknown;

/**
 * Returns a checked event in its stored form: without the middle of each list of exceptions, threads or frames that has more than 250
 * entries, as client libraries and their servers cut such lists. The first 50 and the last 200 stay: the last frame is
 * where the error was thrown, and between the ends a recursion repeats itself. Of the lines around a frame the 100
 * nearest on each side stay. The JSON of any other event is unchanged.
 */
export function trimmed(event: JsonObject): JsonObject {
  const { exception, threads } = event;
  return {
    ...event,
    exception: trimmedHolders(exception),
    ...(threads === undefined ? {} : { threads: trimmedHolders(threads) }),
  };
}

/** Exceptions or threads: in `values`, or a bare array. */
const trimmedHolders: Change = (list) =>
  Array.isArray(list) ? trimmedHolderList(list) : withMember(list, "values", trimmedHolderList);

const trimmedHolderList: Change = (list) =>
  withoutMiddle(list, (holder) => withMember(holder, "stacktrace", trimmedStacktrace));

const trimmedStacktrace: Change = (stacktrace) =>
  withMember(stacktrace, "frames", (frames) => withoutMiddle(frames, trimmedFrame));

const trimmedFrame: Change = (frame) => {
  const before = withMember(frame, "pre_context", (lines) => (Array.isArray(lines) ? lines.slice(-linesMax) : lines));
  return withMember(before, "post_context", (lines) => (Array.isArray(lines) ? lines.slice(0, linesMax) : lines));
};

/** An object with one of its members changed; anything else as it is. */
function withMember(value: unknown, name: string, change: Change): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? { ...value, [name]: change(value[name]) } : value;
}

function withoutMiddle(list: unknown, change: Change): unknown {
  if (!Array.isArray(list)) return list;
  const trimmed = list.length <= firstMax + lastMax ? list : [...list.slice(0, firstMax), ...list.slice(-lastMax)];
  return trimmed.map(change);
}
