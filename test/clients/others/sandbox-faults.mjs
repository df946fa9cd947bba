// Drives @gitbeaker/rest against a sandbox whose rules for faults the test has set, and prints what it saw.
import { api, host, statusOf, token } from "../gitbeaker/scripts/gitbeaker-setup.mjs";

const faults = `${host}/-/sandbox/faults`;
const headers = { "PRIVATE-TOKEN": token, "Content-Type": "application/json" };

async function fault(effect, method, times = 1) {
  const body = JSON.stringify({ match: { method }, effect, times });
  await fetch(faults, { method: "POST", headers, body });
}

/** The requests that the rules hit, which are forgotten then. */
async function hits() {
  const rules = await (await fetch(faults, { headers })).json();
  await fetch(faults, { method: "DELETE", headers });
  return rules.reduce((sum, rule) => sum + rule.hits, 0);
}

const outcome = (call) =>
  call.then(
    () => "done",
    (error) => error.cause?.response?.status ?? "no answer",
  );

const seen = {};
const project = await api.Projects.create({ name: "faults for gitbeaker" });

for (const [name, effect] of Object.entries({
  429: { code: 429 },
  502: { code: 502 },
  503: { code: 503 },
  drop: { drop: true },
  late: { wait_ms: 50, jitter_ms: 50 },
  slow: { bytes_per_second: 20_000 },
  cut: { truncate_after: 20 },
})) {
  await fault(effect, "GET");
  seen[name] = [await outcome(api.Projects.show(project.id)), await hits()];
}

await fault({ apply_then_drop: true }, "PUT");
seen.update = [await outcome(api.Projects.edit(project.id, { description: "changed" })), await hits()];
await fault({ apply_then_drop: true }, "POST");
const label = () => api.ProjectLabels.create(project.id, "bug", "#aa0000");
seen.label = [await outcome(label()), await hits(), await outcome(label())];
seen.labels = (await api.ProjectLabels.all(project.id)).map(({ name }) => name);

await fault({ apply_then_drop: true }, "DELETE");
seen.delete = [await outcome(api.ProjectLabels.remove(project.id, "bug")), await hits()];
seen.deleteAgain = await outcome(api.ProjectLabels.remove(project.id, "bug"));

seen.again = await statusOf(api.Projects.edit(project.id, { description: "changed" }));
seen.description = (await api.Projects.show(project.id)).description;

console.log(JSON.stringify(seen));
