import { dayMs } from "../../lib/datetime.ts";
import { getUser } from "../../modules/core/users/index.ts";
import {
  describeIncident,
  findOrInsertAlertBot,
  insertIntegration,
  nextAlertIid,
  upsertAlertSettings,
} from "../../modules/monitoring/alerts/index.ts";
import { type AlertRecord, alertPayloads, alerts } from "../../modules/monitoring/alerts/records.ts";
import { type Organisation, type Person, randomMember, type SeededProject } from "../organisation.ts";
import { ProjectDraw } from "../project-draw.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { alertTexts, hosts } from "../vocabulary/operations.ts";
import { seedIssue } from "./issues.ts";

/** The average number of documents per alert. */
export const documentsOfAlert = 4;

/** The alerts of monitored projects. Call `at` with ascending times. */
export class Alerts {
  readonly #organisation: Organisation;
  readonly #random: SeededRandom;
  readonly #draw: ProjectDraw;
  readonly #integrations = new Map<SeededProject, number>();
  readonly #open = new Set<string>();
  readonly #baseUrl: string;

  constructor(organisation: Organisation, baseUrl: string) {
    this.#organisation = organisation;
    this.#baseUrl = baseUrl;
    this.#random = organisation.random("alerts");
    const watched = ({ topic, weight, isEmpty }: SeededProject) => topic === "cloud" && weight >= 4 && !isEmpty;
    this.#draw = new ProjectDraw(organisation, this.#random, watched);
  }

  at(time: number): void {
    const random = this.#random;
    const project = this.#draw.at(time);
    if (project.since + dayMs > time) return;
    const alert = this.#insert(project, time);
    if (!random.chance(0.4)) return;
    const { context, writing } = this.#organisation;
    this.#organisation.at(time + 60_000);
    const issue = seedIssue(this.#organisation, random, project, time + 60_000, {
      written: {
        title: alert.title,
        description: describeIncident(context.store, project.record, alert, this.#baseUrl),
        issue_type: "incident",
        severity: alert.severity === "info" ? "unknown" : alert.severity,
      },
      author: this.#reporter(project, time),
    });
    const { closed_at } = issue;
    // Closing the incident resolves its alert.
    const end = closed_at === null ? {} : ({ status: "resolved", ended_at: closed_at, updated_at: closed_at } as const);
    const after = writing.update(alerts, { ...alert, issue_id: issue.id, ...end });
    if (alert.status !== "resolved" && after.status === "resolved") this.#open.delete(keyOf(alert));
  }

  /** Returns the server itself, or a person who was awake. */
  #reporter(project: SeededProject, time: number): Person {
    if (this.#random.chance(0.3)) return randomMember(this.#random, project, time, 30);
    const { context, writing } = this.#organisation;
    const caller = findOrInsertAlertBot(writing, context);
    const user = getUser(context.store, caller.user.id);
    return { user, since: time, until: Number.POSITIVE_INFINITY, lastSeen: time, caller, company: "" };
  }

  #insert(project: SeededProject, time: number): AlertRecord {
    const { writing, until } = this.#organisation;
    const random = this.#random;
    const { record } = project;
    const integration_id = this.#integrationOf(project);
    const text = random.pick(alertTexts);
    const fingerprint = Bun.SHA1.hash(`${record.id} ${text.title}`, "hex");
    const status = this.#statusAt(time, `${record.id} ${fingerprint}`);
    const ended = time + random.fraction() ** 2 * Math.min(2 * dayMs, until - time);
    const started_at = this.#organisation.at(time);
    const updated_at = this.#organisation.at(status === "triggered" ? time : ended);
    const hosted = random.some(hosts, random.integer(0, 2));
    const alert: AlertRecord = writing.insert(alerts, {
      ...text,
      id: writing.nextId("alerts"),
      iid: nextAlertIid(writing, record.id),
      project_id: record.id,
      status,
      monitoring_tool: "Watchtower",
      hosts: hosted,
      environment_name: random.chance(0.7) ? "production" : null,
      started_at,
      ended_at: status === "resolved" ? updated_at : null,
      event_count: random.integer(1, 30),
      fingerprint,
      assignee_id: status === "acknowledged" ? randomMember(random, project, time, 30).user.id : null,
      issue_id: null,
      integration_id,
      y_label: null,
      incident_markdown: null,
      created_at: started_at,
      updated_at,
    });
    if (status !== "resolved") this.#open.add(keyOf(alert));
    const payload = { title: text.title, service: text.service, severity: text.severity, start_time: started_at };
    writing.insert(alertPayloads, { id: alert.id, text: JSON.stringify({ ...payload, hosts: hosted }) });
    project.lastActivity = Math.max(project.lastActivity, this.#organisation.shown(ended));
    return alert;
  }

  /** Returns the status: alerts of the last two days are open, one per identity at a time. */
  #statusAt(time: number, identity: string): AlertStatus {
    const random = this.#random;
    const age = this.#organisation.until - time;
    if (this.#open.has(identity)) return "resolved";
    if (age < 2 * dayMs) return random.pick(["triggered", "acknowledged"]);
    return age < 60 * dayMs && random.chance(0.05) ? "ignored" : "resolved";
  }

  #integrationOf(project: SeededProject): number {
    const known = this.#integrations.get(project);
    if (known !== undefined) return known;
    const { context, writing } = this.#organisation;
    this.#organisation.at(project.since + dayMs);
    const attributes = { type: "http", active: true, name: "Watchtower" } as const;
    const { id } = insertIntegration(writing, context, project.record, attributes);
    if (this.#integrations.size === 0) {
      upsertAlertSettings(writing, context, project.record, { create_issue: true, send_email: false });
    }
    this.#integrations.set(project, id);
    return id;
  }
}

type AlertStatus = AlertRecord["status"];

function keyOf({ project_id, fingerprint }: AlertRecord): string {
  return `${project_id} ${fingerprint}`;
}
