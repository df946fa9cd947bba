import { dayMs } from "../../lib/datetime.ts";
import { insertClientKey, insertEvent } from "../../modules/monitoring/error-tracking/index.ts";
import { errorTrackingSettings, trackedErrors } from "../../modules/monitoring/error-tracking/records.ts";
import type { Organisation, SeededProject } from "../organisation.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { type ErrorWords, errorTexts } from "../vocabulary/operations.ts";

/** Creates errors that clients of some services and apps reported. */
export function* seedErrors(organisation: Organisation): Generator<undefined> {
  const { context, writing, until } = organisation;
  const random = organisation.random("errors");
  const tracked = organisation.projects.filter(
    ({ topic, weight, isEmpty }) => (topic === "cloud" || topic === "app") && weight >= 4 && !isEmpty,
  );
  for (const { record } of tracked) {
    writing.insert(errorTrackingSettings, { id: record.id, active: true, integrated: true });
    insertClientKey(writing, context, record);
  }
  yield undefined;
  const count = organisation.count(70, 1);
  for (let at = 0; at < count; at += 1) {
    const project = random.pick(tracked);
    const platform = project.topic === "cloud" ? "python" : "javascript";
    const first = project.since + 5 * dayMs;
    const time = first + ((at + random.fraction()) / count) ** 0.6 * (until - first - dayMs / 2);
    report(organisation, random, project, random.pick(errorTexts.filter((text) => text.platform === platform)), time);
    yield undefined;
  }
  const { by } = context.store.of(trackedErrors);
  for (const id of tracked.flatMap(({ record }) => [...by.project_id.find(record.id)])) {
    const error = context.store.of(trackedErrors).get(id);
    const status = random.weighted({ unresolved: 5, resolved: 2, ignored: 1 });
    if (error !== undefined && status !== "unresolved") writing.update(trackedErrors, { ...error, status });
    yield undefined;
  }
}

function report(
  organisation: Organisation,
  random: SeededRandom,
  project: SeededProject,
  text: ErrorWords,
  time: number,
): void {
  const { context, writing } = organisation;
  const occurred_at = organisation.at(time);
  const environment = random.weighted({ production: 6, staging: 1 });
  const { type, value, platform, transaction } = text;
  const frame = {
    filename: text.file,
    abs_path: `/srv/${text.file}`,
    function: transaction.replaceAll(/\W+/g, "_").toLowerCase(),
    lineno: text.line,
    in_app: true,
    pre_context: [text.lines[0]],
    context_line: text.lines[1],
    post_context: [text.lines[2]],
  };
  const payload = {
    event_id: random.characters("0123456789abcdef", 32),
    timestamp: occurred_at,
    ...{ platform, environment, transaction, level: "error", release: `1.${random.integer(0, 9)}.0` },
    exception: { values: [{ type, value, stacktrace: { frames: [frame] } }] },
  };
  insertEvent(
    writing,
    context,
    project.record,
    { name: type, actor: transaction, description: value, platform, environment, level: "error", occurred_at },
    { payload: JSON.stringify(payload) },
  );
}
